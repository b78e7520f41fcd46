import { expect, it } from "vitest";
import { nextStep } from "../../src/run/next-step.ts";
import { callEnded, type Draft, userText } from "../../src/run/run-entries.ts";
import { workerStrand } from "../../src/run/run-state.ts";
import { begin, call, circumstances, decided, fold, number, reply, text } from "../support/pure-run.ts";

/** The next step of a worker that was told something, after what it says. */
const stepAfter = (...said: readonly Draft[]) => {
  const told = [decided({ instruction: "Do it." }), userText(workerStrand, "Do it.")];
  return nextStep(fold([...begin(), ...number(begin(), [...told, ...said])]), circumstances);
};

const cutOff = (words: string) => reply(workerStrand, [text(words)], { interrupted: true } as object);

it.each([
  {
    case: "is gone on with",
    cut: ["I wrote one.txt"],
    rest: "and two.txt.",
    report: "I wrote one.txt\nand two.txt.",
  },
  { case: "was cut off twice", cut: ["One. ", "Two."], rest: " Three.", report: "One. Two. Three." },
  {
    case: "is begun again",
    cut: ["I wrote one"],
    rest: "I wrote one and two.",
    report: "I wrote one and two.",
  },
])("a round ends with all of a report that was cut off: one that $case", ({ cut, rest, report }) => {
  const step = stepAfter(...cut.map(cutOff), reply(workerStrand, [text(rest)]));
  expect(step).toMatchObject({ type: "finish-round", report });
});

it("nothing gets into a report that was cut off before a call", () => {
  const step = stepAfter(
    ...[cutOff("I will"), reply(workerStrand, [call("1")]), callEnded("1", { output: "ok", failed: false })],
    reply(workerStrand, [text("Did it.")]),
  );
  expect(step).toMatchObject({ type: "finish-round", report: "Did it." });
});
