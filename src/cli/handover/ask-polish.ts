import { awaiting } from "../../handover/next-step.ts";
import type { PolishRequest } from "../../handover/polish.ts";
import type { SessionDoc } from "../../handover/session-doc.ts";
import { toPrintable } from "../../lib/printable.ts";
import type { CommandContext } from "../command-context.ts";

/** One question of a handover, and what its answer changes. */
interface Question {
  readonly message: string;
  readonly lines: "one" | "many";
  /** Items stand without their markers, because a person types them without; a text may have a list in it. */
  readonly holds: "text" | "items";
  /** The answer that it asks for; it is not asked when that was given. */
  readonly answers: Exclude<keyof PolishRequest, "session" | "files" | "steeringRef" | "activeGoals">;
  /** What stands there to be changed. */
  readonly initial: (doc: SessionDoc) => string;
  readonly toRequest: (lines: readonly string[]) => PolishRequest;
}

const many = "one a line, an empty one ends";

/** The goal, and the five questions of which the third is two. A terminal of 80 columns shows each on one line. */
const questions: readonly Question[] = [
  {
    message: "What is the goal of this session?",
    ...{ lines: "one", holds: "text", answers: "goal", initial: ({ goal }) => goal },
    toRequest: ([goal = ""]) => ({ goal }),
  },
  {
    message: `What was done? (${many})`,
    ...{
      lines: "many",
      holds: "items",
      answers: "accomplished",
      initial: ({ accomplished }) => accomplished,
    },
    toRequest: (lines) => ({ accomplished: replacing(lines) }),
  },
  {
    message: `What is next? (${many})`,
    ...{
      lines: "many",
      holds: "items",
      answers: "next",
      initial: ({ nextAction }) => (nextAction === awaiting ? "" : nextAction),
    },
    toRequest: (lines) => ({ next: replacing(lines) }),
  },
  {
    message: `Which decisions are not written down yet? (${many})`,
    ...{ lines: "many", holds: "items", answers: "decisions", initial: () => "" },
    toRequest: (decisions) => ({ decisions }),
  },
  {
    message: `What must the next session beware of? (${many})`,
    ...{ lines: "many", holds: "items", answers: "warnings", initial: ({ warnings }) => warnings },
    toRequest: (lines) => ({ warnings: replacing(lines) }),
  },
  {
    message: `In what tone and mood do you work? (${many})`,
    ...{ lines: "many", holds: "text", answers: "tone", initial: ({ tone }) => tone },
    toRequest: (lines) => ({ tone: replacing(lines) }),
  },
  {
    message: `Which exceptions to steering are new? (${many})`,
    ...{ lines: "many", holds: "items", answers: "exceptions", initial: () => "" },
    toRequest: (exceptions) => ({ exceptions }),
  },
];

/**
 * Asks the questions that no answer was given to, and hands each answer over as soon as it is there, so that nothing
 * is lost with the terminal. Returns whether all were answered.
 */
export async function askPolish(
  context: CommandContext,
  doc: SessionDoc,
  {
    given,
    answer,
  }: { readonly given: PolishRequest; readonly answer: (request: PolishRequest) => Promise<void> },
): Promise<boolean> {
  for (const { message, lines, holds, answers, initial, toRequest } of questions) {
    if (given[answers] !== undefined) continue;
    const unmark = holds === "items" ? withoutMarkers : (text: string) => text;
    const before = toPrintable(unmark(initial(doc)));
    const said = await context.askText({ message, lines, initial: before });
    if (said === undefined) return false;
    if (said.trim() !== before.trim()) await answer(toRequest(toAnswers(said).map(unmark)));
  }
  return true;
}

function withoutMarkers(body: string): string {
  return body.replace(/^(?:[-*+]|\d{1,9}[.)])[ \t]+/gm, "");
}

function toAnswers(said: string): readonly string[] {
  return said
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

/** What a person has changed takes the place of what stood there, also when nothing is left of it. */
function replacing(lines: readonly string[]): readonly string[] {
  return ["none", ...lines];
}
