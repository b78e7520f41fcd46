import { lstat, readFile } from "node:fs/promises";
import { join } from "node:path";
import { isSystemError } from "../lib/app-error.ts";
import type { Command } from "../lib/command.ts";
import { type CommandEnd, runCommand } from "../lib/run-command.ts";
import { renderShellWord } from "../lib/shell-word.ts";
import { findFailure } from "../outcomes/find-runs.ts";
import { checkNames, findApproved } from "./approvals.ts";
import type { OwnCheck } from "./blockers/own-run.ts";
import type { WorkDesk } from "./work-desk.ts";
import { WorkRecord } from "./work-record.ts";

/** What became of one check. */
export interface Checked {
  readonly check: OwnCheck;
  readonly outcome: "passed" | "failed" | "skipped";
  /** What failed, or why it was skipped. */
  readonly detail: string;
  /** The end of what a command printed that failed. */
  readonly output?: string;
}

/** What is to be verified. */
export interface VerifiedWork {
  readonly change: { readonly id: string } | undefined;
  readonly branch: string | null;
  /** Ends the check that runs, and all that would follow. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Runs what the user has approved, and looks at the documents and at CI. What fails is written down in the log; a check
 * that was stopped has neither passed nor failed.
 */
export async function verifyWork(desk: WorkDesk, work: VerifiedWork): Promise<readonly Checked[]> {
  const checked: Checked[] = [];
  for (const name of checkNames) checked.push(await runApproved(desk, name, work));
  checked.push(await checkDocuments(desk, work));
  checked.push(await checkCi(desk, work));
  return checked;
}

/** Runs the command that the user has approved for a check. */
async function runApproved(
  desk: WorkDesk,
  check: (typeof checkNames)[number],
  work: VerifiedWork,
): Promise<Checked> {
  const { home, site } = desk;
  const approved = await findApproved(home, site.project, { kind: "check", name: check });
  if (approved.type === "altered") return { check, outcome: "skipped", detail: approved.hint };
  if (approved.type === "none")
    return {
      ...{ check, outcome: "skipped" },
      detail: `no command is approved; approve one with \`carryon check allow ${check} -- COMMAND\``,
    };
  const command = approved.command.map(renderShellWord).join(" ");
  const end = await run(desk, approved.command, work);
  const result = toResult(end);
  if (result === undefined) return { check, outcome: "skipped", detail: `${command} was stopped` };
  const { exitCode, output } = result;
  await new WorkRecord(site).keepRun({ check, command, exitCode, output });
  if (exitCode === 0) return { check, outcome: "passed", detail: command };
  const how = end.type === "not-started" ? "could not be started" : `ended with code ${exitCode}`;
  return { check, outcome: "failed", detail: `${command} ${how}`, output };
}

function run(
  { site, env }: WorkDesk,
  command: Command,
  { signal }: Pick<VerifiedWork, "signal">,
): Promise<CommandEnd> {
  return runCommand(command, { cwd: site.root, env, signal });
}

/** A command that could not be started, or was ended from outside, has not passed; of one that we stopped nothing is known. */
function toResult(end: CommandEnd): { readonly exitCode: number; readonly output: string } | undefined {
  switch (end.type) {
    case "exited":
      return { exitCode: end.code, output: end.output };
    case "not-started":
      return { exitCode: 127, output: end.reason };
    case "killed":
      return { exitCode: 1, output: `${end.output}\nEnded by ${end.signal}` };
    case "timed-out":
      return { exitCode: 1, output: `${end.output}\nStopped because it took too long` };
    case "aborted":
      return undefined;
  }
}

const documents = ["CHANGELOG.md", "ROADMAP.md"] as const;
const largestDocument = 8 << 20;

/** Looks whether the documents that tell of changes tell of this one. */
async function checkDocuments({ site }: WorkDesk, { change }: VerifiedWork): Promise<Checked> {
  const check = "documents";
  if (change === undefined) return { check, outcome: "skipped", detail: "no OpenSpec change is active" };
  const texts = await Promise.all(documents.map((name) => readIfThere(join(site.root, name))));
  const found = documents.flatMap((name, index) => {
    const text = texts[index];
    return text === undefined ? [] : [{ name, isMentioned: mentions(text, change.id) }];
  });
  if (found.length === 0)
    return { check, outcome: "skipped", detail: `the project has neither ${documents.join(" nor ")}` };
  const missing = found.filter(({ isMentioned }) => !isMentioned).map(({ name }) => name);
  const command = `carryon save --full: ${documents.join(", ")}`;
  const output = missing.length === 0 ? "" : `no mention of ${change.id} in ${missing.join(" and ")}`;
  const exitCode = missing.length === 0 ? 0 : 1;
  await new WorkRecord(site).keepRun({ check, command, exitCode, output });
  return missing.length === 0
    ? { check, outcome: "passed", detail: found.map(({ name }) => name).join(", ") }
    : { check, outcome: "failed", detail: output };
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    const stats = await lstat(path);
    return stats.isFile() && stats.size <= largestDocument ? await readFile(path, "utf8") : undefined;
  } catch (error) {
    if (isSystemError(error, "ENOENT", "ENOTDIR", "EACCES", "EPERM")) return undefined;
    throw error;
  }
}

/** `add-user-login` is mentioned by its name and by its words. */
function mentions(text: string, id: string): boolean {
  const plain = text.toLowerCase().replace(/[\s_-]+/g, " ");
  return plain.includes(id.toLowerCase().replace(/[\s_-]+/g, " "));
}

/** Asks for the last run of CI on the branch, where there is a `gh` that can. */
export async function checkCi(
  desk: WorkDesk,
  work: Pick<VerifiedWork, "branch" | "signal">,
): Promise<Checked> {
  const check = "ci";
  const { branch } = work;
  if (branch === null) return { check, outcome: "skipped", detail: "no branch is checked out" };
  const fields = "status,conclusion,workflowName,headSha";
  const words: Command = ["gh", "run", "list", "--limit", "5", "--branch", branch, "--json", fields];
  const end = await run(desk, words, work);
  if (end.type === "not-started") return { check, outcome: "skipped", detail: "gh is not installed" };
  if (end.type !== "exited" || end.code !== 0)
    return { check, outcome: "skipped", detail: "gh could not list the runs of CI" };
  const command = words.map(renderShellWord).join(" ");
  const seen = findFailure({ command, output: end.output, exitCode: 0 });
  const exitCode = seen === undefined ? 0 : 1;
  await new WorkRecord(desk.site).keepRun({ check, command, exitCode, output: end.output });
  return seen === undefined
    ? { check, outcome: "passed", detail: "the last run of CI did not fail" }
    : { check, outcome: "failed", detail: seen.line };
}
