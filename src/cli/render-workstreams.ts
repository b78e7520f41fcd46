import { findNextStep, goalOf } from "../digest/judge-work.ts";
import { describeAge } from "../lib/duration.ts";
import { toPrintableLine } from "../lib/printable.ts";
import { truncate } from "../lib/terminal-text.ts";
import { describeStatus } from "../memory/earlier-work.ts";
import type { Workstream } from "../memory/workstreams.ts";
import type { JsonObject } from "../sessions/entry.ts";
import type { Session } from "../sessions/session.ts";
import { beginningOf } from "../sessions/short-ids.ts";
import type { CommandContext } from "./command-context.ts";

const goalLength = 200;
/** Less says nothing about a goal. */
const leastGoal = 20;

/** Returns work that is not done in its JSON form: docs/formats/cli-json.md. */
export function toWorkstreamJson({ newest, sessions, digest, status, updatedAt }: Workstream): JsonObject {
  return {
    session: newest.id,
    sessions: sessions.map(({ id }) => id),
    goal: goalOf(digest, goalLength),
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
  return `${context.style.bold("Open work:")}\n${all.join("")}\n`;
}

function renderWorkstream(
  { newest, digest, status, updatedAt }: Workstream,
  { columns, style, clock }: CommandContext,
  here: string | null,
): string {
  const width = columns ?? Number.POSITIVE_INFINITY;
  const where = newest.branch === null || newest.branch === here ? "" : ` on ${newest.branch}`;
  const facts = toPrintableLine(
    ` (${describeStatus(status)}${where}, ${describeAge(updatedAt, clock.now())})`,
  );
  const room = Math.max(leastGoal, width - facts.length - 2);
  const goal = truncate(toPrintableLine(goalOf(digest, goalLength)), room);
  const next = findNextStep(digest)?.text;
  const command = continueCommand(newest, beginningOf(newest.id));
  return [
    `  ${goal}${style.dim(facts)}\n`,
    ...(next === undefined ? [] : [`    ${truncate(toPrintableLine(next), width - 4)}\n`]),
    ...(command === undefined ? [] : [`    ${style.bold(command)}\n`]),
  ].join("");
}

/** Returns the command that goes on with a session of this machine, in the program that wrote it; undefined for other programs. */
export function continueCommand({ client, status }: Session, id: string): string | undefined {
  if (client === "claude-code") return `carryon resume ${id}`;
  if (client === "carryon-chat") return `carryon chat --session ${id}`;
  if (client !== "carryon-run") return undefined;
  const run = `carryon run --resume${id === "latest" ? "" : ` --session ${id}`}`;
  return status === "interrupted" ? run : `${run} "MORE"`;
}
