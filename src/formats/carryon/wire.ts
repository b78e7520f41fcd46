import * as z from "zod";

/** What the formats of our own are called in their headers. */
export const lineFormat = "carryon";
export const documentFormat = "carryon-json";
export const formatVersion = 1;

const name = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,127}$/, "must be 1 to 128 letters, digits, - and _");
const hash = z.string().regex(/^[0-9a-f]{64}$/, "must be a SHA-256 in lower-case hex");
/** A text that every engine can store. */
const plain = z
  .string()
  .max(32_768)
  .refine((text) => text.isWellFormed() && !text.includes("\0"), "must hold no NUL and no half characters");
const moment = z
  .string()
  .refine(isMoment, "must be a time in UTC with milliseconds, such as 2026-11-15T14:30:22.000Z");

/** Tells whether a text is a time exactly as `toISOString` writes it. */
export function isMoment(text: string): boolean {
  const at = new Date(text);
  return !Number.isNaN(at.getTime()) && at.toISOString() === text;
}

const session = z.strictObject({
  id: name,
  project: z.strictObject({ id: plain.min(1), name: plain }),
  client: name,
  clientSessionId: plain.nullable(),
  title: plain.nullable(),
  cwd: plain,
  branch: plain.nullable(),
  machine: plain,
  startedAt: moment,
  forkedFrom: z.strictObject({ session: name, entry: name, seq: z.int().positive() }).nullable(),
});

/** The first line of a session: whose copy it is, and what is known of it besides its entries. */
export const headerSchema = z.strictObject({
  format: z.literal(lineFormat),
  version: z.literal(formatVersion),
  exportedAt: moment,
  machine: plain,
  part: z.strictObject({ number: z.int().positive(), of: z.int().positive() }),
  session,
});
export type WireHeader = z.infer<typeof headerSchema>;

/** The last line of a session. */
export const endSchema = z.strictObject({ head: hash.nullable(), entries: z.int().nonnegative() });

/** A session in the form that is one document. */
export const documentSessionSchema = z.strictObject({
  session,
  entries: z.array(z.unknown()),
  head: hash.nullable(),
});

/** The document, down to its sessions. */
export const documentSchema = z.strictObject({
  format: z.literal(documentFormat),
  version: z.literal(formatVersion),
  exportedAt: moment,
  machine: plain,
  sessions: z.array(z.unknown()),
});
