import 'reflect-metadata';
import { OPEN_OBJECT_METADATA } from '../mcp.constants.js';
import { addMemberNote } from '../schema/class/member-notes.js';

/**
 * Describes a member of a DTO to models.
 *
 * @example
 * ```ts
 * class GreetArgs {
 *   @Describe('Who to greet') @IsString() @MinLength(1) name!: string;
 * }
 * ```
 * @publicApi
 */
export function Describe(text: string): (target: object, member: string) => void {
  return (target, member) => addMemberNote(target, member, { description: text });
}

/**
 * Lets clients mirror a string, integer or boolean member of a tool's arguments as the header `Mcp-Param-<name>`.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports
 * @publicApi
 */
export function McpHeader(name: string): (target: object, member: string) => void {
  return (target, member) => addMemberNote(target, member, { header: name });
}

/**
 * Allows members that a DTO class does not declare; without it they are refused.
 *
 * @publicApi
 */
export function OpenObject(): (target: abstract new (...args: never[]) => object) => void {
  return (target) => Reflect.defineMetadata(OPEN_OBJECT_METADATA, true, target);
}
