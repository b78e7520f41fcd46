import { AppError } from "../lib/app-error.ts";
import type { Brand } from "../lib/brand.ts";
import { toSlug } from "../lib/slug.ts";
import { makeUuidV7, type RandomSource, systemRandom } from "../lib/uuid-v7.ts";

export type SessionId = Brand<string, "SessionId">;
export type EntryId = Brand<string, "EntryId">;
/** The name of one thread of talk inside a session: `main`, `instructor`, `worker` or a subagent's. */
export type Strand = Brand<string, "Strand">;

/** What every id and strand name looks like: safe as a file name, an argument and a URL part. */
const name = /^[A-Za-z0-9][A-Za-z0-9_-]{0,127}$/;

export class InvalidId extends AppError {
  constructor(what: string, text: string) {
    super(`${describeText(text)} is not a valid ${what}.`, {
      kind: "usage",
      code: "invalid-id",
      hint: "Use 1 to 128 letters, digits, dashes and underscores, starting with a letter or a digit.",
    });
  }
}

export const mainStrand = "main" as Strand;

/** Returns the text as a session id, or throws `InvalidId`. Every id from outside passes through here. */
export function parseSessionId(text: string): SessionId {
  if (!name.test(text)) throw new InvalidId("session id", text);
  return text as SessionId;
}

/** Returns the text as an entry id, or throws `InvalidId`. */
export function parseEntryId(text: string): EntryId {
  if (!name.test(text)) throw new InvalidId("entry id", text);
  return text as EntryId;
}

/** Returns the text as a strand, or throws `InvalidId`. */
export function parseStrand(text: string): Strand {
  if (!name.test(text)) throw new InvalidId("strand", text);
  return text as Strand;
}

/** Tells whether a text has the form of an id, without throwing. */
export function isName(text: string): boolean {
  return name.test(text);
}

const alphabet = "abcdefghijklmnopqrstuvwxyz0123456789";

/** Makes a session id such as `session-20261115-143022-k3f9-auth-bug`, in local time; the slug comes from the title. */
export function makeSessionId(now: Date, title = "", random: RandomSource = systemRandom): SessionId {
  const two = (value: number) => String(value).padStart(2, "0");
  const day = `${now.getFullYear()}${two(now.getMonth() + 1)}${two(now.getDate())}`;
  const time = `${two(now.getHours())}${two(now.getMinutes())}${two(now.getSeconds())}`;
  const suffix = Array.from(random(4), (byte) => alphabet[byte % alphabet.length]).join("");
  const slug = makeSlug(title);
  return parseSessionId(`session-${day}-${time}-${suffix}${slug === "" ? "" : `-${slug}`}`);
}

export function makeEntryId(now: Date, random: RandomSource = systemRandom): EntryId {
  return `ent_${makeUuidV7(now, random)}` as EntryId;
}

/** Returns a–z, 0–9 and single dashes, at most 40; the empty string when nothing of the title can be kept. */
function makeSlug(title: string): string {
  return toSlug(title.slice(0, 200)).slice(0, 40).replace(/-$/, "");
}

/** Quotes a text for a message: one line, at most 40 characters, nothing that a terminal would act on. */
function describeText(text: string): string {
  if (text === "") return "The empty text";
  const ascii = JSON.stringify(text.slice(0, 40)).replace(
    /[^\x20-\x7e]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  return text.length > 40 ? `${ascii.slice(0, -1)}…" (${text.length} characters)` : ascii;
}
