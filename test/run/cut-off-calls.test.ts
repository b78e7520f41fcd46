import { expect, it } from "vitest";
import { nextStep } from "../../src/run/next-step.ts";
import { planResume } from "../../src/run/plan-resume.ts";
import { callEnded, callStarted, type Draft, resumed, userText } from "../../src/run/run-entries.ts";
import { workerStrand } from "../../src/run/run-state.ts";
import type { NewEntry } from "../../src/sessions/entry.ts";
import { begin, circumstances, decided, fold, number, reply } from "../support/pure-run.ts";

it("a call that is killed again and again is made again, and no worker that goes in circles", () => {
  let all: readonly NewEntry[] = begin();
  const add = (...drafts: readonly Draft[]) => {
    all = [...all, ...number(all, drafts)];
  };
  add(decided({ instruction: "Write it." }), userText(workerStrand, "Write it."));
  const call = { type: "tool-call", name: "write", input: { path: "a" } } as const;
  for (let kill = 0; kill < 8; kill += 1) {
    expect(nextStep(fold(all), circumstances)).toEqual({ type: "ask-worker" });
    add(reply(workerStrand, [{ ...call, call: `c${kill}` }]), callStarted(`c${kill}`));
    // It is killed here.
    add(...resumed(planResume(fold(all), {}, circumstances)));
    expect(nextStep(fold(all), circumstances)).toMatchObject({ type: "close-calls" });
    add(callEnded(`c${kill}`, { output: "Interrupted.", failed: true }));
  }
});
