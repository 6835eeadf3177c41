import { DESCRIBE_METADATA, OPEN_OBJECT_METADATA } from '../../mcp.constants.js';
import { isFields } from '../../model/fields.js';
import { setMember } from '../json-value.js';

/** What decorators of this library record about a member of a DTO. */
export interface MemberNote {
  readonly description?: string;
  /** Name of the header that mirrors the member. */
  readonly header?: string;
}

/** Adds to the notes of a member; notes are stored on the class, by member. */
export function addMemberNote(target: object, member: string, note: MemberNote): void {
  const owner = target.constructor;
  const notes = { ...readOwnNotes(owner) };
  setMember(notes, member, { ...(Object.hasOwn(notes, member) ? notes[member] : undefined), ...note });
  Reflect.defineMetadata(DESCRIBE_METADATA, notes, owner);
}

/** Notes of a class and its ancestors, the class first. */
export function readMemberNotes(type: object): ReadonlyMap<string, MemberNote> {
  const found = new Map<string, MemberNote>();
  for (
    let owner: object | null = type;
    typeof owner === 'function';
    owner = Object.getPrototypeOf(owner) as object | null
  ) {
    for (const [member, note] of Object.entries(readOwnNotes(owner))) {
      found.set(member, { ...note, ...found.get(member) });
    }
  }
  return found;
}

/** Description given to `@ApiProperty()` of `@nestjs/swagger`, which is read but never imported. */
export function readSwaggerDescription(type: { readonly prototype: object }, member: string): string | undefined {
  const options: unknown = Reflect.getMetadata('swagger/apiModelProperties', type.prototype, member);
  const description = isFields(options) ? options['description'] : undefined;
  return typeof description === 'string' ? description : undefined;
}

/** Returns whether a class or an ancestor allows members that it does not declare. */
export function isOpenObject(type: object): boolean {
  return Reflect.getMetadata(OPEN_OBJECT_METADATA, type) === true;
}

function readOwnNotes(owner: object): Readonly<Record<string, MemberNote>> {
  return (Reflect.getOwnMetadata(DESCRIBE_METADATA, owner) ?? {}) as Readonly<Record<string, MemberNote>>;
}
