import { applySetter } from './header.setters.js';
import { responseFacade } from './response.facade.js';

/** Looks and listens, but does not answer. */
export const HARMLESS = /^(?:get|has|is|on$|once$|off$|addListener$|removeListener$|listenerCount$|constructor$)/;

/**
 * The HTTP response as enhancers and handlers see it. Headers that they set are those of the answer, until its head is
 * sent. Filters and interceptors that an app wrote for its routes answer the response itself, which would replace the
 * JSON-RPC message; here status, body and end do nothing and can be chained.
 */
export const standInFor = responseFacade(HARMLESS, applySetter);
