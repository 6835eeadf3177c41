/**
 * Read by the compiler alone: `npm run typecheck` fails when a line that should compile does not,
 * and when a line marked as an error compiles.
 */
import { z } from 'zod';
import type { ComponentHandle, McpContext, McpRegistry, ToolOptions } from '../../lib/index.js';

declare const registry: McpRegistry;

const description = 'Moves something';
const point = z.object({ x: z.number(), label: z.string().default('none') });

class PointArgs {
  x!: number;
}

abstract class Service {
  abstract move(args: { x: number }): string;
  private hidden(): string {
    return this.move({ x: 1 });
  }
  read(): string {
    return this.hidden();
  }
}

export const accepted = [
  registry.addTool({ name: 'a', description }, () => ''),
  registry.addTool({ name: 'a', description }, (_args, context) => context.requestId),
  registry.addTool({ name: 'a', description, input: point }, ({ x, label }) => label + x.toFixed()),
  registry.addTool({ name: 'a', description, input: point }, ({ x }: { x: number }, _context: McpContext) => x),
  registry.addTool({ name: 'a', description, input: PointArgs }, ({ x }) => x.toFixed()),
  registry.addTool({ name: 'a', description, input: { type: 'object' } }, (args) => Object.keys(args)),
  registry.addTool({ description, input: point }, [Service, 'move']),
  registry.addTool({ description }, ['TOKEN', 'anything'], { guards: [{ canActivate: () => true }] }),
  registry.addPrompt({ name: 'a', input: z.object({ about: z.string() }) }, ({ about }) => about.trim()),
  registry.addPrompt({}, [Service, 'read']),
  registry.addResource({ name: 'a', uri: 'a://{b}' }, ({ b }) => b?.trim()),
  registry.addResource({ name: 'a', uri: 'a://{b}' }, ({ b }: { b: string }) => b),
  registry.addResource({ uri: 'a://b' }, [Service, 'read']),
  registry.addCompletion({ prompt: 'a', argument: 'b' }, ({ value, context }) => [value, ...Object.keys(context)]),
  registry.addCompletion({ prompt: 'a', argument: 'b' }, [Service, 'read']),
];

export async function changes(): Promise<void> {
  const handle: ComponentHandle<ToolOptions> = await registry.addTool({ name: 'a' }, () => '');
  await handle.update({ name: 'b', title: undefined, input: point });
  await registry.find('template', 'a://{b}')?.update({ uri: 'a://{c}' });
  // @ts-expect-error this option does not exist
  await handle.update({ nam: 'b' });
  // @ts-expect-error a tool has no URI
  await registry.find('tool', 'a')?.update({ uri: 'a://b' });
}

export const refused = [
  // @ts-expect-error a function has no name of its own
  registry.addTool({ description }, () => ''),
  // @ts-expect-error the schema makes numbers
  registry.addTool({ name: 'a', description, input: point }, ({ x }: { x: string }) => x),
  // @ts-expect-error without a schema there are no arguments
  registry.addTool({ name: 'a', description }, ({ x }) => x.toFixed()),
  // @ts-expect-error a private method
  registry.addTool({ description }, [Service, 'hidden']),
  // @ts-expect-error no method
  registry.addTool({ description }, [Service, 'other']),
  // @ts-expect-error an unknown kind
  registry.addTool({ name: 'a', description }, () => '', { guard: [] }),
];
