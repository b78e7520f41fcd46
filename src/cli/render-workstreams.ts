import { findNextStep, goalOf } from "../digest/judge-work.ts";
import { toPrintableLine } from "../lib/printable.ts";
import { truncate, wrapLine } from "../lib/terminal-text.ts";
import { describeStanding } from "../memory/earlier-work.ts";
import { continueCommand, continueOrShow, nameWork, type Workstream } from "../memory/workstreams.ts";
import type { JsonObject } from "../sessions/entry.ts";
import type { CommandContext } from "./command-context.ts";

const goalLength = 200;
/** Less says nothing about a goal. */
const leastGoal = 20;

/** Returns work that is not done in its JSON form: docs/formats/cli-json.md. */
export function toWorkstreamJson({ newest, sessions, digest, status, updatedAt }: Workstream): JsonObject {
  return {
    session: newest.id,
    sessions: sessions.map(({ id }) => id),
    goal: goalOf(digest),
    status,
    branch: newest.branch,
    updatedAt: updatedAt.toISOString(),
    next: findNextStep(digest)?.text ?? null,
    command: continueCommand(newest, newest.id) ?? null,
  };
}

/** Renders the work that is not done, each with its next step and the command that continues it; ends with an empty line. */
export function renderWorkstreams(
  workstreams: readonly Workstream[],
  context: CommandContext,
  branch: string | null,
): string {
  if (workstreams.length === 0) return "";
  const all = workstreams.map((each) => renderWorkstream(each, context, branch));
  const off = wrapLine("`carryon digest ID --done` takes work off this list.", context.columns, "  ");
  return `${context.style.bold("Open work:")}\n${all.join("")}  ${context.style.dim(off)}\n\n`;
}

function renderWorkstream(
  work: Workstream,
  { columns, style, clock }: CommandContext,
  here: string | null,
): string {
  const { newest, digest } = work;
  const width = columns ?? Number.POSITIVE_INFINITY;
  const facts = toPrintableLine(` (${describeStanding(work, clock.now(), here)})`);
  const room = Math.max(leastGoal, width - facts.length - 2);
  const goal = truncate(toPrintableLine(nameWork(work, goalLength)), room);
  const next = findNextStep(digest)?.text;
  return [
    `  ${goal}${style.dim(facts)}\n`,
    ...(next === undefined ? [] : [`    ${truncate(toPrintableLine(next), width - 4)}\n`]),
    `    ${style.bold(continueOrShow(newest))}\n`,
  ].join("");
}

/** Returns what sessions are called on a page that names their work too. */
export function namesOf(workstreams: readonly Workstream[]): ReadonlyMap<string, string> {
  return new Map(workstreams.map((work) => [work.newest.id, nameWork(work, goalLength)]));
}
