import { saysNothing } from "../../lib/markdown/fold.ts";
import { addItems, itemsOf, removeItems, toItem } from "../list-items.ts";
import { defaultSteps } from "../next-step.ts";
import { parseSession } from "../parse-session.ts";
import { emptySession, type SessionDoc } from "../session-doc.ts";
import { addOnce, carryForward, type SessionFacts } from "./carry-forward.ts";
import { renderSession, rewriteSession } from "./rewrite-session.ts";

/**
 * What a person answered. A question without an answer carries forward what was there; `none`, `なし` and `-` empty it.
 *
 * What was done, what is next and the tone take the place of what was said before. Warnings and exceptions are added to
 * those that still hold, unless a word for nothing is among them, and decisions to those of this session.
 */
export interface PolishAnswers {
  readonly accomplished?: readonly string[] | undefined;
  readonly next?: readonly string[] | undefined;
  /** Each with its number, as in `passkeys only (D7)`. */
  readonly decisions?: readonly string[] | undefined;
  readonly warnings?: readonly string[] | undefined;
  readonly tone?: readonly string[] | undefined;
  /** Each with the number of its decision. */
  readonly exceptions?: readonly string[] | undefined;
}

/** Returns the session.md that a person has gone over. It has no mode, which is how it is known. */
export function polishSession(
  previous: string | undefined,
  answers: PolishAnswers,
  facts: SessionFacts,
): string {
  const before = previous === undefined ? emptySession : parseSession(previous).doc;
  const carried = carryForward(before, facts);
  const answered = answer(carried, answers);
  const accomplished = tellTests(answered.accomplished, facts.tests);
  const polished = { ...answered, accomplished, generated: facts.today, mode: "" };
  return previous === undefined ? renderSession(polished) : rewriteSession(previous, polished);
}

function answer(doc: SessionDoc, answers: PolishAnswers): SessionDoc {
  const nextAction = replaceBy(doc.nextAction, answers.next, "steps");
  const hasDefaultSteps = doc.resume === defaultSteps(doc.nextAction);
  return {
    ...doc,
    nextAction,
    resume: hasDefaultSteps ? defaultSteps(nextAction) : doc.resume,
    accomplished: replaceBy(doc.accomplished, answers.accomplished, "items"),
    tone: replaceBy(doc.tone, answers.tone, "text"),
    warnings: addTo(doc.warnings, answers.warnings),
    exceptions: addTo(doc.exceptions, answers.exceptions),
    added: addDecisions(doc, answers.decisions ?? []),
  };
}

/** Several steps are numbered, several texts stand one below the other. */
function replaceBy(
  body: string,
  given: readonly string[] | undefined,
  as: "steps" | "items" | "text",
): string {
  if (given === undefined) return body;
  const texts = given.filter((text) => !saysNothing(text));
  if (as === "items") return addOnce("", texts);
  if (as === "steps" && texts.length > 1) return addItems("", texts.map(toItem), "numbers");
  return texts.join("\n");
}

function addTo(body: string, given: readonly string[] | undefined): string {
  if (given === undefined) return body;
  const texts = given.filter((text) => !saysNothing(text));
  return addOnce(texts.length === given.length ? body : "", texts);
}

const testsLead = "Last run of tests: ";

/** Says how the last run of tests ended, in the place of an earlier one. */
function tellTests(body: string, tests: string | undefined): string {
  if (tests === undefined) return body;
  const item = toItem(testsLead + tests);
  const known = itemsOf(body).filter(({ text }) => text.startsWith(testsLead));
  if (known.length === 1 && known[0]?.text === item) return body;
  const rest = removeItems(body, ({ text }) => text.startsWith(testsLead));
  return addItems(rest, [item], "bullets");
}

function addDecisions({ continuing, added }: SessionDoc, given: readonly string[]): string {
  const known = new Set([...itemsOf(continuing), ...itemsOf(added)].map(({ text }) => text));
  const fresh = given.filter((text) => !saysNothing(text)).map(toItem);
  return addItems(
    added,
    fresh.filter((text) => !known.has(text)),
    "numbers",
  );
}
