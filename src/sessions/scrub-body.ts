import { corrections } from "./describing-events.ts";
import { isName } from "./ids.ts";
import { isScrubNote } from "./scrub-note.ts";

type Scrub = (text: string) => string;
type Fields = Readonly<Record<string, unknown>>;

/**
 * What may be changed in a value: every string, key and number; the same in a client's own record; only strings; what
 * is not one of some words; or what is said of each field, or of all items.
 */
type Form =
  | "free"
  | "record"
  | "count"
  | { readonly unless: (text: string) => boolean }
  | { readonly fields: Readonly<Record<string, Form>> }
  | { readonly items: Form };

const oneOf = (...words: readonly string[]): Form => ({ unless: (text) => words.includes(text) });

const part: Form = {
  fields: {
    type: oneOf("text", "thinking", "tool-call", "tool-result", "image", "file", "other"),
    ...{ text: "free", signature: "free", call: "free", name: "free", input: "free", output: "free" },
    ...{ failed: "free", mediaType: "free", location: "free", sha256: "free", bytes: "count", raw: "record" },
  },
};
const usage: Form = {
  fields: {
    ...{ inputTokens: "count", outputTokens: "count", cacheReadTokens: "count", cacheWriteTokens: "count" },
  },
};
const id: Form = { unless: isMadeHere };

/** Events by which a session is described; under another name they would mean nothing. */
const describing = oneOf("titled", "tagged", "ended", "interrupted", "resumed", "scrubbed", ...corrections);

/** The bodies of the known kinds by their fields: the words that make them what they are stay, whatever is looked for. */
const known: readonly {
  readonly always: readonly string[];
  readonly form: { fields: Record<string, Form> };
}[] = [
  {
    always: ["role", "parts"],
    form: {
      fields: {
        ...{ role: oneOf("user", "assistant", "tool"), parts: { items: part }, model: "free", usage },
        ...{ clientMessageId: "free", replaces: id, interrupted: "free", echo: "free" },
      },
    },
  },
  { always: ["text", "replaces"], form: { fields: { text: "free", replaces: id, kept: { items: id } } } },
  { always: ["number", "data"], form: { fields: { number: "count", data: "free" } } },
  { always: ["state"], form: { fields: { state: "free" } } },
  { always: ["event", "data"], form: { fields: { event: describing, data: "free" } } },
];

function formOf(body: Fields): Form {
  const keys = Object.keys(body);
  const found = known.find(
    ({ always, form }) =>
      always.every((key) => Object.hasOwn(body, key)) && keys.every((key) => Object.hasOwn(form.fields, key)),
  );
  return found?.form ?? clientRecord;
}

/** The kind of a client's record stands beside the body as well, and the chain covers it. */
const clientRecord: Form = { fields: { kind: { unless: isName } } };

/** Other ids may be anything, and so a secret. */
function isMadeHere(id: string): boolean {
  return /^ent_[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id);
}

/**
 * Returns the body of an entry with every string, key and number as `scrub` returns it; the very same object when
 * nothing changed.
 *
 * What makes it an entry stays: the names of its own fields, role and type, the ids that it refers to. A signed block
 * that changed loses its signature.
 */
export function scrubBody(body: Fields, scrub: Scrub): Fields {
  if (isScrubNote(body)) return body;
  // The kind stands beside the body, which entries of several kinds may share; its fields tell as much.
  return scrubFields(body, formOf(body), scrub);
}

function scrubValue(value: unknown, form: Form, scrub: Scrub): unknown {
  if (typeof value === "string") return isKept(value, form) ? value : scrub(value);
  if (typeof value === "number") return form === "count" ? value : scrubNumber(value, scrub);
  if (typeof value !== "object" || value === null) return value;
  if (!Array.isArray(value)) return scrubFields(value as Fields, form, scrub);
  return scrubItems(value, typeof form === "object" && "items" in form ? form.items : inside(form), scrub);
}

function isKept(text: string, form: Form): boolean {
  return typeof form === "object" && "unless" in form && form.unless(text);
}

function scrubNumber(value: number, scrub: Scrub): number | string {
  const text = String(value);
  const scrubbed = scrub(text);
  return scrubbed === text ? value : scrubbed;
}

function scrubItems(items: readonly unknown[], form: Form, scrub: Scrub): readonly unknown[] {
  const scrubbed = items.map((item) => scrubValue(item, form, scrub));
  return scrubbed.some((item, index) => item !== items[index]) ? scrubbed : items;
}

function scrubFields(item: Fields, form: Form, scrub: Scrub): Fields {
  const known: Readonly<Record<string, Form>> =
    typeof form === "object" && "fields" in form ? form.fields : {};
  let isChanged = false;
  const entries = Object.entries(item).map(([key, value]) => {
    const ofField = Object.hasOwn(known, key) ? known[key] : undefined;
    const scrubbedKey = ofField === undefined ? scrub(key) : key;
    const scrubbed = scrubValue(value, ofField ?? inside(form), scrub);
    isChanged ||= scrubbedKey !== key || scrubbed !== value;
    return [scrubbedKey, scrubbed] as const;
  });
  if (!isChanged) return item;
  const kept = form !== "free" && isSigned(item) ? entries.filter(([key]) => key !== "signature") : entries;
  // A key `__proto__` stays a key: entries are defined, not assigned.
  return Object.fromEntries(kept);
}

/** Returns the form of what nothing is said of. */
function inside(form: Form): Form {
  return form === "free" ? "free" : "record";
}

/** A field of this name in the input of a tool may mean anything. */
function isSigned({ type, signature }: Fields): boolean {
  return typeof type === "string" && typeof signature === "string";
}
