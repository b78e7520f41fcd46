import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { nextStep } from "../../src/run/next-step.ts";
import { planResume } from "../../src/run/plan-resume.ts";
import { noLimits } from "../../src/run/run-config.ts";
import { callEnded, callStarted, prompted, resumed, userText } from "../../src/run/run-entries.ts";
import type { Working } from "../../src/run/run-phase.ts";
import { instructorStrand, type RunState, workerStrand } from "../../src/run/run-state.ts";
import type { NewEntry } from "../../src/sessions/entry.ts";
import {
  begin,
  call,
  circumstances,
  decided,
  drive,
  fold,
  number,
  type PureScript,
  reply,
  runConfig,
  text,
} from "../support/pure-run.ts";

/** Twelve rounds with three files each, and then the end. */
const builder: PureScript = {
  decide: ({ rounds }: RunState) =>
    rounds < 12
      ? { instruction: `Write part ${rounds + 1}.` }
      : { shouldContinue: false, summary: "All parts are there." },
  work: ({ replies, ruling }: Working) =>
    replies < 3
      ? [text("On it."), call(`${ruling.instruction} ${replies}`), call(`again ${replies}`, {}, "read")]
      : [text(`Did: ${ruling.instruction}`)],
};

const of = (entries: readonly NewEntry[], ...more: Parameters<typeof number>[1]) => [
  ...entries,
  ...number(entries, more),
];

/** The next step, without what it carries along. */
const stepAfter = (entries: readonly NewEntry[]) => nextStep(fold(entries), circumstances).type;

/** Entries, and what a resume with the words of a user adds to them. */
const resumeWith = (entries: readonly NewEntry[], more: string) =>
  of(entries, ...resumed(planResume(fold(entries), { more }, circumstances)));

const told = of(begin(), decided({ instruction: "Do it." }), userText(workerStrand, "Do it."));

describe("a run", () => {
  it("goes from the task through instructions, work and reports to the end", () => {
    const { entries, reason, steps } = drive(begin(), builder);
    expect(reason).toBe("done");
    expect(steps.slice(0, 9)).toEqual([
      ...[
        "ask-instructor",
        "tell-worker",
        "ask-worker",
        "run-calls",
        "ask-worker",
        "run-calls",
        "ask-worker",
      ],
      ...["run-calls", "ask-worker"],
    ]);
    expect(fold(entries)).toMatchObject({
      task: "Build it.",
      rounds: 12,
      phase: { type: "done", summary: "All parts are there." },
    });
    expect(entries.flatMap((entry) => (entry.kind === "round" ? [entry.number] : []))).toEqual(
      Array.from({ length: 12 }, (_, index) => index + 1),
    );
  });

  // Seed 3: 6.5
  it("goes on from any entry as it would have without the kill, and repeats no round and no call", () => {
    const { entries: whole, lengths } = drive(begin(), builder);
    const isRound = (entry: NewEntry) => entry.kind === "round";
    fc.assert(
      fc.property(fc.constantFrom(...lengths), (length) => {
        const kept = whole.slice(0, length);
        const last = kept.at(-1);
        const after = drive(kept, builder);
        expect(after.reason).toBe("done");
        expect(after.entries.slice(0, length)).toEqual(kept);
        const isCut = last?.kind === "event" && last.event === "call-started";
        const cut = isCut
          ? callEnded(`${last.data.call}`, { output: "interrupted", failed: true })
          : undefined;
        const rest = whole.slice(length, length + 1).map((entry) => ({ ...entry, ...cut }));
        expect(after.entries.slice(length)).toEqual([...rest, ...whole.slice(length + 1)]);
        expect(after.entries.filter(isRound).length).toBe(12);
      }),
      { numRuns: 60 },
    );
  });

  it("never leaves its end by itself, whatever is appended but the words of a user", () => {
    const done = of(begin(), decided({ shouldContinue: false, summary: "Done." }));
    expect(stepAfter(done)).toBe("stop");
    expect(stepAfter(of(done, callStarted("x"), reply(workerStrand, [text("late")])))).toBe("stop");
    expect(stepAfter(of(done, ...resumed({ config: runConfig, grant: undefined, more: "More." })))).toBe(
      "ask-instructor",
    );
  });
});

describe("the next step", () => {
  it.each([
    { case: "asks the instructor when the task is there", entries: begin(), step: "ask-instructor" },
    {
      case: "tells the worker what was decided",
      entries: of(begin(), decided({ instruction: "Do it." })),
      step: "tell-worker",
    },
    { case: "asks the worker that was told", entries: told, step: "ask-worker" },
    {
      case: "asks a worker again whose reply was cut off",
      entries: of(told, reply(workerStrand, [text("I will")], { interrupted: true } as object)),
      step: "ask-worker",
    },
    {
      case: "makes calls that were not begun",
      entries: of(told, reply(workerStrand, [call("1")])),
      step: "run-calls",
    },
    {
      case: "closes a call that was begun before it makes another",
      entries: of(told, reply(workerStrand, [call("1"), call("2")]), callStarted("1")),
      step: "close-calls",
    },
    {
      case: "gives back a call that it knows from the log alone, where a secret is not",
      entries: of(
        told,
        reply(workerStrand, [call("1", { a: ["[redacted:password:49d013f3]"] }), call("2")]),
        ...resumed({ config: runConfig, grant: undefined, more: undefined }),
      ),
      step: "return-calls",
    },
    {
      case: "makes a call with a text of that kind that the worker itself has said",
      entries: of(told, reply(workerStrand, [call("1", { a: "[redacted:password:49d013f3]" })])),
      step: "run-calls",
    },
    {
      case: "makes the others at a resume",
      entries: of(
        told,
        reply(workerStrand, [call("1", { a: "[redacted:…]" }), call("2")]),
        ...resumed({ config: runConfig, grant: undefined, more: undefined }),
      ),
      step: "run-calls",
    },
    {
      case: "ends the round with the report",
      entries: of(told, reply(workerStrand, [text("Did it.")])),
      step: "finish-round",
    },
    {
      case: "ends the round without a report of words",
      entries: of(told, reply(workerStrand, [])),
      step: "finish-round",
    },
    {
      case: "finishes the step before it hears what the user adds",
      entries: resumeWith(told, "Hurry."),
      step: "ask-worker",
    },
    {
      case: "does not tell the worker what was decided before the user has added something",
      entries: resumeWith(of(begin(), decided({ instruction: "Do it." })), "Do not."),
      step: "ask-instructor",
    },
    {
      case: "tells the worker what was decided where the user adds nothing",
      entries: resumeWith(of(begin(), decided({ instruction: "Do it." })), " "),
      step: "tell-worker",
    },
    {
      case: "objects to a ruling without an instruction",
      entries: of(begin(), decided({ instruction: " " })),
      step: "prompt-instructor",
    },
    {
      case: "asks the instructor again after an objection",
      entries: of(begin(), decided({ instruction: "" }), ...prompted("d1", "No.")),
      step: "ask-instructor",
    },
    {
      case: "prompts an instructor that has the last word, as in what others recorded",
      entries: of(begin(), reply(instructorStrand, [text("I shall see.")])),
      step: "prompt-instructor",
    },
  ])("$case", ({ entries, step }) => {
    expect(stepAfter(entries)).toBe(step);
  });

  it("names the call that an objection answers, and what is wrong with it", () => {
    const entries = of(begin(), decided({ instruction: "" }, "d7"));
    expect(nextStep(fold(entries), circumstances)).toEqual({
      type: "prompt-instructor",
      call: "d7",
      text: "instruction must say what the worker is to do, unless shouldContinue is false. Call next_step once, with all of its fields.",
    });
  });

  it("stops after three replies of the instructor in a row that are of no use, and tries again when resumed", () => {
    const mumbling: PureScript = { decide: () => "Hm.", work: () => [] };
    const { entries, reason } = drive(begin(), mumbling);
    expect(reason).toBe("unclear");
    expect(entries.filter((entry) => entry.kind === "message" && entry.role === "assistant").length).toBe(3);
    const after = of(entries, ...resumed({ config: runConfig, grant: undefined, more: undefined }));
    expect(drive(after, builder).reason).toBe("done");
  });

  it("stops a worker that makes the same call again and again, and lets the instructor know", () => {
    const looping: PureScript = {
      decide: ({ rounds }) =>
        rounds === 0 ? { instruction: "Go." } : { shouldContinue: false, summary: "x" },
      work: () => [call("same")],
    };
    const { entries } = drive(begin(), looping);
    const report = entries.find(
      (entry) => entry.strand === instructorStrand && entry.kind === "message" && entry.role === "tool",
    );
    expect(report).toMatchObject({
      parts: [
        {
          output:
            "The worker was stopped: it made the same call 5 times in a row, with the same result each time.",
        },
      ],
    });
  });

  it("stops a worker that never reports", () => {
    const restless: PureScript = {
      decide: ({ rounds }) =>
        rounds === 0 ? { instruction: "Go." } : { shouldContinue: false, summary: "x" },
      work: ({ replies }) => [call(`c${replies}`)],
    };
    const { entries, reason } = drive(begin(), restless);
    expect(reason).toBe("done");
    expect(entries.filter(({ strand, kind }) => strand === workerStrand && kind === "event").length).toBe(
      200,
    );
  });
});

describe("a run that goes in circles", () => {
  const idle = (tree?: (round: number) => string): PureScript => ({
    decide: () => ({ instruction: "Try." }),
    work: ({ replies }) => (replies === 0 ? [call("x", { same: true })] : [text("It did not work.")]),
    ...(tree && { tree }),
  });

  it("stops after three rounds that changed nothing and found out nothing new", () => {
    const { entries, reason } = drive(begin(), idle());
    expect([reason, fold(entries).rounds]).toEqual(["stalled", 4]);
  });

  it("goes on as long as files change", () => {
    const { reason, entries } = drive(
      begin({ limits: { ...noLimits, rounds: 9 } }),
      idle((round) => `tree-${round}`),
    );
    expect([reason, fold(entries).rounds]).toEqual(["rounds", 9]);
  });

  it("goes on as long as something new is found out", () => {
    const curious: PureScript = {
      decide: ({ rounds }) => ({ instruction: `Look at ${rounds}.` }),
      work: ({ replies, ruling }) => [replies === 0 ? call(ruling.instruction, {}, "read") : text("Seen.")],
      tree: () => "same",
    };
    const { reason } = drive(begin({ limits: { ...noLimits, rounds: 9 } }), curious);
    expect(reason).toBe("rounds");
  });

  it("stops when one instruction changes no file four times in a row, whatever is said", () => {
    const chatty: PureScript = {
      decide: () => ({ instruction: "Fix   it." }),
      work: ({ prints }) => [text(`Still trying, ${prints.length} ${Math.random()}.`)],
      tree: () => "same",
    };
    const { reason, entries } = drive(begin(), chatty);
    expect([reason, fold(entries).rounds]).toEqual(["stalled", 4]);
  });

  it("is tried again when somebody resumes it", () => {
    const { entries } = drive(begin(), idle());
    const after = of(entries, ...resumed({ config: runConfig, grant: undefined, more: "Another way." }));
    expect(fold(drive(after, idle()).entries).rounds).toBe(7);
  });
});
