import { hash } from "node:crypto";
import { isTracked } from "../git/kept-out.ts";
import { usageError } from "../lib/app-error.ts";
import { readFields } from "../lib/field-readers.ts";
import type { Entry, JsonObject } from "../sessions/entry.ts";
import type { EntryId } from "../sessions/ids.ts";
import {
  addToRecord,
  type ProjectRecord,
  type RecordSite,
  readOthersRecords,
  readRecord,
} from "../sessions/project-record.ts";
import { fieldOf } from "../sessions/tool-runs.ts";
import { isSurelyTrusted } from "../workspace/trust.ts";
import type { Blocker } from "./blocker.ts";
import { type OwnRun, parseOwnRun } from "./blockers/own-run.ts";
import { renderWorkState, toKeptState, toWireBlocker } from "./render-work-state.ts";
import { parseWorkState, readBlocker } from "./state/parse-work-state.ts";
import type { WorkDesk } from "./work-desk.ts";
import { locateState, type WorkState } from "./work-state.ts";

/** How far back to look for what was written down. */
const entriesToSearch = 200;
/** How many are read before it is known that more are needed. */
const entriesAtFirst = 8;
/** How much of what a command printed is kept: the end says how it went. */
const keptOutput = 16_384;

/** What the log notes beside a state, and its file does not say. */
export interface WorkNotes {
  /** When a person last said what the tasks are. */
  readonly tasksToldAt?: Date | undefined;
  /** When another task was begun: what failed before it is no blocker any more. */
  readonly begunAt?: Date | undefined;
  /** The hash of the approved command by which recovery was tried last. */
  readonly recoveryCommand?: string | undefined;
}

/** A state that was written down. */
export interface Checkpoint {
  readonly id: EntryId;
  /** When it was written down: a blocker that comes or goes makes another checkpoint of the same save. */
  readonly at: Date;
  readonly state: WorkState;
  readonly notes: WorkNotes;
  /** The other machine that it was made on; undefined where it was made in this folder. */
  readonly machine?: string;
}

/** A checkpoint of another machine. */
export interface CheckpointElsewhere extends Checkpoint {
  readonly machine: string;
}

/** A blocker that was resolved, and when. */
export interface Resolution {
  readonly blocker: Blocker;
  readonly at: Date;
}

/** What was written down from a moment on, and the notes beside the newest state. */
interface SinceThen {
  readonly notes: WorkNotes;
  readonly runs: readonly OwnRun[];
  readonly resolutions: readonly Resolution[];
}

/** A checkpoint, and the digest of its state as the file had it. */
interface Found extends Checkpoint {
  readonly digest: unknown;
}

/**
 * Returns what a state is known by: the hash of its text in the file.
 *
 * The log hides secrets also where the file needs the text as it is, such as in the name of a file.
 */
function digestOf(state: WorkState): string {
  const parsed = parseWorkState(renderWorkState(state));
  // Read back, because what is empty may be the same as what is not there.
  return hash("sha256", renderWorkState(parsed.type === "state" ? parsed.state : state), "hex");
}

/** Returns the checkpoint that an entry holds, if any. */
function toCheckpoint(entry: Entry): readonly Found[] {
  if (entry.kind !== "checkpoint") return [];
  const parsed = parseWorkState(JSON.stringify(entry.state));
  if (parsed.type !== "state") return [];
  const { digest, tasks_told_at, blocker_resolved_at, blocker } = entry.state;
  // 0.1.0 had it in the blocker.
  const tried = entry.state.recovery_command ?? fieldOf(blocker, "recovery_command");
  const notes = {
    tasksToldAt: toDate(tasks_told_at),
    begunAt: toDate(blocker_resolved_at),
    recoveryCommand: typeof tried === "string" ? tried : undefined,
  };
  return [{ id: entry.id, at: entry.at, state: parsed.state, notes, digest }];
}

function toDate(value: unknown): Date | undefined {
  return typeof value === "string" && !Number.isNaN(Date.parse(value)) ? new Date(value) : undefined;
}

/** What Carryon has written down of the work in a project: a checkpoint for each save, and what it ran itself. */
export class WorkRecord {
  readonly #record: ProjectRecord;
  readonly #site: RecordSite;

  constructor(site: RecordSite) {
    this.#site = site;
    this.#record = { site, prefix: "work-state-", title: "session-state.json" };
  }

  /** Writes a state down, with what is new of its notes. When it returns, it is on disk. */
  async keep(state: WorkState, changed: WorkNotes = {}): Promise<void> {
    const { tasksToldAt, begunAt, recoveryCommand } = { ...(await this.notes()), ...changed };
    const notes = {
      tasks_told_at: tasksToldAt?.toISOString() ?? null,
      blocker_resolved_at: begunAt?.toISOString() ?? null,
      recovery_command: recoveryCommand ?? null,
    };
    const wire = { ...toKeptState(state), ...notes, root: this.#site.root, digest: digestOf(state) };
    await addToRecord(this.#record, { kind: "checkpoint", state: wire as JsonObject });
  }

  /** Writes a state down, and before it the one that it replaces, where that was written by hand and is not in the log. */
  async keepReplacing(replaced: WorkState | undefined, state: WorkState, changed?: WorkNotes): Promise<void> {
    if (replaced !== undefined && !(await this.knows(replaced))) await this.keep(replaced);
    await this.keep(state, changed);
  }

  /** Writes down how a command ended that Carryon ran. */
  async keepRun({ check, command, exitCode, output }: Omit<OwnRun, "at" | "entry">): Promise<void> {
    const data = { check, command, exitCode, output: output.slice(-keptOutput), root: this.#site.root };
    await addToRecord(this.#record, { kind: "event", event: "ran", data });
  }

  /** Writes down how a blocker was resolved. */
  async keepResolution(blocker: Blocker, how: string): Promise<void> {
    const data = { blocker: toWireBlocker(blocker), how, root: this.#site.root };
    await addToRecord(this.#record, { kind: "event", event: "resolved", data });
  }

  /** Returns the checkpoints of this folder, and of the project on other machines, among the newest entries, the newest first. */
  async list(): Promise<readonly Checkpoint[]> {
    const found = await this.#checkpoints(entriesToSearch);
    const all = [...found, ...(await this.#elsewhere(entriesToSearch))].toReversed();
    return all.toSorted((one, other) => other.at.getTime() - one.at.getTime());
  }

  /** Returns the newest state of this folder that was written down. */
  async newest(): Promise<WorkState | undefined> {
    return (await this.#newest())?.state;
  }

  /** Returns the notes beside the newest state of this folder. */
  async notes(): Promise<WorkNotes> {
    return (await this.#newest())?.notes ?? {};
  }

  #newest(): Promise<Found | undefined> {
    return this.#findLast(() => true);
  }

  async #findLast(isIt: (found: Found) => boolean): Promise<Found | undefined> {
    for (const count of [entriesAtFirst, entriesToSearch]) {
      const found = (await this.#checkpoints(count)).findLast(isIt);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** Returns the newest checkpoint that was made on another machine, wherever the project is there. */
  async newestElsewhere(): Promise<CheckpointElsewhere | undefined> {
    return (await this.#elsewhere(entriesAtFirst)).at(-1);
  }

  /** Tells whether a state was written down here as it is: any other came from somebody else. */
  async knows(state: WorkState): Promise<boolean> {
    const digest = digestOf(state);
    const isIt = (each: Found) => each.digest === digest || digestOf(each.state) === digest;
    return (await this.#findLast(isIt)) !== undefined;
  }

  async #elsewhere(count: number): Promise<readonly CheckpointElsewhere[]> {
    const others = await readOthersRecords(this.#record, count);
    return others.flatMap(({ entry, machine }) =>
      toCheckpoint(entry).map((found) => ({ ...found, machine })),
    );
  }

  async #checkpoints(count: number): Promise<readonly Found[]> {
    const found: Found[] = [];
    for await (const entry of readRecord(this.#record, count)) {
      if (entry.kind === "checkpoint" && entry.state.root === this.#site.root)
        found.push(...toCheckpoint(entry));
    }
    return found;
  }

  /** Returns what Carryon ran, and what was resolved, in this folder from a moment on, oldest first. */
  async since(since: Date | undefined): Promise<SinceThen> {
    const entries = (await this.#newestSince(since)).filter((entry) => rootOf(entry) === this.#site.root);
    const last = entries.findLast(({ kind }) => kind === "checkpoint");
    const events = entries.filter(isEvent).filter(({ at }) => since === undefined || at >= since);
    return {
      notes: (last && toCheckpoint(last)[0]?.notes) ?? {},
      runs: events.flatMap((entry) => toRun(entry) ?? []),
      resolutions: events.flatMap((entry) => toResolution(entry) ?? []),
    };
  }

  /** Reads from the end, because a checkpoint may name a thousand files. Some that are older may be among them. */
  async #newestSince(since: Date | undefined): Promise<readonly Entry[]> {
    for (let count = entriesAtFirst; ; count *= 4) {
      const entries = await Array.fromAsync(readRecord(this.#record, Math.min(count, entriesToSearch)));
      const isAll = entries.length < count || count >= entriesToSearch;
      if (isAll || (since !== undefined && entries.some(({ at }) => at < since))) return entries;
    }
  }
}

type Event = Extract<Entry, { readonly kind: "event" }>;

/** Returns the folder of the project that an entry was written down in. */
function rootOf(entry: Entry): unknown {
  if (entry.kind === "checkpoint") return entry.state.root;
  return isEvent(entry) ? entry.data.root : undefined;
}

function isEvent(entry: Entry): entry is Event {
  return entry.kind === "event";
}

function toRun(entry: Event): OwnRun | undefined {
  return entry.event === "ran" ? parseOwnRun(entry.data, entry) : undefined;
}

function toResolution({ event, data, at }: Event): Resolution | undefined {
  const read = event === "resolved" ? readFields(readBlocker, data.blocker) : undefined;
  return read?.type === "read" ? { blocker: read.value, at } : undefined;
}

/** Tells whether a state is the user's: one that the log does not have came with the repository, or from elsewhere. */
export function isOwnState({ site }: WorkDesk, state: WorkState): Promise<boolean> {
  return new WorkRecord(site).knows(state);
}

/**
 * Tells whether what a state says may be taken over: it is the user's, the project is trusted, or the file cannot have come
 * with the repository, because git does not track it.
 */
export async function mayTakeOver(desk: WorkDesk, state: WorkState): Promise<boolean> {
  if ((await isOwnState(desk, state)) || (await isSurelyTrusted(desk.home, desk.site.project))) return true;
  const { root } = desk.site;
  return desk.git !== undefined && !(await isTracked(root, locateState(root)));
}

/** Refuses to change a state of somebody else: it would become the user's by that. */
export async function refuseForeign(desk: WorkDesk, state: WorkState): Promise<void> {
  if (await mayTakeOver(desk, state)) return;
  throw usageError(
    "foreign-state",
    `${locateState(desk.site.root)} was not written by you here, and is left as it is.`,
    {
      hint: "Save your own with `carryon save`, which keeps this one aside, or trust the project with `carryon trust`.",
    },
  );
}
