import type { ZodError } from "zod";
import * as z from "zod";
import { isDeeperThan } from "../lib/json.ts";
import { findSecrets } from "../redaction/find-secrets.ts";
import { hideSecrets } from "../redaction/hide-secrets.ts";
import { type EntryContent, type Json, maxDepth, type NewEntry } from "./entry.ts";
import { BadEntry, ScrubNoteRefused } from "./errors.ts";
import { type EntryId, parseEntryId, parseStrand } from "./ids.ts";
import { scrubbedEvent } from "./scrub-note.ts";

const json: z.ZodType<Json> = z.json();
const jsonObject = z.record(z.string(), json);
const name = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,127}$/, "must be 1 to 128 letters, digits, - and _");

const knownParts = [
  z.strictObject({ type: z.literal("text"), text: z.string() }),
  z.strictObject({ type: z.literal("thinking"), text: z.string(), signature: z.string().optional() }),
  z.strictObject({ type: z.literal("tool-call"), call: z.string(), name: z.string(), input: json }),
  z.strictObject({
    type: z.literal("tool-result"),
    call: z.string(),
    output: json,
    failed: z.boolean().optional(),
  }),
  z.strictObject({
    type: z.enum(["image", "file"]),
    mediaType: z.string(),
    name: z.string().optional(),
    location: z.string().optional(),
    sha256: z.string().optional(),
    bytes: z.int().nonnegative().optional(),
  }),
  z.strictObject({ type: z.literal("other"), raw: jsonObject }),
] as const;

export const partSchema = z.discriminatedUnion("type", knownParts);

const count = z.int().nonnegative().optional();

const envelope = {
  id: name.optional(),
  strand: name.optional(),
  parent: name.nullable().optional(),
  at: z.iso.datetime({ offset: true }).optional(),
  /** What `show --json` adds; the log decides these itself. */
  seq: z.int().optional(),
  session: name.optional(),
};

const role = z.enum(["user", "assistant", "tool"]);

/** A message in the short form that people type. */
const shortMessageSchema = z.strictObject({ ...envelope, role, text: z.string() });

const contents = {
  message: {
    role,
    parts: z.array(partSchema),
    model: z.string().optional(),
    usage: z
      .strictObject({
        inputTokens: count,
        outputTokens: count,
        cacheReadTokens: count,
        cacheWriteTokens: count,
      })
      .optional(),
    clientMessageId: z.string().optional(),
    replaces: name.optional(),
    interrupted: z.literal(true).optional(),
    echo: z.literal(true).optional(),
  },
  summary: { text: z.string(), replaces: name.nullable(), kept: z.array(name).optional() },
  round: { number: z.int().nonnegative(), data: jsonObject },
  checkpoint: { state: jsonObject },
  event: { event: z.string().min(1), data: jsonObject },
  other: { raw: jsonObject },
} as const;

const kinds = {
  message: z.literal("message"),
  summary: z.literal("summary"),
  round: z.literal("round"),
  checkpoint: z.literal("checkpoint"),
  event: z.literal("event"),
  other: z.literal("other"),
} as const;

/** A whole entry, as docs/formats/entry.md describes it. */
export const entrySchema = z.discriminatedUnion("kind", [
  z.strictObject({ ...envelope, kind: kinds.message, ...contents.message }),
  z.strictObject({ ...envelope, kind: kinds.summary, ...contents.summary }),
  z.strictObject({ ...envelope, kind: kinds.round, ...contents.round }),
  z.strictObject({ ...envelope, kind: kinds.checkpoint, ...contents.checkpoint }),
  z.strictObject({ ...envelope, kind: kinds.event, ...contents.event }),
  z.strictObject({ ...envelope, kind: kinds.other, ...contents.other }),
]);

/** What an entry of a known kind says, as it is stored: its own fields, without those that all entries have. */
export const bodySchemas = {
  message: z.strictObject(contents.message),
  summary: z.strictObject(contents.summary),
  round: z.strictObject(contents.round),
  checkpoint: z.strictObject(contents.checkpoint),
  event: z.strictObject(contents.event),
} as const;

type ParsedEntry = z.infer<typeof entrySchema>;

const dayMs = 24 * 60 * 60 * 1000;

/**
 * Turns a value from outside into an entry: the short form `{"role","text"}` or a whole entry.
 *
 * Id and time are made where they are not given; `seq` and `session` of an exported entry are the log's own business
 * and do not count.
 */
export function parseNewEntry(
  value: unknown,
  make: { readonly now: Date; readonly entryId: () => EntryId },
): NewEntry {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new BadEntry("it must be an object");
  }
  if (isDeeperThan(value, maxDepth)) throw new BadEntry(`it is nested deeper than ${maxDepth} levels`);
  const { id, at, strand, parent, seq: _seq, session: _session, ...content } = parse(value);
  const { replaces, kept } = refersTo(content);
  for (const [field, name] of Object.entries({ id, strand, parent, replaces })) refuseSecret(field, name);
  for (const name of kept) refuseSecret("kept", name);
  return {
    ...(content as EntryContent),
    id: id === undefined ? make.entryId() : parseEntryId(id),
    at: at === undefined ? make.now : parseMoment(at, make.now),
    ...(strand === undefined ? {} : { strand: parseStrand(strand) }),
    ...(parent === undefined ? {} : { parent: parent === null ? null : parseEntryId(parent) }),
  };
}

/** Returns the entries that content refers to. */
function refersTo(content: Pick<ParsedEntry, "kind">): {
  readonly replaces?: string | null;
  readonly kept: readonly string[];
} {
  return { kept: [], ...content };
}

/** What things are known by is stored as it is, and can never be taken out again. */
function refuseSecret(field: string, name: string | null | undefined): void {
  if (typeof name === "string" && findSecrets(name).length > 0)
    throw new BadEntry(`${field} must not be a secret`);
}

/** A clock may be a little ahead; an entry from further ahead would stand before all others for as long. */
function parseMoment(text: string, now: Date): Date {
  const at = new Date(text);
  if (at.getTime() > now.getTime() + dayMs) throw new BadEntry(`at: ${at.toISOString()} is in the future`);
  return at;
}

function parse(value: object): ParsedEntry {
  if ("kind" in value) {
    const parsed = entrySchema.safeParse(value);
    if (!parsed.success) throw new BadEntry(describeIssue(parsed.error));
    if (parsed.data.kind === "event" && parsed.data.event === scrubbedEvent) throw new ScrubNoteRefused();
    // The value itself, not the copy that the schema makes: that leaves out keys such as __proto__.
    return value as ParsedEntry;
  }
  const parsed = shortMessageSchema.safeParse(value);
  if (!parsed.success) throw new BadEntry(describeIssue(parsed.error));
  const { text, ...rest } = parsed.data;
  return { ...rest, kind: "message", parts: [{ type: "text", text }] };
}

/** Says what is wrong with a value that a schema refuses, in words. */
export function describeIssue(error: ZodError): string {
  const [issue] = error.issues;
  if (issue === undefined) return "it has no known form";
  // The names of fields are the writer's, and are quoted.
  return hideSecrets(describeProblem(issue, issue.path.join("."))).slice(0, 300);
}

function describeProblem(issue: ZodError["issues"][number], field: string): string {
  const where = field === "" ? "it" : field;
  switch (issue.code) {
    case "invalid_type":
      return issue.message.endsWith("received undefined")
        ? `${where} is missing`
        : `${where} must be ${typeWords[issue.expected] ?? issue.expected}`;
    case "invalid_value":
      return `${where} must be one of ${issue.values.join(", ")}`;
    case "unrecognized_keys":
      return `${field === "" ? "" : `${field}: `}there is no field ${issue.keys.join(", ")}`;
    case "invalid_union":
      return `${where} is missing or unknown`;
    case "invalid_format":
      return issue.format === "datetime"
        ? `${where} must be a time such as 2026-11-15T14:30:22Z`
        : `${where} ${issue.message}`;
    default:
      return `${where}: ${issue.message}`;
  }
}

const typeWords: Readonly<Record<string, string>> = {
  array: "a list",
  boolean: "true or false",
  int: "a whole number",
  number: "a number",
  object: "an object",
  record: "an object",
  string: "a string",
};
