import * as z from "zod";
import type { Json } from "./entry.ts";

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
export const shortMessageSchema = z.strictObject({ ...envelope, role, text: z.string() });

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

export type ParsedEntry = z.infer<typeof entrySchema>;
