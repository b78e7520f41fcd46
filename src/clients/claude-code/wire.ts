import { isDeeperThan } from "../../lib/json.ts";
import { type Json, type JsonObject, maxDepth } from "../../sessions/entry.ts";
import { type EntryId, isName } from "../../sessions/ids.ts";
import { keyOf } from "./queued-key.ts";

/** A row that is one link of a conversation: a prompt, a piece of an answer, a tool's result, something attached. */
export interface ChainRow {
  readonly family: "chain";
  /** `user`, `assistant`, `system`, `attachment`, `progress`, or what a newer client writes. */
  readonly type: string;
  readonly uuid: EntryId;
  readonly parentUuid: string | null;
  /** The row exactly as the client wrote it. */
  readonly fields: JsonObject;
}

/** A row that says something about the session: its title, a tag, where it ended. */
export interface StateRow {
  readonly family: "state";
  readonly type: StateType;
  readonly fields: JsonObject;
}

/** A row of a type that this version does not know. */
interface UnknownRow {
  readonly family: "unknown";
  readonly type: string;
}

/** A value that is no row at all. */
export interface Rejected {
  readonly family: "rejected";
  readonly reason: string;
}

export type Row = ChainRow | StateRow | UnknownRow;

/** The state rows that are acted on. */
const stateTypes = [
  "custom-title",
  "ai-title",
  "summary",
  "tag",
  "last-prompt",
  "relocated",
  "pr-link",
  "queue-operation",
] as const;
type StateType = (typeof stateTypes)[number] | "bookkeeping";

/** What the client keeps for itself: requests, snapshots, latches, costs. Nothing of it is recorded. */
const bookkeeping: ReadonlySet<string> = new Set(
  `agent-color agent-name agent-setting api-request api-request-blob api-request-shape artifact-autoreact-ledger
  artifact-comment-monitor atis-latch attribution-snapshot bridge-session content-replacement continued-in cost-state
  data-flow-incomplete data-flow-records derived-from dev-mods ended-by-model file-history-delta
  file-history-snapshot fork-context-ref frame-link history-suppression isolation-latch memory-mode mode observer-ref
  permission-mode repl-mode resume-head-vouch session-owner tools-used worktree-state`.split(/\s+/),
);

const chainTypes: ReadonlySet<string> = new Set(["user", "assistant", "system", "attachment", "progress"]);

/** Reads a line of a transcript. Unknown fields do not count, unknown types are no fault. */
export function toRow(value: unknown): Row | Rejected {
  if (!isJsonObject(value)) return rejected("not an object");
  const { type } = value;
  if (typeof type !== "string") return rejected("no type");
  if (type === "queue-operation") return toQueueRow(value);
  if (isStateType(type)) return { family: "state", type, fields: value };
  if (bookkeeping.has(type)) return { family: "state", type: "bookkeeping", fields: {} };
  if (chainTypes.has(type) || "parentUuid" in value) return toChainRow(type, value);
  return { family: "unknown", type };
}

/** Only what is put into the queue has words; the digest is that of the words before secrets are taken out of them. */
function toQueueRow({ operation, timestamp = null, content }: JsonObject): StateRow {
  if (operation !== "enqueue") return { family: "state", type: "bookkeeping", fields: {} };
  const text = blocksOf(content)
    .flatMap((block) => textOf(block, "text") ?? [])
    .join("\n");
  const fields = { timestamp, content: text, ...keyOf(text) };
  return { family: "state", type: "queue-operation", fields };
}

function toChainRow(type: string, fields: JsonObject): ChainRow | Rejected {
  const { uuid, parentUuid } = fields;
  if (typeof uuid !== "string" || !isName(uuid)) return rejected("no valid uuid");
  if (isDeeperThan(fields, maxDepth)) return rejected(`nested deeper than ${maxDepth} levels`);
  const parent = typeof parentUuid === "string" ? parentUuid : null;
  return { family: "chain", type, uuid: uuid as EntryId, parentUuid: parent, fields };
}

function rejected(reason: string): Rejected {
  return { family: "rejected", reason };
}

function isStateType(type: string): type is (typeof stateTypes)[number] {
  return (stateTypes as readonly string[]).includes(type);
}

/** Tells an object of JSON from its other values. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns the field if it is a string that says something. */
export function textOf(fields: JsonObject, name: string): string | undefined {
  const value = fields[name];
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** Returns the field if it is an object; one without fields stands for anything else. */
export function objectOf(fields: JsonObject, name: string): JsonObject {
  const value = fields[name];
  return isJsonObject(value) ? value : {};
}

/** Returns the blocks of a message: its text as one block where the client wrote only text. */
export function blocksOf(content: Json | undefined): readonly JsonObject[] {
  if (typeof content === "string") return content === "" ? [] : [{ type: "text", text: content }];
  return Array.isArray(content) ? content.filter(isJsonObject) : [];
}
