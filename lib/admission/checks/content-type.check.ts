import type { ExchangeHead, Refusal } from '../../wire/exchange.js';
import { isJsonContentType } from '../../wire/media-type.js';
import { refuse, type AdmissionCheck } from '../admission-check.js';

export class ContentTypeCheck implements AdmissionCheck {
  check({ contentType }: ExchangeHead): Refusal | undefined {
    if (contentType !== undefined && isJsonContentType(contentType)) return undefined;
    return refuse(415, 'Send Content-Type: application/json', { closeConnection: true });
  }
}
