/** Which requests are accepted, decided before a message is decoded. */
export interface AdmissionOptions {
  /** Hosts, `host:port` or whole origins that browsers may call from; `loopback` means this machine. */
  readonly allowedOrigins: readonly string[];
  /** Host names that requests may be addressed to. If omitted, the Host header is not checked. */
  readonly allowedHosts?: readonly string[];
}
