import { decisionReferences } from "../decisions/decision-references.ts";
import { addItems, isList, itemsOf, joinBodies, removeItems, toItem } from "../list-items.ts";
import { awaiting, defaultSteps, isDerivedAction, isDone, isWorkAction } from "../next-step.ts";
import type { SessionDoc } from "../session-doc.ts";
import { quoteFile } from "./quote-file.ts";

/** What is known when a session.md is written. */
export interface SessionFacts {
  /** The day, `YYYY-MM-DD`. */
  readonly today: string;
  /** Whether a session has begun since the document was last written. */
  readonly session: "new" | "same";
  /** Undefined outside git. */
  readonly branch?: string | undefined;
  readonly goal?: string | undefined;
  /** The goal that the recorded work has, where the one of the document may be replaced. */
  readonly derivedGoal?: string | undefined;
  readonly activeGoals?: string | undefined;
  /** What was done since; each is added once. */
  readonly done: readonly string[];
  /** The next action that the user gives now. */
  readonly next?: string | undefined;
  /** Who gave the next action that the document has. Without it, its words tell. */
  readonly nextFrom?: "user" | "pipeline" | undefined;
  /** Whether work has gone on since somebody gave it. */
  readonly isNextOvertaken?: boolean | undefined;
  /** The next action that the specs call for, or else the recorded work. */
  readonly derivedNext?: string | undefined;
  /** What was decided in this session; each is listed once. */
  readonly decisions: readonly { readonly seq: number; readonly summary: string }[];
  /** New warnings; each is added once. */
  readonly warnings: readonly string[];
  /** Warnings that do not hold any more; those that the document has are taken out. */
  readonly settled?: readonly string[] | undefined;
  /** The files that changed since the session began. Undefined outside git. */
  readonly modifiedFiles?: readonly string[] | undefined;
  /** How the last run of tests ended, in words; a polished document says it. */
  readonly tests?: string | undefined;
}

/** Returns what a document says when it has been brought up to the facts: what holds on is carried forward. */
export function carryForward(previous: SessionDoc, facts: SessionFacts): SessionDoc {
  const isNew = facts.session === "new";
  const nextAction = chooseNext(previous.nextAction, facts);
  const hasDefaultSteps = previous.resume === "" || previous.resume === defaultSteps(previous.nextAction);
  return {
    ...previous,
    ...carryDecisions(previous, facts),
    branch: facts.branch ?? "",
    goal: facts.goal ?? facts.derivedGoal ?? previous.goal,
    activeGoals: facts.activeGoals ?? previous.activeGoals,
    nextAction,
    warnings: addOnce(withoutSettled(previous.warnings, facts.settled ?? []), facts.warnings),
    accomplished: addOnce(isNew ? "" : previous.accomplished, facts.done),
    modifiedFiles: listFiles(isNew ? "" : previous.modifiedFiles, facts.modifiedFiles),
    resume: hasDefaultSteps ? defaultSteps(nextAction) : previous.resume,
  };
}

/** An action that a person gave stays until it is done or overtaken; one that was derived is derived anew. */
function chooseNext(
  previous: string,
  { next, nextFrom, isNextOvertaken, derivedNext, done }: SessionFacts,
): string {
  if (next !== undefined) return next;
  const isGiven = (nextFrom ?? (isDerivedAction(previous) ? "pipeline" : "user")) === "user";
  if (previous !== "" && isGiven && isNextOvertaken !== true && !isDone(previous, done)) return previous;
  // Without the record nobody knows that the work went on.
  return derivedNext ?? (isWorkAction(previous) ? previous : awaiting);
}

function carryDecisions(
  { continuing, added }: SessionDoc,
  { session, decisions }: SessionFacts,
): Pick<SessionDoc, "continuing" | "added"> {
  if (session === "same") return { continuing, added: listDecisions(continuing, added, decisions) };
  // What was listed for this session already stays where it is, so that a second run changes nothing.
  const own = new Set(decisions.map(({ seq }) => seq));
  const isOwn = (text: string): boolean => decisionReferences(text).some((seq) => own.has(seq));
  const items = isList(added) ? itemsOf(added) : [];
  const kept = items.filter(({ text }) => isOwn(text));
  if (kept.length === 0) {
    const all = joinBodies(continuing, added, "numbers");
    return { continuing: all, added: listDecisions(all, "", decisions) };
  }
  const moved = items.filter(({ text }) => !isOwn(text)).map((item) => added.slice(item.start, item.end));
  const all = joinBodies(continuing, moved.join("\n"), "numbers");
  const stays = kept.map((item) => added.slice(item.start, item.end)).join("\n");
  return { continuing: all, added: listDecisions(all, stays, decisions) };
}

function listDecisions(continuing: string, added: string, decisions: SessionFacts["decisions"]): string {
  const known = new Set([...decisionReferences(continuing), ...decisionReferences(added)]);
  const fresh = decisions.filter(({ seq }) => !known.has(seq));
  return addItems(
    added,
    fresh.map(({ seq, summary }) => toItem(`${summary} (D${seq})`)),
    "numbers",
  );
}

function withoutSettled(body: string, settled: readonly string[]): string {
  return settled.length === 0 ? body : removeItems(body, ({ text }) => settled.includes(text));
}

/** Returns a body with the texts that it does not have yet as further items. */
export function addOnce(body: string, texts: readonly string[]): string {
  const known = new Set(itemsOf(body).map(({ text }) => text));
  const fresh = [...new Set(texts.map(toItem))].filter((text) => text !== "" && !known.has(text));
  return addItems(body, fresh, "bullets");
}

/** Lists the files; one that the document has a remark on keeps it. */
function listFiles(previous: string, files: readonly string[] | undefined): string {
  if (files === undefined) return previous;
  const known = itemsOf(previous).map(({ text }) => text);
  const items = [...new Set(files)].sort().map((file) => {
    const name = toItem(quoteFile(file));
    return known.find((text) => text === name || text.startsWith(`${name} `)) ?? name;
  });
  return addItems("", items, "bullets");
}
