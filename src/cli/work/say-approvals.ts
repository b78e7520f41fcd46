import { type AppError, usageError } from "../../lib/app-error.ts";
import { toPrintableLine } from "../../lib/printable.ts";
import { renderShellWord } from "../../lib/shell-word.ts";
import { wrapTalk } from "../../lib/terminal-text.ts";
import { approve, type Purpose, readApprovals, revoke } from "../../work/approvals.ts";
import { type CommandContext, renderJson } from "../command-context.ts";
import { requirePerson } from "../require-person.ts";
import { mayAsk, workHere } from "./work-here.ts";

/** What is to be done with the approved commands of one kind. */
export interface ApprovalRequest {
  readonly what: "list" | "allow" | "revoke";
  readonly kind: Purpose["kind"];
  /** What the command is for; undefined only for a list. */
  readonly purpose: Purpose | undefined;
  readonly command: readonly string[];
  readonly yes: boolean;
  readonly json: boolean;
}

/** Lists, adds or takes away commands that may be run in this project. */
export async function sayApprovals(context: CommandContext, request: ApprovalRequest): Promise<void> {
  const { what, purpose, command, json } = request;
  if (what === "list") return list(context, request);
  if (purpose === undefined) throw usage(request.kind, `Say what to ${what}.`);
  await requirePerson(context, `Only a person decides which commands are approved`);
  if (what === "allow") requireConsent(context, request);
  await workHere(context, async ({ home, site: { project, clock } }) => {
    const change = { project, command, purpose };
    const before = (await readApprovals(home)).find(
      ({ kind, name, ...of }) => of.project === project.id && kind === purpose.kind && name === purpose.name,
    );
    const isChanged =
      what === "allow" ? await approve(home, change, clock.now()) : await revoke(home, project, purpose);
    if (json) return context.out(`${renderJson({ changed: isChanged })}\n`);
    const { name } = purpose;
    const shown = describeWords(command);
    const said = {
      allow: isChanged
        ? `Approved in this project for ${name}: ${shown}`
        : `This was approved already for ${name}: ${shown}`,
      revoke: isChanged
        ? `No command is approved for ${name} any more.`
        : `Nothing was approved for ${name}.`,
    };
    context.err(`${wrapTalk(context, said[what])}\n`);
    if (isChanged && before !== undefined)
      context.err(`${wrapTalk(context, `Until now it was: ${describeWords(before.command)}`)}\n`);
  });
}

function describeWords(command: readonly string[]): string {
  return toPrintableLine(command.map(renderShellWord).join(" "));
}

/** What nobody watches, somebody must have meant. */
function requireConsent(context: CommandContext, { kind, yes }: ApprovalRequest): void {
  if (yes || mayAsk(context)) return;
  throw usageError(
    "needs-consent",
    "Only a person approves a command, and there is none at a terminal here.",
    { hint: `Run \`carryon ${kind} allow\` in a terminal yourself, or add --yes in a script of your own.` },
  );
}

function list(context: CommandContext, { kind, json }: ApprovalRequest): Promise<void> {
  return workHere(context, async ({ home, site: { project } }) => {
    const approvals = (await readApprovals(home)).filter(
      (each) => each.project === project.id && each.kind === kind,
    );
    const shown = approvals.map(({ name, command, at }) => ({ name, command, at }));
    if (json) return context.out(`${renderJson({ approvals: shown })}\n`);
    if (shown.length === 0) return context.err("No command is approved in this project.\n");
    const lines = shown.map(({ name, command }) => `${name}\t${command.map(renderShellWord).join(" ")}`);
    return context.out(lines.map((line) => `${toPrintableLine(line.replace("\t", "  "))}\n`).join(""));
  });
}

/** Says that a command line of approvals makes no sense. */
export function usage(kind: Purpose["kind"], message: string): AppError {
  return usageError("bad-approval", message, { hint: `See \`carryon ${kind} --help\`.` });
}
