import type { Clock } from "../lib/clock.ts";
import type { RandomSource } from "../lib/uuid-v7.ts";
import { type Entry, messageText, type NewEntry } from "../sessions/entry.ts";
import { makeEntryId, type Strand } from "../sessions/ids.ts";
import { mergedEvent } from "../sessions/make-merge-block.ts";
import { isMergedId } from "../sessions/merged-id.ts";
import { nextMoment } from "../sessions/session-events.ts";
import type { SessionTarget } from "../sessions/session-writer.ts";
import { runNotes } from "./prompts.ts";
import { parseReply } from "./ruling.ts";
import { type Draft, toEntries } from "./run-entries.ts";
import { emptyRun, followRun, instructorStrand, type RunState, workerStrand } from "./run-state.ts";

/** What is known of a run: where it stands, and what was said on its strands. It changes only by what is on disk. */
export class RunRecord {
  readonly #target: SessionTarget;
  readonly #time: { readonly clock: Clock; readonly random: RandomSource };
  readonly #strands: ReadonlyMap<Strand, Entry[]>;
  /** Everything that is on disk, in order. */
  readonly #entries: Entry[] = [];
  /** What a merge is bringing from another run. */
  readonly #brought: Entry[] = [];
  #state: RunState = emptyRun;
  #last: Date;

  constructor(target: SessionTarget, time: { readonly clock: Clock; readonly random: RandomSource }) {
    this.#target = target;
    this.#time = time;
    this.#last = target.since;
    this.#strands = new Map([
      [instructorStrand, []],
      [workerStrand, []],
    ]);
  }

  get state(): RunState {
    return this.#state;
  }

  /** Everything that is on disk, in order. */
  get entries(): readonly Entry[] {
    return this.#entries;
  }

  /** Returns what was said on a strand, in order. */
  strand(strand: Strand): readonly Entry[] {
    return this.#strands.get(strand) ?? [];
  }

  /** Takes an entry that the log has. */
  take(entry: Entry): void {
    this.#entries.push(entry);
    this.#state = followRun(this.#state, entry);
    if (isMergedId(entry.id)) this.#brought.push(entry);
    else if (entry.kind === "message") this.#strands.get(entry.strand)?.push(entry);
    else if (entry.kind === "event" && entry.event === mergedEvent) this.#tellBrought(entry);
    if (entry.at > this.#last) this.#last = entry.at;
  }

  #tellBrought({ id, session, seq, parent, at }: Entry): void {
    const text = describeMerged(this.#brought.splice(0));
    this.#strands.get(instructorStrand)?.push({
      ...{ id, session, seq, parent, at, strand: instructorStrand },
      ...{ kind: "message", role: "user", parts: [{ type: "text", text }] },
    });
  }

  /** Appends entries, all or none, and returns after they are on disk. */
  async append(drafts: readonly Draft[]): Promise<void> {
    const entries = toEntries(drafts, () => {
      const now = this.#time.clock.now();
      // Of two events the later one counts, also under a clock that was set back.
      this.#last = nextMoment(now, this.#last);
      return { id: makeEntryId(now, this.#time.random), at: this.#last };
    });
    const receipts = await this.#target.append(entries);
    entries.forEach((entry, index) => {
      this.take(this.#toRecorded(entry, receipts[index]?.seq ?? 0));
    });
  }

  #toRecorded(entry: NewEntry, seq: number): Entry {
    const { strand = instructorStrand, parent = null, ...rest } = entry;
    return { ...rest, session: this.#target.session, seq, parent, strand };
  }
}

/** How long what is told of a round, and all of it, may be. */
const [longest, most] = [600, 20_000];

/**
 * Returns what an instructor is told of a run that was merged into its own: the task, the rounds with their reports, the end.
 *
 * The talk itself is in the log; put into the middle of another one it would read as if this run had said it.
 */
function describeMerged(entries: readonly Entry[]): string {
  const lines = entries.flatMap(describeEntry).map(cut);
  return `${runNotes.merged}\n\n${lines.join("\n")}`.slice(0, most).toWellFormed();
}

function describeEntry(entry: Entry): readonly string[] {
  if (entry.kind === "round") return [`Round ${entry.number} ends.`];
  if (entry.kind !== "message" || entry.strand !== instructorStrand || entry.interrupted === true) return [];
  switch (entry.role) {
    case "user":
      return [`The user: ${messageText(entry)}`];
    case "assistant": {
      const reply = parseReply(entry);
      if (reply.type === "unclear") return [];
      const { instruction, summary } = reply.ruling;
      return [summary === "" ? `Instruction: ${instruction}` : `The end: ${summary}`];
    }
    case "tool":
      return entry.parts.flatMap((part) =>
        part.type === "tool-result" && part.output !== runNotes.ended ? [`Report: ${part.output}`] : [],
      );
  }
}

function cut(line: string): string {
  return line.length > longest ? `${line.slice(0, longest).toWellFormed()}…` : line;
}
