import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { callNotes } from "../../../src/run/make-calls.ts";
import { planResume } from "../../../src/run/plan-resume.ts";
import { instructorPrompt } from "../../../src/run/prompts.ts";
import { replayRecord } from "../../../src/run/replay-dry.ts";
import { noLimits } from "../../../src/run/run-config.ts";
import { resumed, started, stopped } from "../../../src/run/run-entries.ts";
import { instructorStrand, workerStrand } from "../../../src/run/run-state.ts";
import type { Entry, NewEntry } from "../../../src/sessions/entry.ts";
import type { SessionId } from "../../../src/sessions/ids.ts";
import { workTools } from "../../../src/tools/open-toolbox.ts";
import {
  call,
  circumstances,
  drive,
  fold,
  number,
  type PureScript,
  reply,
  runConfig,
  text,
} from "../../support/pure-run.ts";

const builder: PureScript = {
  decide: ({ rounds }) =>
    rounds < 4 ? { instruction: `Write part ${rounds + 1}.` } : { shouldContinue: false, summary: "Done." },
  work: ({ replies, ruling }) =>
    replies < 2
      ? [text("On it."), call(`${ruling.instruction} ${replies}`)]
      : [text(`Did: ${ruling.instruction}`)],
  tree: (round) => `tree-${round}`,
};

const begin = (limits = noLimits) =>
  number([], started({ ...runConfig, limits }, instructorPrompt(runConfig.workDir), { task: "Build it." }));

/** As the log has them. */
const stored = (entries: readonly NewEntry[]): readonly Entry[] =>
  entries.map((entry, index) => ({
    ...{ ...entry, session: "session-1" as SessionId, seq: index + 1, parent: null },
    strand: entry.strand ?? instructorStrand,
  }));

const ended = (entries: readonly NewEntry[], reason = "done") => [
  ...entries,
  ...number(entries, [stopped("ended", reason)]),
];

const replay = (entries: readonly NewEntry[], fromRound = 1) =>
  replayRecord(stored(entries), { tools: workTools, fromRound });

/** The support says of a call that was cut off that it was; the program says more. */
const withNote = (entry: NewEntry): NewEntry => {
  if (entry.kind !== "message" || entry.role !== "tool") return entry;
  const parts = entry.parts.map((part) =>
    part.type === "tool-result" && part.output === "interrupted"
      ? { ...part, output: callNotes.cutOff }
      : part,
  );
  return { ...entry, parts };
};

const whole = ended(drive(begin(), builder).entries);

describe("a dry replay", () => {
  it("finds a run as it was recorded, twice the same", async () => {
    const first = await replay(whole);
    expect(first).toEqual({
      ...{ rounds: 4, steps: 34, entries: whole.length - 2, unchecked: 0, prompt: "same", difference: null },
    });
    expect(await replay(whole)).toEqual(first);
  });

  it("finds a run that was killed anywhere, and resumed, as it was recorded", async () => {
    const { entries, lengths } = drive(begin(), builder);
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...lengths), fc.boolean(), async (length, isNoted) => {
        const kept = entries.slice(0, length);
        const noted = isNoted ? [stopped("interrupted", "Stopped.")] : [];
        const cut = reply(workerStrand, [text("I was about to")], { interrupted: true } as object);
        const plan = planResume(fold(kept), { more: "Be quick." }, circumstances);
        const gap = number(kept, [cut, ...noted, ...resumed(plan)]);
        const after = drive([...kept, ...gap], builder);
        const result = await replay(ended(after.entries.map(withNote), after.reason));
        expect(result?.difference).toBeNull();
        expect(result?.rounds).toBe(4);
      }),
      { numRuns: 80 },
    );
  });

  it("passes over a reply that broke off and was asked for again at once", async () => {
    const at = whole.findIndex(({ strand, kind }) => strand === workerStrand && kind === "message") + 1;
    const cut = reply(workerStrand, [text("I was about to")], { interrupted: true } as object);
    const broken = [...whole.slice(0, at), ...number(whole.slice(0, at), [cut]), ...whole.slice(at)];
    expect(await replay(broken)).toMatchObject({ rounds: 4, entries: whole.length - 2, difference: null });
  });

  it("is the same up to where the record ends, wherever that is", async () => {
    for (const { length } of drive(begin(), builder).lengths.map((length) => whole.slice(0, length)))
      expect((await replay(whole.slice(0, length)))?.difference).toBeNull();
  });

  it("holds a limit that stopped the run against the one of today", async () => {
    const { entries, reason } = drive(begin({ ...noLimits, rounds: 2 }), builder);
    expect((await replay(ended(entries, reason)))?.difference).toBeNull();
    expect((await replay(ended(entries, "tokens")))?.difference).toEqual({
      ...{ seq: entries.length + 1, entry: expect.any(String), round: 3 },
      recorded: expect.stringContaining('"reason":"tokens"'),
      now: expect.stringContaining('"reason":"rounds"'),
    });
  });

  // Seed 3: 8.5
  it.each([
    {
      case: "another word to the worker",
      change: (entry: NewEntry) =>
        entry.kind === "message" && entry.strand === workerStrand && entry.role === "user"
          ? { ...entry, parts: [text("Write it all.")] }
          : entry,
      difference: {
        round: 1,
        recorded: expect.stringContaining('"text":"Write it all."'),
        now: expect.stringContaining('"text":"Write part 1."'),
      },
    },
    {
      case: "a tool that there is no more",
      change: (entry: NewEntry) =>
        entry.kind === "message" && entry.strand === workerStrand && entry.role === "assistant"
          ? {
              ...entry,
              parts: entry.parts.map((part) =>
                part.type === "tool-call" ? { ...part, name: "teleport" } : part,
              ),
            }
          : entry,
      difference: {
        round: 1,
        recorded: expect.stringContaining('"call":"Write part 1. 0"'),
        now: expect.stringMatching(/nothing is recorded of (teleport|write)/),
      },
    },
    {
      case: "something of which no word is told",
      change: (entry: NewEntry) =>
        entry.kind === "round" && entry.number === 2
          ? { ...entry, data: { ...entry.data, needsCorrection: true } }
          : entry,
      difference: {
        round: 2,
        recorded: expect.stringContaining('"needsCorrection":true'),
        now: expect.stringContaining('"needsCorrection":false'),
      },
    },
    {
      case: "a round that ends too soon",
      change: (entry: NewEntry) =>
        entry.kind === "message" && entry.strand === workerStrand && entry.role === "tool"
          ? { ...entry, role: "assistant" as const, parts: [text("Enough.")] }
          : entry,
      difference: {
        round: 1,
        recorded: expect.stringContaining('"text":"Enough."'),
        now: expect.stringMatching(/nothing is recorded of (teleport|write)/),
      },
    },
  ])("names the first difference: $case", async ({ change, difference }) => {
    const result = await replay(whole.map(change));
    expect(result).toHaveProperty("difference", {
      seq: expect.any(Number),
      entry: expect.any(String),
      ...difference,
    });
  });

  it("shows a long text from where it differs", async () => {
    const long = "x".repeat(1000);
    const wordy = { ...builder, decide: () => ({ instruction: `${long} and go on.` }) };
    const { entries } = drive(begin({ ...noLimits, rounds: 1 }), wordy);
    const changed = entries.map((entry) =>
      entry.kind === "message" && entry.strand === workerStrand && entry.role === "user"
        ? { ...entry, parts: [text(`${long} and then stop.`)] }
        : entry,
    );
    const { recorded, now } = (await replay(changed))?.difference ?? {};
    expect([recorded, now]).toEqual([
      `…${"x".repeat(35)} and then stop."}]}`,
      `…${"x".repeat(35)} and go on."}]}`,
    ]);
  });

  it("begins at a round, and takes what was before as it is", async () => {
    const broken = whole.map((entry) =>
      entry.kind === "round" && entry.number === 1 ? { ...entry, data: {} } : entry,
    );
    expect((await replay(broken))?.difference?.round).toBe(1);
    expect(await replay(broken, 2)).toMatchObject({ rounds: 4, difference: null });
    expect(await replay(broken, 6)).toBeUndefined();
  });

  // Seed 3: 9.5
  it("tells that the instructor has another prompt today", async () => {
    const old = number([], started(runConfig, "You direct.", { task: "Build it." }));
    expect(await replay(drive(old, builder).entries)).toMatchObject({ prompt: "changed", difference: null });
  });
});
