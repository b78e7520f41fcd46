/** A field that is not what it should be. */
export interface FieldProblem {
  /** Its path, such as `blocker.type`; "" for the whole. */
  readonly field: string;
  readonly problem: string;
}

/** Where a value stands, all that is known to be wrong, and what was passed over. */
interface Place {
  readonly field: string;
  readonly problems: FieldProblem[];
  readonly warnings: FieldProblem[];
}

/** Returns a value of JSON as it is wanted. What it returns where it has noted a problem is not used. */
export type Reader<Value> = (value: unknown, place: Place) => Value | undefined;

/** What a reader makes of a value, or all that is wrong with it. */
export type Reading<Value> =
  | { readonly type: "read"; readonly value: Value; readonly warnings: readonly FieldProblem[] }
  | { readonly type: "broken"; readonly problems: readonly FieldProblem[] };

/** Reads a whole value. Problems come in the order of the fields. */
export function readFields<Value>(reader: Reader<Value>, value: unknown): Reading<Value> {
  const problems: FieldProblem[] = [];
  const warnings: FieldProblem[] = [];
  const read = reader(value, { field: "", problems, warnings });
  return problems.length > 0
    ? { type: "broken", problems }
    : { type: "read", value: read as Value, warnings };
}

/** Notes what is wrong with a value; that it is not there says more than that it is not right. */
function reject({ field, problems }: Place, value: unknown, problem: string): undefined {
  problems.push({ field, problem: value === undefined ? "is missing" : problem });
}

/** Makes a reader of values that pass a check. */
function checked<Value>(isFine: (value: unknown) => value is Value, problem: string): Reader<Value> {
  return (value, place) => (isFine(value) ? value : reject(place, value, problem));
}

export const text = checked((value) => typeof value === "string", "is not of type string");
export const flag = checked((value) => typeof value === "boolean", "is not of type boolean");
export const number = checked(isNumber, "is not of type number");

function isNumber(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value);
}

/** Makes a reader of texts that warns of one that is not known, and takes it all the same. */
export function named(values: readonly string[]): Reader<string> {
  return (value, place) => {
    const { field, warnings } = place;
    const read = text(value, place);
    if (read !== undefined && !values.includes(read))
      warnings.push({ field, problem: `is ${read}, not one of ${values.join(", ")}` });
    return read;
  };
}

export function oneOf<const Value>(values: readonly Value[]): Reader<Value> {
  const isFine = (value: unknown): value is Value => (values as readonly unknown[]).includes(value);
  return checked(isFine, `is not one of ${values.join(", ")}`);
}

/** Makes a reader of numbers without a fraction, from 0 on. */
export function count(largest: number): Reader<number> {
  const isCount = (value: unknown): value is number =>
    Number.isInteger(value) && Number(value) >= 0 && Number(value) <= largest;
  const whole = checked(isCount, `is not a whole number from 0 to ${largest}`);
  return (value, place) => (isNumber(value) ? whole : number)(value, place);
}

export function listOf<Value>(item: Reader<Value>): Reader<readonly Value[]> {
  return (value, place) => {
    if (!Array.isArray(value)) return reject(place, value, "is not of type array");
    return value.map((each, at) => item(each, inside(place, String(at))) as Value);
  };
}

/** The values that the readers of a shape return. */
export type Fields<Shape> = {
  readonly [Name in keyof Shape]: Shape[Name] extends Reader<infer Value> ? Value : never;
};

/** Makes a reader of objects. Names that the shape has not are passed over. */
export function record<Shape extends Readonly<Record<string, Reader<unknown>>>>(
  shape: Shape,
): Reader<Fields<Shape>> {
  return (value, place) => {
    if (!isObject(value)) return reject(place, value, "is not of type object");
    const read = Object.entries(shape).map(([name, reader]) => [
      name,
      reader(value[name], inside(place, name)),
    ]);
    return Object.fromEntries(read) as Fields<Shape>;
  };
}

/** Tells whether a value of JSON is an object: neither null nor a list. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function inside(place: Place, name: string): Place {
  return { ...place, field: place.field === "" ? name : `${place.field}.${name}` };
}

export function orNull<Value>(reader: Reader<Value>): Reader<Value | null> {
  return (value, place) => (value === null ? null : reader(value, place));
}

/** Makes a reader that returns something else for a value that is not there. */
export function orElse<Value, Other>(reader: Reader<Value>, other: Other): Reader<Value | Other> {
  return (value, place) => (value === undefined ? other : reader(value, place));
}

/** Makes a reader that returns something else for a value that cannot be read, with a warning. */
export function orWarn<Value, Other>(reader: Reader<Value>, other: Other): Reader<Value | Other> {
  return (value, place) => {
    const problems: FieldProblem[] = [];
    const read = reader(value, { ...place, problems });
    place.warnings.push(...problems);
    return problems.length > 0 ? other : read;
  };
}

/** Makes a reader of a field that may be null or left out. */
export function ifGiven<Value>(reader: Reader<Value>): Reader<Value | null> {
  return orElse(orNull(reader), null);
}

/** Makes a reader that also checks what another one has read. */
export function refined<Value>(
  reader: Reader<Value>,
  isFine: (value: Value) => boolean,
  problem: string,
): Reader<Value> {
  return ifRead(reader, (value, place) => (isFine(value) ? value : reject(place, value, problem)));
}

/** Makes a reader that returns something made of what another one has read. */
export function converted<Value, Result>(
  reader: Reader<Value>,
  convert: (value: Value) => Result,
): Reader<Result> {
  return ifRead(reader, convert);
}

/** Goes on with what was read only where nothing is wrong with it. */
function ifRead<Value, Result>(
  reader: Reader<Value>,
  then: (value: Value, place: Place) => Result | undefined,
): Reader<Result> {
  return (value, place) => {
    const before = place.problems.length;
    const read = reader(value, place);
    return place.problems.length > before ? undefined : then(read as Value, place);
  };
}
