/**
 * Read by the compiler alone: `npm run typecheck` fails when a line that should compile does not,
 * and when a line marked as an error compiles.
 */
import { z } from 'zod';
import { Args, Auth, Ctx, Signal, Tool, type McpContext, type ToolArgs } from '../../lib/index.js';

const point = z.object({ x: z.number(), label: z.string().optional() });
const described = 'Moves something';
const parsed = z.object({ x: z.string().transform(Number), label: z.string().default('none') });
const flexible: { input?: typeof point } = {};

class PointArgs {
  x!: number;
  label?: string;
}

export class Accepted {
  @Tool({ description: described })
  withoutInput(_args: PointArgs): string {
    return '';
  }

  @Tool({ description: described, input: point })
  inferred({ x, label }: ToolArgs<typeof point>): string {
    return (label ?? '') + x.toFixed();
  }

  @Tool({ description: described, input: point })
  contextFirst(_context: McpContext, _args: ToolArgs<typeof point>): void {}

  @Tool({ description: described, input: point })
  contextSecond(_args: { x: number }, _context: McpContext): void {}

  @Tool({ description: described, input: point })
  nothingTaken(): void {}

  @Tool({ description: described, input: PointArgs })
  dto(_args: PointArgs): void {}

  @Tool({ description: described, input: { type: 'object', properties: {} } })
  jsonSchema(_args: Record<string, unknown>): void {}
}

export class AcceptedToo {
  @Tool()
  withoutOptions(): void {}

  @Tool({ description: described, input: parsed })
  whatTheSchemaMakes({ x, label }: { x: number; label: string }): string {
    return label + x.toFixed();
  }

  @Tool({ description: described, input: point })
  fewerMembers(_args: { x: number }): void {}

  @Tool({ description: described, input: point })
  anything(_args: unknown): void {}

  @Tool({ description: described, input: point })
  contextAlone(_context: McpContext): void {}

  @Tool({ description: described, input: point })
  decoratedFirst(@Ctx() _context: McpContext, @Signal() _signal: AbortSignal, @Args() _args: { x: number }): void {}

  @Tool({ description: described, input: point })
  byName(@Args('x') _x: number, @Args('label') _label: string | undefined, @Auth() _auth: unknown): void {}

  @Tool({ description: described, input: point })
  withDefault(_args: { x: number } = { x: 1 }): void {}

  @Tool({ description: described, input: PointArgs })
  asInterface(_args: { x: number; label?: string }): void {}

  @Tool({ description: described, input: { type: 'object' } })
  jsonSchemaIsNotChecked(_args: { anything: string }): void {}

  @Tool({ description: described, input: point })
  async promised(_args: { x: number }): Promise<string> {
    await Promise.resolve();
    return '';
  }

  @Tool({ description: described, input: point })
  async *generated(_args: { x: number }): AsyncGenerator {
    yield 1;
  }

  @Tool({ description: described, ...flexible })
  maybeWithInput(_args: { x: number }): void {}
}

export class Refused {
  // @ts-expect-error the schema produces a number
  @Tool({ description: described, input: point })
  wrongMember(_args: { x: string; label?: string }): void {}

  // @ts-expect-error the schema may leave `label` out
  @Tool({ description: described, input: point })
  missingMember(_args: { x: number; label: string }): void {}

  // @ts-expect-error the class has no member `y`
  @Tool({ description: described, input: PointArgs })
  otherClass(_args: { y: number }): void {}

  // @ts-expect-error a schema is no string
  @Tool({ description: described, input: 'point' })
  noSchema(_args: PointArgs): void {}

  // @ts-expect-error the schema produces a number out of the string
  @Tool({ description: described, input: parsed })
  whatTheCallerSends(_args: { x: string }): void {}

  // @ts-expect-error the arguments beside the context are others
  @Tool({ description: described, input: point })
  besideTheContext(_context: McpContext, _args: { x: string }): void {}

  // @ts-expect-error the arguments before the context are others
  @Tool({ description: described, input: point })
  beforeTheContext(_args: { y: number }, _context: McpContext): void {}

  // @ts-expect-error unknown option
  @Tool({ description: described, inputs: point })
  unknownOption(): void {}

  // @ts-expect-error a description is text
  @Tool({ description: 5 })
  noText(): void {}

  // @ts-expect-error the hint is a boolean
  @Tool({ description: described, annotations: { readOnlyHint: 'yes' } })
  noHint(): void {}
}
