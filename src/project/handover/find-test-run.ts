import type { Entry, Json, Part } from "../../conversation/entry.ts";
import { isTestCommand } from "../../work/test-command.ts";
import type { RecordSite } from "./document-record.ts";

/** A run of tests that was recorded. */
export interface TestRun {
  readonly command: string;
  readonly outcome: "passed" | "failed";
  readonly at: Date;
}

/** How far back to look: sessions, and entries of each. */
const [mostSessions, mostEntries] = [3, 1000];

/** Returns the last run of tests in the newest sessions of a project, if one was recorded. */
export async function findTestRun({ log, project }: RecordSite): Promise<TestRun | undefined> {
  const { sessions } = await log.list({ project: project.id, limit: mostSessions });
  const runs: TestRun[] = [];
  for (const { id } of sessions) {
    const run = await findIn(log.read(id, { from: -mostEntries }));
    if (run !== undefined) runs.push(run);
  }
  return runs.sort((one, other) => one.at.getTime() - other.at.getTime()).at(-1);
}

async function findIn(entries: AsyncIterable<Entry>): Promise<TestRun | undefined> {
  const started = new Map<string, string>();
  let last: TestRun | undefined;
  for await (const entry of entries) {
    for (const part of entry.kind === "message" ? entry.parts : []) last = follow(part, entry.at) ?? last;
  }
  return last;

  function follow(part: Part, at: Date): TestRun | undefined {
    const begun = commandOf(part);
    if (part.type === "tool-call" && begun !== undefined) started.set(part.call, begun);
    const command = part.type === "tool-result" ? started.get(part.call) : undefined;
    if (part.type !== "tool-result" || command === undefined) return undefined;
    return { command, outcome: part.failed === true ? "failed" : "passed", at };
  }
}

/** Clients name the tool differently, but all give it a command. */
function commandOf(part: Part): string | undefined {
  const command = part.type === "tool-call" ? fieldOf(part.input, "command") : undefined;
  return typeof command === "string" && isTestCommand(command) ? command : undefined;
}

function fieldOf(value: Json, name: string): Json | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as { readonly [key: string]: Json })[name]
    : undefined;
}
