import { isObject } from "../lib/field-readers.ts";
import type { Json, JsonObject } from "../sessions/entry.ts";

/** One field of an input, as a model is told of it. */
interface Field {
  readonly type: "string" | "integer" | "boolean";
  readonly description: string;
  /** Whether it may be missing; null counts as missing, because some models send it. */
  readonly optional?: true;
  /** The least number, or the least length of a text. */
  readonly least?: number;
}
/** The fields of an input, by name. */
export type Shape = Readonly<Record<string, Field>>;

interface FieldTypes {
  readonly string: string;
  readonly integer: number;
  readonly boolean: boolean;
}

/** The values of an input that has the right form. */
export type Values<Fields extends Shape> = {
  readonly [Name in keyof Fields]:
    | FieldTypes[Fields[Name]["type"]]
    | (Fields[Name] extends { readonly optional: true } ? undefined : never);
};

/** The values of an input that is defined elsewhere. */
export type ValuesOf<Input> = Input extends ToolInput<infer Fields> ? Values<Fields> : never;

type InputReading<Fields extends Shape> =
  | { readonly type: "read"; readonly values: Values<Fields> }
  | { readonly type: "broken"; readonly problem: string };

/** What a tool takes: told to a model and checked from one definition. */
export interface ToolInput<Fields extends Shape> {
  readonly schema: JsonObject;
  /** Reads any input; what is wrong with it is said with what was expected. */
  read(input: Json): InputReading<Fields>;
}

/** Makes the schema and the check of a flat object. */
export function defineInput<const Fields extends Shape>(shape: Fields): ToolInput<Fields> {
  return {
    schema: toSchema(shape),
    read: (input) => {
      if (!isObject(input)) return broken(shape, ["The input is not an object"]);
      const problems = [
        ...Object.entries(shape).flatMap(([name, field]) => judge(name, field, ownValue(input, name))),
        ...Object.keys(input).flatMap((name) =>
          Object.hasOwn(shape, name) ? [] : [`${quote(name)} is not known`],
        ),
      ];
      if (problems.length > 0) return broken(shape, problems);
      const values = Object.keys(shape).map((name) => [name, ownValue(input, name)]);
      return { type: "read", values: Object.fromEntries(values) as Values<Fields> };
    },
  };
}

function ownValue(input: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(input, name) ? (input[name] ?? undefined) : undefined;
}

function judge(name: string, field: Field, value: unknown): readonly string[] {
  if (value === undefined) return field.optional === true ? [] : [`${quote(name)} is missing`];
  if (!hasType(field, value)) return [`${quote(name)} is not of type ${field.type}`];
  if (field.least === undefined) return [];
  if (typeof value === "string")
    return value.length < field.least ? [`${quote(name)} must not be empty`] : [];
  return Number(value) < field.least ? [`${quote(name)} must be at least ${field.least}`] : [];
}

function hasType(field: Field, value: unknown): boolean {
  return field.type === "integer" ? Number.isSafeInteger(value) : typeof value === field.type;
}

/** How many of the things that are wrong are told, and how much of a name. */
const [mostProblems, longestName] = [5, 40];

function broken(shape: Shape, problems: readonly string[]): { readonly type: "broken"; problem: string } {
  const fields = Object.entries(shape).map(
    ([name, { type, optional }]) => `"${name}"${optional === true ? "?" : ""}: ${type}`,
  );
  const told = problems.slice(0, mostProblems).join("; ");
  const rest = problems.length > mostProblems ? `; and ${problems.length - mostProblems} more` : "";
  return { type: "broken", problem: `${told}${rest}. Expected {${fields.join(", ")}}.` };
}

function quote(name: string): string {
  return JSON.stringify(name.slice(0, longestName));
}

function toSchema(shape: Shape): JsonObject {
  const properties = Object.entries(shape).map(([name, field]) => [name, toProperty(field)] as const);
  return {
    type: "object",
    properties: Object.fromEntries(properties),
    required: Object.keys(shape).filter((name) => shape[name]?.optional !== true),
    additionalProperties: false,
  };
}

function toProperty({ type, description, least }: Field): JsonObject {
  if (least === undefined) return { type, description };
  return type === "string" ? { type, description, minLength: least } : { type, description, minimum: least };
}
