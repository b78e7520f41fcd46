import { itemsOf } from "../../handover/list-items.ts";
import { awaiting } from "../../handover/next-step.ts";
import { parseSession } from "../../handover/parse-session.ts";
import type { PolishRequest, SessionSummary } from "../../handover/polish.ts";
import { type HandedOver, type OpenPolish, openProjectHandover } from "../../handover/project-handover.ts";
import { toProjectPaths } from "../../handover/project-paths.ts";
import type { SessionDoc } from "../../handover/session-doc.ts";
import type { WrittenSession } from "../../handover/session-work.ts";
import { plural } from "../../lib/describe.ts";
import { saysNothing } from "../../lib/markdown/fold.ts";
import { toPrintableLine } from "../../lib/printable.ts";
import { readCallersWork } from "../../memory/recorded-work.ts";
import { writeHere } from "../../workspace/open-here.ts";
import { type CommandContext, renderJson } from "../command-context.ts";
import { Interrupted } from "../interrupted.ts";
import { askPolish, explain } from "./ask-polish.ts";
import { toDecisionJson } from "./render-decisions.ts";

/** Says what is wrong with a session.md, and what is not in it. */
export function sayProblems(
  { err }: CommandContext,
  { problems, unlisted }: Pick<WrittenSession, "problems" | "unlisted">,
): void {
  for (const { line, message } of problems) err(`Line ${line}: ${toPrintableLine(message)}.\n`);
  if (unlisted > 0) err(`${plural(unlisted, "more changed file")} not listed.\n`);
}

interface PolishOptions {
  /** Files that were changed, by their paths from the current folder. */
  readonly files: readonly string[];
  /** Whether a person may be asked. */
  readonly ask: boolean;
  readonly json?: true | undefined;
}

/** Hands the session over, asking a person where there is one, and says what became of it. */
export async function sayPolish(
  context: CommandContext,
  answers: PolishRequest,
  { files, ask, json }: PolishOptions,
): Promise<void> {
  const asks = ask && json === undefined && context.isTerminal.input && context.isTerminal.error;
  await writeHere(context, async (here) => {
    const handover = await openProjectHandover(here);
    const path = handover.paths.session;
    const { session } = answers;
    const work = await readCallersWork(here, session);
    const whose = { session, files: toProjectPaths(context.cwd, here.root, files), work };
    const given = { ...answers, ...whose };
    const handed = asks
      ? await converse(context, await handover.openPolish(whose), { given, path })
      : await handover.polish(given);
    if (json) return context.out(`${renderJson(toJson(path, handed))}\n`);
    context.out(`${toPrintableLine(path)}\n`);
    report(context, handed);
  });
}

/** Asks on the terminal. A person who leaves has not handed over, as a script that waits for it must see. */
async function converse(
  context: CommandContext,
  polish: OpenPolish,
  { given, path }: { readonly given: PolishRequest; readonly path: string },
): Promise<HandedOver> {
  const written: HandedOver["decisions"][number][] = [];
  const answer = async (request: PolishRequest) => {
    const polished = await polish.answer({ steeringRef: given.steeringRef, ...request });
    written.push(...polished.decisions);
    return polished;
  };
  context.err(`${describeSummary(polish.summary)}\n`);
  const { archive, summary } = polish;
  const { decisions, exceptions, ...others } = given;
  let last = await answer(others);
  let isAnswered = last.isChanged;
  const heard = () => {
    isAnswered = true;
  };
  const keep = async (request: PolishRequest) => {
    last = await answer(request);
    heard();
  };
  try {
    if (decisions || exceptions) await keep(await explain(context, given));
    await askPolish(context, polish, { given, answer: keep, heard });
  } catch (error) {
    if (error instanceof Interrupted) sayStopped(context, { path, isAnswered });
    throw error;
  }
  return { ...last, archive, summary, decisions: written, end: await polish.finish() };
}

function sayStopped(
  context: CommandContext,
  { path, isAnswered }: { readonly path: string; readonly isAnswered: boolean },
): void {
  const kept = isAnswered ? `All that you answered is in ${toPrintableLine(path)}` : "Nothing was answered";
  context.err(`Stopped. ${kept}; \`carryon handover\` asks again.\n`);
}

function report(context: CommandContext, { archive, decisions, end, ...written }: HandedOver): void {
  if (archive !== undefined) context.err(`The one before it is ${toPrintableLine(archive)}\n`);
  for (const { seq, type, summary } of decisions)
    context.err(`D${seq}: ${type} | ${toPrintableLine(summary)}\n`);
  sayProblems(context, written);
  context.err(`${describeCaptured(parseSession(written.text).doc)}\n`);
  context.err(`D${end.seq} says that the session is over. \`carryon brief\` tells the next one.\n`);
}

function describeSummary({ branch, commits, changedFiles, specs, tests, steering }: SessionSummary): string {
  const open = specs.filter(({ phase }) => phase !== "implementation-complete");
  const facts = [
    ...(branch === undefined ? [] : [`branch ${branch}`]),
    ...(commits.length === 0 ? [] : [plural(commits.length, "commit")]),
    ...(changedFiles === 0 ? [] : [plural(changedFiles, "changed file")]),
    ...open.map(({ name, phase }) => `${name} ${phase}`),
    ...(tests === undefined ? [] : [`${tests.command} ${tests.outcome}`]),
    ...steering,
  ];
  return facts.length === 0 ? "Nothing is known of this session yet." : toPrintableLine(facts.join(" · "));
}

function toJson(
  path: string,
  { archive, decisions, end, summary, isChanged, problems, unlisted }: HandedOver,
) {
  return {
    ...{ path, archive: archive ?? null, changed: isChanged, problems, unlistedFiles: unlisted },
    decisions: [...decisions, end].map(toDecisionJson),
    summary: { ...summary, branch: summary.branch ?? null, tests: summary.tests ?? null },
  };
}

/** Says what a session.md tells the next session, part by part. */
function describeCaptured(doc: SessionDoc): string {
  const parts = [
    has(doc.goal, "goal"),
    count(doc.accomplished) === 0 ? "nothing done" : `${count(doc.accomplished)} done`,
    has(doc.nextAction === awaiting ? "" : doc.nextAction, "next action"),
    some(doc.added, "decision"),
    some(doc.warnings, "warning"),
    has(doc.tone, "tone"),
    some(doc.exceptions, "exception"),
  ];
  return `Captured: ${parts.join(", ")}.`;
}

function has(text: string, noun: string): string {
  return saysNothing(text) ? `no ${noun}` : noun;
}

function some(body: string, noun: string): string {
  return count(body) === 0 ? `no ${noun}s` : plural(count(body), noun);
}

/** A body that is no list counts as one. */
function count(body: string): number {
  if (saysNothing(body)) return 0;
  return itemsOf(body).length || 1;
}
