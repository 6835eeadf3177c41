import type { ExchangeHead, Refusal } from '../wire/exchange.js';
import type { AdmissionCheck } from './admission-check.js';
import type { AdmissionOptions } from './admission-options.interface.js';
import { HostCheck } from './checks/host.check.js';
import { MethodCheck } from './checks/method.check.js';
import { OriginCheck } from './checks/origin.check.js';
import { HostList } from './host-list.js';

/** Who may knock at one place of a server; refusals name the option of that place. */
export class Door {
  private readonly checks: readonly AdmissionCheck[];

  constructor({ allowedOrigins, allowedHosts }: AdmissionOptions, option = 'http') {
    const hosts = allowedHosts === undefined ? undefined : new HostList(allowedHosts);
    this.checks = [
      new OriginCheck(new HostList(allowedOrigins), option),
      new HostCheck(hosts, option),
      new MethodCheck(),
    ];
  }

  /** Origin and Host, then the method; needs nothing but the head, so it can run before anything of the app does. */
  screen(head: ExchangeHead): Refusal | undefined {
    for (const check of this.checks) {
      const refusal = check.check(head);
      if (refusal !== undefined) return refusal;
    }
    return undefined;
  }
}
