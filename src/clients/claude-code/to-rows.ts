import { join } from "node:path";
import type { Entry, Json, JsonObject, Message, MessageContent } from "../../sessions/entry.ts";
import { type EntryId, mainStrand, type Strand } from "../../sessions/ids.ts";
import { hookStrand, toSeenMessage } from "../../sessions/observations.ts";
import type { NativeSession, NativeTarget } from "../client.ts";
import { HeardPrompts } from "./heard-prompts.ts";
import { makeSlug } from "./locate.ts";
import { OpenCalls } from "./open-calls.ts";
import {
  type BlockCounts,
  boundaryRow,
  Counts,
  describeEvent,
  resultRow,
  toAnswer,
  toBlock,
  toEventRow,
  userRow,
  wordsOf,
} from "./row-content.ts";
import { agentOf, fileOf, toUuid, uuid, workerStrand } from "./row-ids.ts";
import { walkTalk } from "./walk-talk.ts";

/**
 * Turns the entries of a session into the rows of its transcripts. Pure: the same entries give the same rows, and rows of
 * the client get the ids back that they had.
 *
 * Entries that stand for no row are passed over: what follows them follows their parent.
 */
export function toRows(entries: Iterable<Entry>, target: NativeTarget): NativeSession {
  const all = [...entries];
  const writer = new Writer(target, new HeardPrompts(all));
  const revisions = all.filter(isRevision);
  const known = new Set(revisions.length === 0 ? [] : all.map(({ id }) => id));
  const revised = revisions.filter(({ replaces }) => known.has(replaces));
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
  readonly #heard: HeardPrompts;
  readonly #files = new Map<Strand, JsonObject[]>();
  /** The row that stands for each entry: its own, or that of its nearest ancestor that has one. */
  readonly #rowOf = new Map<string, string | null>();
  /** The entry of each row of the talk. */
  readonly #talk: Entry[] = [];
  readonly #leaves = new Map<Strand, string | null>();
  readonly #revisions = new Map<EntryId, Revision>();
  readonly #originals = new Map<EntryId, EntryId>();
  readonly #counts = { kept: new Counts(), changed: new Counts(), leftOut: new Counts() };
  readonly #calls = new OpenCalls();
  #lastPrompt: string | undefined;

  constructor(target: NativeTarget, heard: HeardPrompts) {
    this.#target = target;
    this.#heard = heard;
  }

  revise(revision: Revision): void {
    this.#revisions.set(revision.replaces, revision);
    this.#originals.set(revision.id, revision.replaces);
  }

  write(entry: Entry): void {
    if (this.#heard.has(entry)) return;
    const seen = toSeenMessage(entry);
    if (seen !== undefined) {
      this.#writeSeen(entry, seen);
      return;
    }
    const strand = fileOf(entry.strand);
    const parent = this.#hear(entry, this.#parentOf(entry));
    const last = strand === undefined ? undefined : this.#writeEntry(entry, parent);
    this.#rowOf.set(entry.id, last ?? parent);
    // What hooks noted for Carryon was never in a transcript.
    if (strand === undefined && entry.strand !== hookStrand)
      this.#counts.leftOut.add(`entry of the strand ${entry.strand}`);
    if (strand !== undefined && last !== undefined) this.#leaves.set(strand, last);
  }

  finish(): NativeSession {
    const last = this.#talk.at(-1)?.at;
    for (const entry of this.#heard.take())
      if (last === undefined || entry.at > last) this.#writeSeen(entry);
      else this.#counts.leftOut.add("prompt that was typed while the model worked");
    this.#closeCalls();
    const leaf = this.#leaf;
    const { id: sessionId, cwd, title = "" } = this.#target;
    const main = [...(this.#files.get(mainStrand) ?? [])];
    if (title !== "" && main.length > 0) main.push({ type: "ai-title", aiTitle: title, sessionId });
    if (this.#lastPrompt !== undefined)
      main.push({ type: "last-prompt", lastPrompt: this.#lastPrompt, leafUuid: leaf, sessionId });
    const rows = this.#files.get(mainStrand) ?? [];
    const { given, others } = walkTalk(
      rows.map((row, at) => ({ row, entry: this.#talk[at] })),
      leaf,
    );
    for (const _ of others) this.#counts.leftOut.add("prompt of another path");
    const folder = join("projects", makeSlug(cwd));
    const agents = [...this.#files].flatMap(([strand, rows]) => {
      const agent = agentOf(strand);
      if (agent === undefined) return [];
      this.#counts.kept.add("subagent");
      return [{ path: join(folder, sessionId, "subagents", `agent-${agent}.jsonl`), agent, rows }];
    });
    const { kept, changed, leftOut } = this.#counts;
    return {
      files: [{ path: join(folder, `${sessionId}.jsonl`), agent: null, rows: main }, ...agents],
      context: [...given],
      fidelity: { kept: kept.all, changed: changed.all, leftOut: leftOut.all },
    };
  }

  get #leaf(): string | null {
    return this.#leaves.get(mainStrand) ?? null;
  }

  /**
   * What the worker of a run does first follows what was said before, although its strand begins with it. So does an answer
   * or a result without a parent, whose row was lost: no talk begins with one.
   */
  #parentOf(entry: Entry): string | null {
    const { parent, strand } = entry;
    const known = parent === null ? null : (this.#rowOf.get(this.#originals.get(parent) ?? parent) ?? null);
    const isLater = entry.kind === "message" && entry.role !== "user" && strand === mainStrand;
    return known === null && (isLater || strand === workerStrand) ? this.#leaf : known;
  }

  /** Writes the prompts that the model heard before an entry; returns the row that the entry follows then. */
  #hear(entry: Entry, parent: string | null): string | null {
    const isPiece = entry.kind === "message" && entry.role === "assistant" && this.#isAnswering;
    const isNext = entry.kind === "message" && entry.role !== "tool" && parent === this.#leaf && !isPiece;
    if (!(isNext || entry.kind === "summary") || fileOf(entry.strand) !== mainStrand) return parent;
    if (this.#calls.open.size > 0) return parent;
    const heard = this.#heard.take(entry.at);
    for (const each of heard) this.#writeSeen(each);
    return heard.length === 0 ? parent : this.#leaf;
  }

  /** The client writes an answer in pieces, between which nothing stands. */
  get #isAnswering(): boolean {
    const last = this.#talk.at(-1);
    return last?.kind === "message" && last.role === "assistant";
  }

  /** Returns the last row that stands for the entry; undefined where there is none. */
  #writeEntry(entry: Entry, parent: string | null): string | undefined {
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
  #writeSeen(entry: Entry, content = toSeenMessage(entry)): void {
    const message = content && this.#calls.name(entry, content);
    if (message === undefined) {
      this.#counts.leftOut.add("result that only a hook saw, without its call");
      return;
    }
    const row = this.#writeMessage({ ...entry, strand: mainStrand }, message, this.#leaf);
    if (row === undefined) return;
    this.#rowOf.set(entry.id, row);
    this.#leaves.set(mainStrand, row);
  }

  /** The client would drop a call at the end of the talk that has no result. */
  #closeCalls(): void {
    for (const [call, entry] of this.#calls.open) {
      const block = { type: "tool_result", tool_use_id: call, content: noResult, is_error: true };
      const row = { ...userRow([block]), toolUseResult: noResult };
      this.#leaves.set(mainStrand, this.#push(entry, this.#leaf, row, `#${call}`));
      this.#counts.kept.add("call");
      this.#counts.changed.add("call without a result, closed as interrupted");
    }
  }

  #writeMessage(entry: Entry, content: MessageContent, parent: string | null): string | undefined {
    const isTalk = fileOf(entry.strand) === mainStrand;
    const said = content.parts.flatMap((part) => toBlock(part, this.#countsFor(entry, content)));
    const blocks = isTalk ? this.#calls.follow(entry, content, said, this.#counts) : said;
    if (blocks.length === 0) return undefined;
    const isAnswer = content.role === "assistant";
    if (isTalk && isAnswer && blocks.some(({ type }) => type === "text")) this.#counts.kept.add("answer");
    if (isAnswer) return this.#writeAnswer(entry, content, blocks, parent);
    const result = blocks.find(({ type }) => type === "tool_result");
    if (result !== undefined) return this.#push(entry, parent, resultRow(blocks, content.parts, parent));
    if (isTalk) this.#lastPrompt = wordsOf(content.parts);
    if (isTalk) this.#counts.kept.add("prompt");
    const [only, ...others] = blocks;
    return this.#push(
      entry,
      parent,
      userRow(only?.type === "text" && others.length === 0 ? (only.text ?? "") : blocks),
    );
  }

  #countsFor({ id }: Entry, { model = "claude" }: MessageContent): BlockCounts {
    const isNative = uuid.test(id);
    // Other models sign their thoughts too, and the client's provider takes only those of its own.
    return { ...this.#counts, isNative, takesThoughts: isNative || /claude/i.test(model) };
  }

  /** The client writes a row for each block of an answer. A model takes no conversation in which it speaks first. */
  #writeAnswer(
    entry: Entry,
    content: MessageContent,
    blocks: readonly JsonObject[],
    before: string | null,
  ): string {
    const message = toAnswer(entry, content, blocks);
    const begin = { ...userRow("The conversation begins with an answer."), isMeta: true };
    let parent = before ?? this.#push(entry, null, begin, "#begin");
    for (const [at, block] of blocks.entries()) {
      const row =
        block.type === "tool_result"
          ? resultRow([block], [], parent)
          : { type: "assistant", message: { ...message, content: [block] } };
      parent = this.#push(entry, parent, row, at === 0 ? "" : `#${at}`);
    }
    return parent;
  }

  #writeSummary(entry: Entry, { text, replaces, kept = [] }: Extract<Entry, { kind: "summary" }>): string {
    const uuids = kept.flatMap((id) => this.#rowOf.get(id) ?? []);
    const before = replaces === null ? null : (this.#rowOf.get(replaces) ?? null);
    const fields = boundaryRow(before, { anchorUuid: this.#uuidOf(entry.id), uuids });
    const boundary = this.#push(entry, null, fields, "#boundary");
    this.#counts.kept.add("summary");
    return this.#push(entry, boundary, {
      ...userRow(text),
      ...{ isVisibleInTranscriptOnly: true, isCompactSummary: true },
    });
  }

  #writeEvent(entry: Entry, { event, data }: Extract<Entry, { kind: "event" }>, parent: string | null) {
    const text = typeof data.text === "string" ? data.text : "";
    const row = toEventRow(event, data, text);
    if (row !== undefined) return this.#push(entry, parent, row);
    this.#counts.leftOut.add(describeEvent(event));
    return undefined;
  }

  #uuidOf(id: string, more = ""): string {
    return more === "" && uuid.test(id) ? id : toUuid(`${this.#target.id} ${id}${more}`);
  }

  /** A row whose id is not that of its entry names the entry, as a copy does that the SDK makes. */
  #push(entry: Entry, parentUuid: string | null, fields: JsonObject, more = "") {
    const { id: sessionId, session, cwd, branches, version = usualVersion } = this.#target;
    const agentId = agentOf(entry.strand);
    const own = this.#uuidOf(entry.id, more);
    const strand = agentId === undefined ? mainStrand : entry.strand;
    const rows = this.#files.get(strand) ?? [];
    if (strand === mainStrand) this.#talk.push(entry);
    // Not of several objects that are joined: each of 40,000 rows would cost a third more.
    const row: Record<string, Json> = {
      parentUuid,
      isSidechain: agentId !== undefined,
      ...fields,
      uuid: own,
      timestamp: entry.at.toISOString(),
      userType: "external",
      entrypoint: "cli",
      cwd,
      sessionId,
      version,
      gitBranch: branches.get(entry.session) ?? "HEAD",
    };
    if (agentId !== undefined) row.agentId = agentId;
    if (own !== entry.id) row.forkedFrom = { sessionId: session, messageUuid: entry.id };
    rows.push(row);
    this.#files.set(strand, rows);
    return own;
  }
}

/** Written for sessions of which the client's version is not known. */
const usualVersion = "2.1.325";

export const noResult = "No result was recorded: the session was interrupted.";
