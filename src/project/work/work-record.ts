import type { Entry, JsonObject } from "../../conversation/entry.ts";
import type { Blocker } from "../../work/blockers/blocker.ts";
import { parseWorkState } from "../../work/state/parse-work-state.ts";
import { renderWorkState, toWireBlocker, toWireState } from "../../work/state/render-work-state.ts";
import type { WorkState } from "../../work/state/work-state.ts";
import { ProjectRecord, type RecordSite } from "../project-record.ts";
import { type OwnRun, parseOwnRun } from "./own-run.ts";

/** How far back to look for what was written down. */
const entriesToSearch = 200;
/** How many are read before it is known that more are needed. */
const entriesAtFirst = 8;
/** How much of what a command printed is kept: the end says how it went. */
const keptOutput = 16_384;

/** What Carryon has written down of the work in a project: a checkpoint for each save, and what it ran itself. */
export class WorkRecord {
  readonly #record: ProjectRecord;
  readonly #site: RecordSite;

  constructor(site: RecordSite) {
    this.#site = site;
    this.#record = new ProjectRecord(site, { prefix: "work-state-", title: "session-state.json" });
  }

  /** Writes a state down. When it returns, it is on disk. */
  async keep(state: WorkState): Promise<void> {
    const wire = { ...toWireState(state), root: this.#site.root };
    await this.#record.add({ kind: "checkpoint", state: wire as JsonObject });
  }

  /** Writes down how a command ended that Carryon ran. */
  async keepRun({ check, command, exitCode, output }: Omit<OwnRun, "at">): Promise<void> {
    const data = { check, command, exitCode, output: output.slice(-keptOutput), root: this.#site.root };
    await this.#record.add({ kind: "event", event: "ran", data });
  }

  /** Writes down how a blocker was resolved. */
  async keepResolution(blocker: Blocker, how: string): Promise<void> {
    const data = { blocker: toWireBlocker(blocker), how, root: this.#site.root };
    await this.#record.add({ kind: "event", event: "resolved", data });
  }

  /** Returns the newest state of this folder that was written down. */
  async newest(): Promise<WorkState | undefined> {
    for (const count of [entriesAtFirst, entriesToSearch]) {
      const state = (await this.#states(count)).at(-1);
      if (state !== undefined) return state;
    }
    return undefined;
  }

  /** Tells whether a state was written down here as it is: any other came from somebody else. */
  async knows(state: WorkState): Promise<boolean> {
    const text = renderWorkState(state);
    for (const count of [entriesAtFirst, entriesToSearch])
      if ((await this.#states(count)).some((each) => renderWorkState(each) === text)) return true;
    return false;
  }

  async #states(count: number): Promise<readonly WorkState[]> {
    const states: WorkState[] = [];
    for await (const entry of this.#record.read(count)) {
      if (entry.kind !== "checkpoint" || entry.state.root !== this.#site.root) continue;
      const parsed = parseWorkState(JSON.stringify(entry.state));
      if (parsed.type === "state") states.push(parsed.state);
    }
    return states;
  }

  /** Returns how the commands ended that Carryon ran in this folder from a moment on, oldest first. */
  async runsSince(since: Date | undefined): Promise<readonly OwnRun[]> {
    return (await this.#newestSince(since)).flatMap((entry) => {
      if (entry.kind !== "event" || entry.event !== "ran" || entry.data.root !== this.#site.root) return [];
      const run = since === undefined || entry.at >= since ? parseOwnRun(entry.data, entry.at) : undefined;
      return run === undefined ? [] : [run];
    });
  }

  /** Reads from the end, because a checkpoint may name a thousand files. Some that are older may be among them. */
  async #newestSince(since: Date | undefined): Promise<readonly Entry[]> {
    for (let count = entriesAtFirst; ; count *= 4) {
      const entries = await Array.fromAsync(this.#record.read(Math.min(count, entriesToSearch)));
      const isAll = entries.length < count || count >= entriesToSearch;
      if (isAll || (since !== undefined && entries.some(({ at }) => at < since))) return entries;
    }
  }
}
