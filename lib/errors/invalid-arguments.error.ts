import { BadRequestException } from '@nestjs/common';

/**
 * Arguments that the advertised schema does not allow; filters see it as a 400.
 *
 * @publicApi
 */
export class InvalidArgumentsError extends BadRequestException {
  constructor(
    /** One sentence for each rule that was broken: the place and the rule, never the value. */
    readonly violations: readonly string[],
  ) {
    super(`Invalid arguments: ${violations.join('; ')}`);
  }
}
