import type { ExchangeHead, Refusal } from '../../wire/exchange.js';
import { countHeader } from '../../wire/header-lines.js';
import { isJsonContentType } from '../../wire/media-type.js';
import { refuse } from '../../wire/refusal.js';
import type { AdmissionCheck } from '../admission-check.js';

export class ContentTypeCheck implements AdmissionCheck {
  check({ contentType, rawHeaders }: ExchangeHead): Refusal | undefined {
    if (contentType === undefined || !isJsonContentType(contentType)) {
      return refuse(415, 'Send Content-Type: application/json', { closeConnection: true });
    }
    // Whoever looks at another one than Node does has judged another request.
    return countHeader(rawHeaders, 'content-type') > 1
      ? refuse(415, 'Send one Content-Type header', { closeConnection: true })
      : undefined;
  }
}
