import { hash } from "node:crypto";
import type { Entry, JsonObject, Message, MessageContent } from "../../sessions/entry.ts";
import { type EntryId, mainStrand, type Strand } from "../../sessions/ids.ts";
import { hookStrand, toSeenMessage } from "../../sessions/observations.ts";
import { Counts, toBlock, toEventRow, toOutcome, userRow, wordsOf } from "./row-content.ts";

/** As what, and where, a session is to be resumed. */
export interface NativeTarget {
  /** The id by which the client is to know it. */
  readonly session: string;
  readonly cwd: string;
  readonly branch: string | null;
  /** The version of the client that is to have written it. */
  readonly version: string;
}

/** What became of the entries of a session: how many of a kind were kept, changed or left out, and why. */
export interface Fidelity {
  readonly kept: Readonly<Record<string, number>>;
  readonly changed: Readonly<Record<string, number>>;
  readonly leftOut: Readonly<Record<string, number>>;
}

/** The rows of one file of a session; `agent` is the subagent whose file it is, null for the session's own. */
export interface NativeFile {
  readonly agent: string | null;
  readonly rows: readonly JsonObject[];
}

/** A session as the client would have written it. */
export interface NativeSession {
  readonly files: readonly NativeFile[];
  /** The entry that each row was made of. */
  readonly entryOf: ReadonlyMap<string, EntryId>;
  readonly fidelity: Fidelity;
}

/**
 * Turns the entries of a session into the rows of its transcripts. Pure: the same entries give the same rows, and rows of
 * the client get the ids back that they had.
 *
 * Entries that stand for no row are passed over: what follows them follows their parent.
 */
export function toRows(entries: Iterable<Entry>, target: NativeTarget): NativeSession {
  const writer = new Writer(target);
  const all = [...entries];
  const known = new Set(all.map(({ id }) => id));
  const revised = all.filter(isRevision).filter(({ replaces }) => known.has(replaces));
  for (const entry of revised) writer.revise(entry);
  const passedOver = new Set<Entry>(revised);
  for (const entry of all) if (!passedOver.has(entry)) writer.write(entry);
  return writer.finish();
}

type Revision = Message & { readonly replaces: EntryId };

/** A row that came again with other content counts in its last form only. */
function isRevision(entry: Entry): entry is Revision {
  return entry.kind === "message" && entry.replaces !== undefined;
}

class Writer {
  readonly #target: NativeTarget;
  readonly #files = new Map<Strand, JsonObject[]>();
  /** The row that stands for each entry: its own, or that of its nearest ancestor that has one. */
  readonly #rowOf = new Map<string, string | null>();
  readonly #entryOf = new Map<string, EntryId>();
  readonly #leaves = new Map<Strand, string | null>();
  readonly #revisions = new Map<EntryId, Revision>();
  readonly #originals = new Map<EntryId, EntryId>();
  readonly #counts = { kept: new Counts(), changed: new Counts(), leftOut: new Counts() };
  #lastPrompt: string | undefined;
  #title: string | undefined;

  constructor(target: NativeTarget) {
    this.#target = target;
  }

  revise(revision: Revision): void {
    this.#revisions.set(revision.replaces, revision);
    this.#originals.set(revision.id, revision.replaces);
  }

  write(entry: Entry): void {
    const seen = toSeenMessage(entry);
    if (seen !== undefined) {
      this.#writeSeen(entry, seen);
      return;
    }
    const parent = this.#parentOf(entry);
    const before = this.#leaves.get(entry.strand) ?? null;
    const last = this.#writeEntry(entry, parent);
    this.#rowOf.set(entry.id, last ?? parent);
    if (entry.strand !== hookStrand) this.#leaves.set(entry.strand, last ?? before);
  }

  finish(): NativeSession {
    const leaf = this.#leaves.get(mainStrand) ?? null;
    const { session: sessionId } = this.#target;
    const main = [...(this.#files.get(mainStrand) ?? [])];
    if (this.#title !== undefined) main.push({ type: "ai-title", aiTitle: this.#title, sessionId });
    if (this.#lastPrompt !== undefined)
      main.push({ type: "last-prompt", lastPrompt: this.#lastPrompt, leafUuid: leaf, sessionId });
    const agents = [...this.#files].flatMap(([strand, rows]) => {
      const agent = agentOf(strand);
      return agent === undefined ? [] : [{ agent, rows }];
    });
    const { kept, changed, leftOut } = this.#counts;
    return {
      files: [{ agent: null, rows: main }, ...agents],
      entryOf: this.#entryOf,
      fidelity: { kept: kept.all, changed: changed.all, leftOut: leftOut.all },
    };
  }

  #parentOf({ parent }: Entry): string | null {
    return parent === null ? null : (this.#rowOf.get(this.#originals.get(parent) ?? parent) ?? null);
  }

  /** Returns the last row that stands for the entry; undefined where there is none. */
  #writeEntry(entry: Entry, parent: string | null): string | undefined {
    // What hooks noted for Carryon was never in a transcript.
    if (entry.strand === hookStrand) return undefined;
    if (entry.strand !== mainStrand && agentOf(entry.strand) === undefined) {
      this.#counts.leftOut.add("entry of another strand");
      return undefined;
    }
    switch (entry.kind) {
      case "message":
        return this.#writeMessage(entry, this.#revisions.get(entry.id) ?? entry, parent);
      case "summary":
        return this.#writeSummary(entry, entry);
      case "event":
        return this.#writeEvent(entry, entry, parent);
      case "round":
      case "checkpoint":
      case "other":
        this.#counts.leftOut.add(entry.kind === "other" ? "row of an unknown kind" : entry.kind);
        return undefined;
    }
  }

  /** What a hook saw of a turn that was killed before the client wrote it down stands where the talk did. */
  #writeSeen(entry: Entry, { role, parts }: MessageContent): void {
    const parent = this.#leaves.get(mainStrand) ?? null;
    if (role !== "user") {
      this.#counts.leftOut.add(`${role === "assistant" ? "call" : "result"} that only a hook saw`);
      return;
    }
    const uuid = this.#push({ ...entry, strand: mainStrand }, parent, userRow(wordsOf(parts)));
    this.#rowOf.set(entry.id, uuid);
    this.#leaves.set(mainStrand, uuid);
    this.#lastPrompt = wordsOf(parts);
    this.#counts.kept.add("prompt");
  }

  #writeMessage(entry: Entry, content: MessageContent, parent: string | null): string | undefined {
    const blocks = content.parts.flatMap((part) => toBlock(part, this.#counts));
    if (blocks.length === 0) return undefined;
    if (content.role === "assistant") return this.#writeAnswer(entry, content, blocks, parent);
    if (content.role === "user" && entry.strand === mainStrand) this.#lastPrompt = wordsOf(content.parts);
    const only = blocks.length === 1 ? blocks[0] : undefined;
    const plain = content.role === "user" && only?.type === "text" ? (only.text ?? "") : blocks;
    const result = blocks.find(({ type }) => type === "tool_result");
    this.#counts.kept.add(result === undefined ? "prompt" : "result");
    return this.#push(entry, parent, {
      ...userRow(plain),
      ...(result !== undefined && { toolUseResult: toOutcome(content.parts, result) }),
      ...(result !== undefined && parent !== null && { sourceToolAssistantUUID: parent }),
    });
  }

  /** The client writes a row for each block of an answer. */
  #writeAnswer(
    entry: Entry,
    { model, clientMessageId, usage = {}, parts }: MessageContent,
    blocks: readonly JsonObject[],
    parent: string | null,
  ): string {
    const calls = blocks.some(({ type }) => type === "tool_use");
    const message = {
      id: clientMessageId ?? `msg_${digestOf(entry.id).slice(0, 24)}`,
      ...{ type: "message", role: "assistant", model: model ?? "<synthetic>" },
      ...{ stop_reason: calls ? "tool_use" : "end_turn", stop_sequence: null },
      usage: {
        input_tokens: usage.inputTokens ?? 0,
        output_tokens: usage.outputTokens ?? 0,
        cache_read_input_tokens: usage.cacheReadTokens ?? 0,
        cache_creation_input_tokens: usage.cacheWriteTokens ?? 0,
      },
    };
    for (const part of parts) if (part.type === "tool-call") this.#counts.kept.add("call");
    if (parts.some(({ type }) => type === "text")) this.#counts.kept.add("answer");
    return blocks.reduce<string>(
      (above, block, at) =>
        this.#push(
          entry,
          at === 0 ? parent : above,
          { type: "assistant", message: { ...message, content: [block] } },
          at === 0 ? "" : `#${at}`,
        ),
      "",
    );
  }

  #writeSummary(entry: Entry, { text, replaces, kept = [] }: Extract<Entry, { kind: "summary" }>): string {
    const anchorUuid = this.#uuidOf(entry.id);
    const uuids = kept.flatMap((id) => this.#rowOf.get(id) ?? []);
    const boundary = this.#push(
      entry,
      null,
      {
        ...{ type: "system", subtype: "compact_boundary", content: "Conversation compacted", level: "info" },
        ...{
          isMeta: false,
          logicalParentUuid: replaces === null ? null : (this.#rowOf.get(replaces) ?? null),
        },
        compactMetadata: {
          ...{ trigger: "auto", preTokens: 0 },
          ...(uuids.length > 0 && { preservedMessages: { anchorUuid, uuids, allUuids: uuids } }),
        },
      },
      "#boundary",
    );
    this.#counts.kept.add("summary");
    return this.#push(entry, boundary, {
      ...userRow(text),
      ...{ isVisibleInTranscriptOnly: true, isCompactSummary: true },
    });
  }

  #writeEvent(entry: Entry, { event, data }: Extract<Entry, { kind: "event" }>, parent: string | null) {
    const text = typeof data.text === "string" ? data.text : "";
    if (event === "titled" && typeof data.title === "string") this.#title = data.title || undefined;
    const row = toEventRow(event, data, text);
    if (row !== undefined) return this.#push(entry, parent, row);
    if (!told.has(event)) this.#counts.leftOut.add(`${event} event`);
    return undefined;
  }

  #uuidOf(id: string, more = ""): string {
    if (more === "" && /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id)) return id;
    return toUuid(`${this.#target.session} ${id}${more}`);
  }

  #push(
    entry: Pick<Entry, "id" | "at" | "strand">,
    parentUuid: string | null,
    fields: JsonObject,
    more = "",
  ) {
    const { session: sessionId, cwd, branch, version } = this.#target;
    const agentId = agentOf(entry.strand);
    const uuid = this.#uuidOf(entry.id, more);
    const rows = this.#files.get(entry.strand) ?? [];
    this.#entryOf.set(uuid, entry.id);
    rows.push({
      ...{ parentUuid, isSidechain: agentId !== undefined, ...(agentId !== undefined && { agentId }) },
      ...fields,
      ...{ uuid, timestamp: entry.at.toISOString(), userType: "external", entrypoint: "cli" },
      ...{ cwd, sessionId, version, gitBranch: branch ?? "HEAD" },
    });
    this.#files.set(entry.strand, rows);
    return uuid;
  }
}

/** Events that say nothing which the rows do not. */
const told: ReadonlySet<string> = new Set(["titled", "tagged", "started", "ended", "stopped", "found"]);

function agentOf(strand: Strand): string | undefined {
  return strand.startsWith("agent-") ? strand.slice("agent-".length) : undefined;
}

function digestOf(text: string): string {
  return hash("sha256", text, "hex");
}

/** Returns a UUID that the same text gives again. */
function toUuid(text: string): string {
  const digits = digestOf(text);
  const variant = "89ab"[Number.parseInt(digits[16] ?? "0", 16) % 4];
  return [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `8${digits.slice(13, 16)}`,
    `${variant}${digits.slice(17, 20)}`,
    digits.slice(20, 32),
  ].join("-");
}
