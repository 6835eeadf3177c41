/** What may enter, decided before a message is decoded. */
export interface AdmissionOptions {
  /** Hosts, `host:port` or whole origins that browsers may call from; `loopback` stands for the names of this machine. */
  readonly allowedOrigins: readonly string[];
  /** Host names that requests may be addressed to; left out, the Host header is not checked. */
  readonly allowedHosts?: readonly string[];
}
