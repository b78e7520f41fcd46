import { describe, expect, it } from "vitest";
import { addUsage } from "../../src/chat/estimate-context.ts";
import { planResume } from "../../src/run/plan-resume.ts";
import { noLimits, parseConfig, type RunLimits, renderConfig } from "../../src/run/run-config.ts";
import { resumed } from "../../src/run/run-entries.ts";
import { instructorStrand, type RunState } from "../../src/run/run-state.ts";
import { countCost, countMs, countTokens, remainingLimits, remainingRounds } from "../../src/run/spent.ts";
import type { NewEntry } from "../../src/sessions/entry.ts";
import { mergedEvent } from "../../src/sessions/make-merge-block.ts";
import { noteIds } from "../../src/sessions/merged-id.ts";
import { later } from "../support/entries.ts";
import {
  begin,
  circumstances,
  drive,
  fold,
  number,
  type PureScript,
  runConfig,
  text,
} from "../support/pure-run.ts";

/** A round of three replies, 11 tokens and at least four seconds each time. */
const endless: PureScript = {
  decide: ({ rounds }: RunState) => ({ instruction: `Step ${rounds + 1}.` }),
  work: ({ ruling }) => [text(`Did ${ruling.instruction}`)],
};

const limitedTo = (limits: Partial<RunLimits>) => begin({ limits: { ...noLimits, ...limits } });

const roundsOf = (result: ReturnType<typeof drive>) => [result.reason, fold(result.entries).rounds];

describe("a limit", () => {
  it("of rounds stops the run after the last of them has been judged", () => {
    const result = drive(limitedTo({ rounds: 3 }), endless);
    expect(roundsOf(result)).toEqual(["rounds", 3]);
    expect(fold(result.entries).phase).toMatchObject({ type: "working", isTold: false });
  });

  it("of rounds does not stop a run that is done with its last one", () => {
    const twice: PureScript = {
      ...endless,
      decide: ({ rounds }) =>
        rounds < 2 ? { instruction: "x" } : { shouldContinue: false, summary: "Done." },
    };
    expect(roundsOf(drive(limitedTo({ rounds: 2 }), twice))).toEqual(["done", 2]);
  });

  it("of tokens stops it before the next question", () => {
    expect(roundsOf(drive(limitedTo({ tokens: 45 }), endless))).toEqual(["tokens", 2]);
  });

  it("of time stops it by the clock", () => {
    const now = { ...circumstances, now: later(61) };
    expect(roundsOf(drive(limitedTo({ seconds: 60 }), endless, now))).toEqual(["time", 0]);
    expect(roundsOf(drive(limitedTo({ seconds: 61, rounds: 1 }), endless, now))).toEqual(["rounds", 1]);
  });

  it("of cost stops it where the prices are known", () => {
    const price = { input: 1000, output: 10_000 };
    const prices = { "anthropic/model-i": price, "openai/model-w": price };
    const limited = begin({ limits: { ...noLimits, cost: 0.05 }, prices });
    expect(roundsOf(drive(limited, endless))).toEqual(["cost", 1]);
    expect(roundsOf(drive(limitedTo({ cost: 0.05, rounds: 4 }), endless))).toEqual(["rounds", 4]);
  });

  it("counts from where it was granted, so that nothing is won by a kill", () => {
    const { entries } = drive(limitedTo({ rounds: 3 }), endless);
    const half = entries.slice(
      0,
      entries.findIndex((entry) => entry.kind === "round" && entry.number === 2) + 1,
    );
    const plan = planResume(fold(half), {}, circumstances);
    expect(plan.grant).toBeUndefined();
    expect(remainingRounds(fold(half))).toBe(1);
    const after = [...half, ...number(half, resumed(plan))];
    expect(roundsOf(drive(after, endless))).toEqual(["rounds", 3]);
  });

  it("that is used up is granted again by a resume, as it was at the start", () => {
    const { entries } = drive(limitedTo({ rounds: 3 }), endless);
    const plan = planResume(fold(entries), { more: "Part 2" }, circumstances);
    expect(plan).toEqual({
      ...{ config: { ...runConfig, limits: { ...noLimits, rounds: 3 } }, more: "Part 2", changes: [] },
      ...{ grant: { rounds: 3 }, withdrawn: expect.stringMatching(/^d\d+$/) },
    });
    const again = drive([...entries, ...number(entries, resumed(plan))], endless);
    expect(roundsOf(again)).toEqual(["rounds", 6]);
  });

  it("that the user names at a resume counts from there, and is granted once", () => {
    const { entries } = drive(limitedTo({ rounds: 3 }), endless);
    const plan = planResume(fold(entries), { limits: { rounds: 2 } }, circumstances);
    const again = drive([...entries, ...number(entries, resumed(plan))], endless);
    expect(roundsOf(again)).toEqual(["rounds", 5]);
    expect(planResume(fold(again.entries), {}, circumstances).grant).toEqual({ rounds: 3 });
  });

  it("that is not named at a resume, and not used up, counts on", () => {
    const { entries } = drive(limitedTo({ rounds: 1, tokens: 77 }), endless);
    const plan = planResume(fold(entries), { limits: { rounds: 9 } }, circumstances);
    expect(plan.grant).toEqual({ rounds: 9 });
    const again = drive([...entries, ...number(entries, resumed(plan))], endless);
    expect(roundsOf(again)).toEqual(roundsOf(drive(limitedTo({ tokens: 77 }), endless)));
    const next = planResume(fold(again.entries), {}, circumstances);
    expect(next.grant).toEqual({ tokens: 77 });
  });

  it("that there is not stays none after a resume", () => {
    const { entries } = drive(begin(), { ...endless, decide: () => ({ shouldContinue: false }) });
    const state = fold([
      ...entries,
      ...number(entries, resumed(planResume(fold(entries), {}, circumstances))),
    ]);
    expect([state.limits, remainingRounds(state)]).toEqual([noLimits, null]);
  });

  it("leaves the time between two stretches out", () => {
    const { entries } = drive(limitedTo({ seconds: 100, rounds: 2 }), endless, {
      ...circumstances,
      now: later(20),
    });
    const resumption = resumed({ config: runConfig, grant: undefined, more: undefined });
    const after = [
      ...entries,
      ...number(entries, resumption).map((entry) => ({ ...entry, at: later(9000) })),
    ];
    const state = fold(after);
    expect(state.spent.earlierMs).toBe((entries.length - 1) * 1000);
  });

  it("of time counts neither the time until a merge nor that until a resume", () => {
    const { entries } = drive(limitedTo({ seconds: 100, rounds: 2 }), endless, { now: later(20) });
    const worked = (entries.length - 1) * 1000;
    const note: NewEntry = {
      ...{ id: noteIds("a merge").end, kind: "event", event: mergedEvent, data: {}, at: later(5000) },
      strand: instructorStrand,
    };
    const merged = fold([...entries, note]);
    expect(planResume(merged, {}, { now: later(9000) }).grant).toEqual({ rounds: 2 });
    const resumption = resumed({ config: runConfig, grant: undefined, more: undefined });
    const after = number([...entries, note], resumption).map((entry) => ({ ...entry, at: later(9000) }));
    const state = fold([...entries, note, ...after]);
    expect(remainingLimits(state, { now: later(9000) }).seconds).toBe(100 - worked / 1000);
    expect(countMs(state.spent, later(9001))).toBe(worked + 1000);
  });

  it("that is granted again does not forget what the run has used from its beginning on", () => {
    const { entries } = drive(limitedTo({ seconds: 10, tokens: 20 }), endless, { now: later(3) });
    const plan = planResume(fold(entries), { limits: { seconds: 5, tokens: 5 } }, { now: later(3) });
    const state = fold([...entries, ...number(entries, resumed(plan))]);
    expect(remainingLimits(state, { now: later(entries.length + 1) })).toEqual({
      ...{ rounds: null, tokens: 5, seconds: 5, cost: null },
    });
    expect(countTokens(state.spent)).toBe(22);
    expect(state.spent.earlierMs).toBe((entries.length - 1) * 1000);
  });
});

describe("a resume", () => {
  // Seed 3: 11.2
  it("tells which models and folder are others than before", () => {
    const wishes = { instructorModel: "openai/other", workerModel: runConfig.workerModel, workDir: "/moved" };
    const state = { ...fold(begin()), systemPrompt: "Work in\n/work\nand not in /work/x." };
    expect(planResume(state, wishes, circumstances)).toEqual({
      config: { ...runConfig, instructorModel: "openai/other", workDir: "/moved" },
      systemPrompt: "Work in\n/moved\nand not in /work/x.",
      ...{ grant: undefined, more: undefined },
      changes: [
        { setting: "instructorModel", before: runConfig.instructorModel, now: "openai/other" },
        { setting: "workDir", before: "/work", now: "/moved" },
      ],
    });
  });
});

describe("a configuration", () => {
  // Seed 3: 2.2
  it("comes back from what the log keeps of it", () => {
    const config = { ...runConfig, limits: { rounds: 5, tokens: null, seconds: 60, cost: 1.5 } };
    expect(parseConfig(renderConfig(config), runConfig)).toEqual(config);
  });

  it("takes what others wrote, as far as it goes", () => {
    expect(parseConfig({ maxRounds: 7, useThinking: "yes", workDir: 3 }, runConfig)).toEqual({
      ...runConfig,
      limits: { ...noLimits, rounds: 7 },
    });
    expect(parseConfig(undefined, runConfig)).toEqual(runConfig);
  });
});

describe("what was spent", () => {
  it("counts what was read and written, and not what a cache had", () => {
    const usage = {
      a: { inputTokens: 1, cacheReadTokens: 100 },
      b: { outputTokens: 2, cacheWriteTokens: 4 },
    };
    expect(countTokens({ usage })).toBe(7);
  });

  it("costs what each model asks for each kind of token", () => {
    const usage = { a: { inputTokens: 1e6, outputTokens: 1e6, cacheReadTokens: 1e6, cacheWriteTokens: 1e6 } };
    expect(countCost({ usage }, { a: { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 } })).toBe(
      22.05,
    );
    expect(countCost({ usage }, { a: { input: 3, output: 15 } })).toBe(24);
    expect(countCost({ usage }, {})).toBeUndefined();
  });

  it("adds up without making up what nobody told", () => {
    expect(addUsage({ inputTokens: 1 }, { inputTokens: 2, outputTokens: 3 })).toEqual({
      inputTokens: 3,
      outputTokens: 3,
    });
  });
});
