import { isTestCommand } from "../../outcomes/test-command.ts";
import type { Entry } from "../../sessions/entry.ts";
import { isMergedId } from "../../sessions/merged-id.ts";
import { fieldOf, type ToolRun, ToolRuns } from "../../sessions/tool-runs.ts";
import type { RecordSite } from "../document-record.ts";

/** A run of tests that was recorded. */
export interface TestRun {
  readonly command: string;
  readonly outcome: "passed" | "failed";
  readonly at: Date;
}

/** How far back to look: sessions, and entries of each. */
const [mostSessions, mostEntries] = [3, 1000];

/** Returns the last run of tests in the newest sessions of a project on this machine, if one was recorded. */
export async function findTestRun({ log, project }: RecordSite): Promise<TestRun | undefined> {
  const { sessions } = await log.list({ project: project.id, newest: "here", limit: mostSessions });
  const runs: TestRun[] = [];
  for (const { id } of sessions) {
    const run = await findIn(log.read(id, { from: -mostEntries }));
    if (run !== undefined) runs.push(run);
  }
  return runs.sort((one, other) => one.at.getTime() - other.at.getTime()).at(-1);
}

async function findIn(entries: AsyncIterable<Entry>): Promise<TestRun | undefined> {
  const runs = new ToolRuns();
  let last: TestRun | undefined;
  for await (const entry of entries) {
    // What a merge has brought may be older than what stands before it.
    if (isMergedId(entry.id)) continue;
    for (const run of runs.follow(entry)) last = toTestRun(run) ?? last;
  }
  return last;
}

/** Clients name the tool differently, but all give it a command. */
function toTestRun({ call, result, message }: ToolRun): TestRun | undefined {
  const command = fieldOf(call.input, "command");
  if (typeof command !== "string" || !isTestCommand(command)) return undefined;
  return { command, outcome: result.failed === true ? "failed" : "passed", at: message.at };
}
