import { CALL_INDEX, McpContext } from '../decorators/mcp-context.js';

/** One entry of the parameter metadata that Nest's decorators store. */
export interface ParameterRecord {
  readonly index: number;
  readonly data?: unknown;
  readonly pipes?: readonly unknown[];
  readonly factory?: unknown;
}

/** How the parameters of a handler are filled. */
export interface ParameterPlan {
  /** Parameters that Nest has to fill, from decorators or implied by type; with the keys that Nest uses. */
  readonly records: Readonly<Record<string, ParameterRecord>>;
  /** Classes of the parameters; that of the context is left out, so that pipes do not validate it. */
  readonly types: readonly unknown[];
  /** Class of the parameter that takes all arguments, if the compiler emitted one. */
  readonly argumentsType?: unknown;
  /** Whether a parameter takes all or some of the arguments. */
  readonly takesArguments: boolean;
  /** Whether a parameter takes one named argument. */
  readonly takesNamedArgument: boolean;
}

const ROUTE_ARGUMENTS = '__routeArguments__';
const CUSTOM_ARGUMENTS = '__customRouteArgs__';

/** Nest's enum value for a body parameter, which receives the arguments. */
export const ARGUMENTS_KIND = 3;

const isContextType = (type: unknown): boolean =>
  typeof type === 'function' &&
  (type === McpContext || type.prototype instanceof McpContext || type.name === 'McpContext');

const contextKey = (index: number): string => `mcp${CUSTOM_ARGUMENTS}:${index}`;

const contextRecord = (index: number): ParameterRecord => ({
  index,
  pipes: [],
  factory: (_data: unknown, host: { getArgByIndex(index: number): { context: McpContext } }) =>
    host.getArgByIndex(CALL_INDEX).context,
});

/** Reason why a parameter cannot be filled; the calling code adds class and method. */
export class UnfillableParameterError extends Error {}

/** Reads decorators and types of a method's parameters once, at start-up. */
export function planParameters(prototype: object, method: string): ParameterPlan {
  const written = (Reflect.getMetadata(ROUTE_ARGUMENTS, prototype.constructor, method) ?? {}) as Records;
  const types = (Reflect.getMetadata('design:paramtypes', prototype, method) ?? []) as readonly unknown[];
  const declared = (prototype as Record<string, { length: number }>)[method]?.length ?? 0;
  const count = Math.max(types.length, declared);
  const implied = implyRecords(written, types, count);
  const records = { ...written, ...implied };
  const bodies = Object.entries(records).filter(([key]) => isBody(key));
  const whole = bodies.find(([, record]) => record.data === undefined)?.[1].index;
  return {
    records,
    types: types.map((type, index) => (contextKey(index) in implied ? undefined : type)),
    argumentsType: whole === undefined ? undefined : types[whole],
    takesArguments: bodies.some(([, record]) => record.index < count),
    takesNamedArgument: bodies.some(([, record]) => record.data !== undefined),
  };
}

/** Parameters of a registered function: the arguments, then the context. */
export const FUNCTION_PARAMETERS: ParameterPlan = {
  records: { [`${ARGUMENTS_KIND}:0`]: { index: 0, pipes: [] }, [contextKey(1)]: contextRecord(1) },
  types: [],
  takesArguments: false,
  takesNamedArgument: false,
};

/** Copies a plan so that a parameter of type `string` takes one member instead of all arguments. */
export function narrowTexts(plan: ParameterPlan, member: string): ParameterPlan {
  const records = Object.entries(plan.records).map(([key, record]) => {
    const narrows = isBody(key) && record.data === undefined && plan.types[record.index] === String;
    return [key, narrows ? { ...record, data: member } : record] as const;
  });
  return { ...plan, records: Object.fromEntries(records) };
}

type Records = Record<string, ParameterRecord>;

const isBody = (key: string): boolean => key.startsWith(`${ARGUMENTS_KIND}:`);

/** Whether a record is that of a context parameter that was implied by type. */
export const isImpliedContext = (key: string, index: number): boolean => key === contextKey(index);

/** Adds records by type: a parameter of the context's type gets the context, the first other parameter gets the arguments. */
function implyRecords(written: Records, types: readonly unknown[], count: number): Records {
  const decorated = new Set(Object.values(written).map((record) => record.index));
  const implied: Records = {};
  let argumentsTaken = Object.keys(written).some(isBody);
  // At least one record, since without records Nest would pass on its own call arguments.
  for (let index = 0; index < Math.max(count, 1); index += 1) {
    if (decorated.has(index)) continue;
    if (isContextType(types[index]) || (types.length === 0 && index === 1)) {
      implied[contextKey(index)] = contextRecord(index);
    } else if (!argumentsTaken) {
      argumentsTaken = true;
      implied[`${ARGUMENTS_KIND}:${index}`] = { index, pipes: [] };
    } else if (index < count) {
      throw new UnfillableParameterError(
        `parameter ${index + 1} has no source. Mark it with @Args(), @Ctx(), @Auth() or @Signal(), or give it the type McpContext.`,
      );
    }
  }
  return implied;
}
