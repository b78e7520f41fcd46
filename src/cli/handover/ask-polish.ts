import { awaiting } from "../../handover/next-step.ts";
import { type GivenDecision, isNewDecision, type PolishRequest } from "../../handover/polish.ts";
import type { OpenPolish } from "../../handover/project-handover.ts";
import type { SessionDoc } from "../../handover/session-doc.ts";
import { saysNothing } from "../../lib/markdown/fold.ts";
import { toPrintable, toPrintableLine } from "../../lib/printable.ts";
import { truncate } from "../../lib/terminal-text.ts";
import { hideSecrets } from "../../redaction/hide-secrets.ts";
import type { CommandContext } from "../command-context.ts";
import type { TextQuestion } from "../confirm.ts";
import { Interrupted } from "../interrupted.ts";
import { say } from "../phrases.ts";

/** One question of a handover, and what its answer changes. */
interface Question {
  readonly lines: "one" | "many";
  /** Items stand without their markers, because a person types them without; a text may have a list in it. */
  readonly holds: "text" | "items";
  /** The answer that it asks for; it is not asked when that was given. */
  readonly answers: Exclude<
    keyof PolishRequest,
    "session" | "files" | "work" | "steeringRef" | "commandFrom"
  >;
  /** What the document has, to be changed. */
  readonly initial: (doc: SessionDoc) => string;
  /** What stands there while the document has nothing; Enter accepts it. */
  readonly suggested?: keyof OpenPolish["suggestions"];
  readonly toRequest: (lines: readonly string[]) => PolishRequest;
  /** Whether each line is asked why, and what follows from it. */
  readonly isExplained?: true;
}

/** The goals, and the five questions of which the third is two. A terminal of 80 columns shows each on one line. */
const questions: readonly Question[] = [
  {
    ...{ lines: "one", holds: "text", answers: "goal", initial: ({ goal }) => goal },
    toRequest: ([goal = ""]) => ({ goal }),
  },
  {
    ...{ lines: "many", holds: "items", answers: "activeGoals", initial: ({ activeGoals }) => activeGoals },
    toRequest: (lines) => ({ activeGoals: toGoals(lines) }),
  },
  {
    ...{
      lines: "many",
      holds: "items",
      answers: "accomplished",
      initial: ({ accomplished }) => accomplished,
    },
    toRequest: (lines) => ({ accomplished: replacing(lines) }),
  },
  {
    ...{
      lines: "many",
      holds: "items",
      answers: "next",
      initial: ({ nextAction }) => (nextAction === awaiting ? "" : nextAction),
    },
    toRequest: (lines) => ({ next: replacing(lines) }),
  },
  {
    ...{ lines: "many", holds: "items", answers: "decisions", initial: () => "", suggested: "decisions" },
    ...{ isExplained: true, toRequest: (lines) => ({ decisions: toGiven(lines) }) },
  },
  {
    ...{ lines: "many", holds: "items", answers: "warnings", initial: ({ warnings }) => warnings },
    toRequest: (lines) => ({ warnings: replacing(lines) }),
  },
  {
    ...{ lines: "many", holds: "text", answers: "tone", initial: ({ tone }) => tone, suggested: "tone" },
    toRequest: (lines) => ({ tone: replacing(lines) }),
  },
  {
    ...{ lines: "many", holds: "items", answers: "exceptions", initial: () => "" },
    ...{ isExplained: true, toRequest: (lines) => ({ exceptions: toGiven(lines) }) },
  },
];

/**
 * Asks the questions that no answer was given to, and hands each answer over as soon as it is there, so that nothing
 * is lost with the terminal.
 */
export async function askPolish(
  context: CommandContext,
  { doc, suggestions }: OpenPolish,
  { given, answer, heard }: Asking,
): Promise<void> {
  for (const { lines, holds, answers, initial, suggested, toRequest, isExplained } of questions) {
    if (given[answers] !== undefined) continue;
    const unmark = holds === "items" ? withoutMarkers : (text: string) => text;
    const before = toPrintable(unmark(initial(doc)));
    const suggestion = suggested === undefined ? "" : toPrintable(suggestions[suggested].join("\n"));
    const message = describeQuestion(context, { lines, answers });
    const said = await ask(context, { message, lines, initial: before || suggestion });
    heard();
    if (said.trim() === before.trim()) continue;
    const request = toRequest(toAnswers(said).map(unmark));
    await answer(
      isExplained ? await explain(context, { ...request, steeringRef: given.steeringRef }) : request,
    );
  }
}

function describeQuestion(
  context: CommandContext,
  { lines, answers }: Pick<Question, "lines" | "answers">,
): string {
  const question = say(context, `handover.${answers}`);
  return lines === "one" ? question : `${question} (${say(context, "handover.many")})`;
}

/** What becomes of the answers. */
interface Asking {
  readonly given: PolishRequest;
  readonly answer: (request: PolishRequest) => Promise<void>;
  /** Is called for each answer, also one that changes nothing. */
  readonly heard: () => void;
}

/** A person who leaves a question has not handed over. */
async function ask(context: CommandContext, question: TextQuestion): Promise<string> {
  const said = await context.askText(question);
  if (said === undefined) throw new Interrupted("SIGINT");
  return said;
}

/**
 * Asks why, and what follows, of each decision that does not say so itself, and what the exceptions depart from. Who
 * leaves it empty has answered "none".
 */
export async function explain(
  context: CommandContext,
  { decisions, exceptions, steeringRef }: PolishRequest,
): Promise<PolishRequest> {
  const explained = {
    ...(decisions && { decisions: await explainEach(context, decisions) }),
    ...(exceptions && { exceptions: await explainEach(context, exceptions) }),
  };
  if (steeringRef !== undefined || !exceptions?.some(isNewDecision)) return { ...explained, steeringRef };
  return { ...explained, steeringRef: await answerOrNone(context, say(context, "handover.steeringRef")) };
}

async function answerOrNone(context: CommandContext, message: string): Promise<string> {
  return (await ask(context, { message, lines: "one", initial: "" })).trim() || "none";
}

async function explainEach(
  context: CommandContext,
  given: readonly GivenDecision[],
): Promise<readonly GivenDecision[]> {
  const explained: GivenDecision[] = [];
  for (const each of given) {
    if (isNewDecision(each)) {
      const name = truncate(toPrintableLine(each.text), longestName);
      const reason = each.reason ?? (await answerOrNone(context, say(context, "handover.why", { name })));
      const impact = each.impact ?? (await answerOrNone(context, say(context, "handover.follows", { name })));
      explained.push({ ...each, reason, impact });
    } else explained.push(each);
  }
  return explained;
}

/** A question with it fits into a terminal of 80 columns. */
const longestName = 32;

/** A key that was pasted line by line is a secret only as a whole. */
function toGiven(lines: readonly string[]): readonly GivenDecision[] {
  const safe = hideSecrets(lines.join("\n")).split("\n");
  return safe.filter((text) => text !== "").map((text) => ({ text }));
}

/** Goals that stand in a table stay one; others become items. */
function toGoals(lines: readonly string[]): string {
  const said = lines.filter((line) => !saysNothing(line));
  return said.map((line) => (line.startsWith("|") ? line : `- ${line}`)).join("\n");
}

function withoutMarkers(body: string): string {
  return body.replace(/^(?:[-*+]|\d{1,9}[.)])[ \t]+/gm, "");
}

/** A word for nothing on the last line empties the answer: it is typed below what stands there. */
function toAnswers(said: string): readonly string[] {
  const lines = said
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  const last = lines.at(-1);
  return last !== undefined && saysNothing(last) ? [last] : lines;
}

/** What a person has changed takes the place of what stood there, also when nothing is left of it. */
function replacing(lines: readonly string[]): readonly string[] {
  return ["none", ...lines];
}
