import { rm } from "node:fs/promises";
import { join } from "node:path";
import { describeAge } from "../lib/duration.ts";
import { writeFailed } from "../lib/file-error.ts";
import { readText } from "../lib/read-text.ts";
import type { Problem } from "../storage/store-report.ts";

/** Failures that hooks noted: those that matter today, and those that only should be known. */
export interface LogReport {
  readonly problems: readonly Problem[];
  readonly notes: readonly Problem[];
}

/** How long a failure counts as one that somebody has to look at. */
const recentDays = 7;

/** Returns what hooks noted of their failures; old ones are no problem, because the hooks have worked since. */
export async function inspectLog(home: string, now: Date): Promise<LogReport> {
  const path = locateLog(home);
  const failures = ((await readText(path)) ?? "").split("\n").flatMap(parseLine);
  const from = now.getTime() - recentDays * 24 * 3_600_000;
  const recent = failures.filter(({ at }) => at !== undefined && at.getTime() >= from);
  const old = failures.filter((failure) => !recent.includes(failure));
  const tell = (when: string, those: readonly Failure[]): readonly Problem[] => {
    const last = those.at(-1);
    if (last === undefined) return [];
    const age = last.at === undefined ? "" : ` (${describeAge(last.at, now)})`;
    const count = those.length === 1 ? "a failure" : `${those.length} failures`;
    return [
      {
        what: `Hooks noted ${count} ${when}${those.length === 1 ? "" : ", the last one"}${age}: ${last.text}`,
        hint: `What was said is in the transcript of the client all the same. All notes are in ${path}; \`carryon doctor --clear-log\` deletes it.`,
      },
    ];
  };
  return {
    problems: tell(`in the last ${recentDays} days`, recent),
    notes: tell(`more than ${recentDays} days ago`, old),
  };
}

/** Deletes what hooks noted of their failures. */
export async function clearLog(home: string): Promise<void> {
  const path = locateLog(home);
  try {
    await rm(path, { force: true });
  } catch (error) {
    throw writeFailed(path, error);
  }
}

interface Failure {
  /** Undefined for a line that nobody of us wrote. */
  readonly at: Date | undefined;
  readonly text: string;
}

function parseLine(line: string): readonly Failure[] {
  if (line === "") return [];
  const [, time, text] = /^(\d{4}-\d\d-\d\dT[\d:.]+Z) (?:hook|sync): (.*)$/.exec(line) ?? [];
  if (time === undefined || text === undefined) return [{ at: undefined, text: line }];
  return [{ at: new Date(time), text }];
}

function locateLog(home: string): string {
  return join(home, "carryon.log");
}
