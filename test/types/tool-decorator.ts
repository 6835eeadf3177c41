/**
 * Read by the compiler alone: `npm run typecheck` fails when a line that should compile does not,
 * and when a line marked as an error compiles.
 */
import { z } from 'zod';
import { Tool, type McpContext, type ToolArgs } from '../../lib/index.js';

const point = z.object({ x: z.number(), label: z.string().optional() });
const described = 'Moves something';

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
}
