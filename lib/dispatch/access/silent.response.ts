import { responseFacade } from '../handlers/response.facade.js';

const READS = /^(?:get|has|is)/;

/** The response as guards see it that only say what is listed: whatever they write about one component is dropped. */
export const silenced = responseFacade(READS);
