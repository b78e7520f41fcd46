import { usageError } from "../lib/app-error.ts";
import { type Command, isCommand, whyNoCommand } from "../lib/command.ts";
import { sha256 } from "../sessions/chain.ts";
import type { Project } from "../sessions/project.ts";
import {
  approvalsList,
  changeList,
  isOfProject,
  type OfProject,
  type ProjectListFile,
  readList,
} from "../workspace/project-list.ts";
import { type BlockerType, blockerTypes } from "./blocker.ts";
import type { Approved } from "./recovery/decide-recovery.ts";

/** What a command can be approved for: to check the work, or to clear a type of blocker. */
export type Purpose =
  | { readonly kind: "check"; readonly name: CheckName }
  | { readonly kind: "recovery"; readonly name: BlockerType };

export const checkNames = ["build", "test"] as const;
export type CheckName = (typeof checkNames)[number];

/** A command that may be run in a project, because the user said so. */
export interface Approval extends OfProject {
  readonly kind: Purpose["kind"];
  readonly name: Purpose["name"];
  readonly command: Command;
  /** What `hashOf` made of the command when it was approved. */
  readonly hash: string;
  readonly at: string;
}

/** Where it is remembered which commands are approved, the newest first. */
const approvalsFile: ProjectListFile<Approval> = { ...approvalsList, isItem: isApproval };

/** Reads which commands the user has approved, in all projects. */
export function readApprovals(home: string): Promise<readonly Approval[]> {
  return readList(home, approvalsFile);
}

/** Approves a command for a project instead of the one before; returns whether it was not approved already. */
export async function approve(
  home: string,
  {
    project,
    command,
    purpose,
  }: { project: Pick<Project, "id">; command: readonly string[]; purpose: Purpose },
  now: Date,
): Promise<boolean> {
  const words = requireCommand(command);
  const hash = hashOf(words);
  const { kind, name } = purpose;
  const approval = { project: project.id, kind, name, command: words, hash, at: now.toISOString() };
  return changeList(home, approvalsFile, (approvals) => {
    const others = approvals.filter((each) => !approvalsFile.isSame(each, approval));
    const before = approvals.find((each) => approvalsFile.isSame(each, approval));
    const isSame = before?.hash === hash && isUnaltered(before);
    return isSame ? approvals : [approval, ...others];
  });
}

/** Approves no command any more for a purpose; returns whether one was. */
export function revoke(home: string, project: Pick<Project, "id">, purpose: Purpose): Promise<boolean> {
  return changeList(home, approvalsFile, (approvals) => {
    const others = approvals.filter((each) => each.project !== project.id || !isFor(each, purpose));
    return others.length === approvals.length ? approvals : others;
  });
}

/** Returns the command that the user has approved for a purpose. One that was changed since is not approved. */
export async function findApproved(
  home: string,
  project: Pick<Project, "id">,
  purpose: Purpose,
): Promise<Approved> {
  const found = (await readApprovals(home)).find(
    (each) => each.project === project.id && isFor(each, purpose),
  );
  if (found === undefined) return { type: "none" };
  if (isUnaltered(found)) return { type: "approved", command: found.command };
  const group = purpose.kind === "check" ? "check" : "recovery";
  return {
    type: "altered",
    hint: `The command in approvals.json is not the one that was approved. Approve it again with \`carryon ${group} allow ${purpose.name} -- COMMAND\``,
  };
}

/** Returns the hash that a command is approved by: the SHA-256 of its words as JSON, in hex. */
export function hashOf(command: readonly string[]): string {
  return sha256(JSON.stringify(command));
}

function isUnaltered({ command, hash }: Approval): boolean {
  return hashOf(command) === hash;
}

function isFor(approval: Pick<Approval, "kind" | "name">, { kind, name }: Pick<Approval, "kind" | "name">) {
  return approval.kind === kind && approval.name === name;
}

function isApproval(value: unknown): value is Approval {
  if (!isOfProject(value)) return false;
  const { kind, name, command, hash, at } = value;
  const names: readonly unknown[] = kind === "check" ? checkNames : kind === "recovery" ? blockerTypes : [];
  return names.includes(name) && isCommand(command) && typeof hash === "string" && typeof at === "string";
}

function requireCommand(words: readonly string[]): Command {
  if (isCommand(words)) return words;
  throw usageError(
    "bad-command",
    `This is no command that can be run: ${whyNoCommand(words) ?? "it is not text"}.`,
    { hint: "Give the program and its arguments after --, as in `-- npm test`" },
  );
}
