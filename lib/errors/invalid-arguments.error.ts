import { BadRequestException } from '@nestjs/common';

/**
 * The arguments do not match the advertised schema; filters see a 400.
 *
 * @publicApi
 */
export class InvalidArgumentsError extends BadRequestException {
  constructor(
    /** One sentence for each broken rule, with the place and the rule but never the value. */
    readonly violations: readonly string[],
  ) {
    super(`Invalid arguments: ${violations.join('; ')}`);
  }
}
