import { suggest } from "./suggest.ts";

/** Where something stands in the value of a setting: names of maps and places in lists. */
export type SettingPath = readonly (string | number)[];

/** The value of a setting cannot be taken. Says why, and never repeats the value: it may be a password. */
export class BadSetting extends Error {
  readonly hint: string | undefined;
  /** Where in the value it is; the whole value unless given. */
  readonly path: SettingPath;

  constructor(reason: string, hint: string | undefined, path: SettingPath = []) {
    super(reason);
    this.hint = hint;
    this.path = path;
  }
}

/**
 * Says that there is nothing of a name, and what was meant.
 *
 * A whole line that was mistyped can become a name, and may hold a password: only what looks like a name is shown.
 */
export function unknownName(
  what: string,
  name: unknown,
  names: readonly string[],
): { readonly reason: string; readonly hint: string } {
  const shown = typeof name === "string" && /^[a-z][a-z_-]{0,30}$/i.test(name) ? name : undefined;
  const [near] = shown === undefined ? [] : suggest(shown, names);
  return {
    reason: `there is no ${what} ${shown ?? "of this name"}`,
    hint: near === undefined ? `There are: ${names.join(", ")}.` : `Did you mean ${near}?`,
  };
}

/** A map in a setting: its name in messages, the names that it may have, and where it stands. */
export interface ExpectedMap<Name extends string> {
  readonly name: string;
  /** Any name is possible unless given. */
  readonly names?: readonly Name[];
  /** What a name in it is called. */
  readonly what?: string;
  readonly path?: SettingPath;
  readonly hint: string;
}

/** Returns the fields of a map; one of another name is refused. */
export function readMap<Name extends string>(
  value: unknown,
  { name, names, what = `setting of ${name}`, path = [], hint }: ExpectedMap<Name>,
): Readonly<Partial<Record<Name, unknown>>> {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new BadSetting(`${name} must be a map`, hint, path);
  const known: readonly string[] | undefined = names;
  const other = known && Object.keys(value).find((each) => !known.includes(each));
  if (known === undefined || other === undefined) return value as Readonly<Partial<Record<Name, unknown>>>;
  const { reason, hint: meant } = unknownName(what, other, known);
  throw new BadSetting(reason, meant, [...path, other]);
}
