import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseSessionState } from "../../src/formats/claude-master/parse-state.ts";
import { toSessionState } from "../../src/formats/render-claude-master.ts";
import { noLimits } from "../../src/run/run-config.ts";
import { callStarted, userText } from "../../src/run/run-entries.ts";
import type { RunState } from "../../src/run/run-state.ts";
import { workerStrand } from "../../src/run/run-state.ts";
import { remainingRounds } from "../../src/run/spent.ts";
import type { Entry, NewEntry } from "../../src/sessions/entry.ts";
import { parseSessionId } from "../../src/sessions/ids.ts";
import { makeBlock } from "../../src/sessions/make-merge-block.ts";
import { one, openWithSession } from "../contract/test-log.ts";
import { later } from "../support/entries.ts";
import { exportAll, importInto } from "../support/exchange.ts";
import { listedSession } from "../support/listed-session.ts";
import {
  begin,
  call,
  decided,
  drive,
  fold,
  number,
  type PureScript,
  reply,
  text,
} from "../support/pure-run.ts";
import { openSqliteTestLog } from "../support/test-log.ts";

/** Four rounds, with calls, an instructor that does not decide at once, and replies that were cut off. */
const builder: PureScript = {
  decide: ({ rounds, phase }: RunState) => {
    if (rounds === 2 && phase.type === "deciding" && phase.unclear === 0) return "Let me see.";
    return rounds < 4
      ? { instruction: `Write part ${rounds + 1}.` }
      : { shouldContinue: false, summary: "Done." };
  },
  work: ({ replies, ruling: { instruction } }) =>
    replies < 2
      ? [text("On it."), call(`${instruction} ${replies}`), call(`again ${replies}`, {}, "read")]
      : [text(`Did: ${instruction}`)],
  tree: (round) => `tree-${round}`,
};

const limits = { ...noLimits, rounds: 6 };
const { entries: whole, lengths } = drive(begin({ limits }), builder);

const asStored = (entries: readonly NewEntry[]) => entries as readonly Entry[];

/** Writes entries to a file and reads them again. */
function carry(entries: readonly NewEntry[]): readonly NewEntry[] {
  const session = listedSession({ startedAt: later(0), updatedAt: later(100) });
  const written = JSON.stringify(toSessionState(session, entries as readonly Entry[]));
  const { entries: read, closing } = parseSessionState(JSON.parse(written));
  return closing === undefined ? read : [...read, closing.entry];
}

/** Where a run stands, but for what a file does not have: what was used. */
function placeOf(entries: readonly NewEntry[]) {
  const state = fold(entries);
  const { task, rounds, lastRound, phase, systemPrompt } = state;
  return { task, rounds, lastRound, systemPrompt, phase, remaining: remainingRounds(state) };
}

describe("a run in a session file", () => {
  // Seed 3: 1.3, 6.5, 11.3
  it("stands where it stood, whenever the file was written, and makes no call again that may have been made", () => {
    fc.assert(
      fc.property(fc.constantFrom(...lengths), (length) => {
        const kept = whole.slice(0, length);
        expect(placeOf(carry(kept))).toEqual(placeOf(kept));
      }),
    );
  });

  it("is ended where its task is done, and else interrupted: nobody works on it", async () => {
    for (const [length, status] of [
      [whole.length, "ended"],
      [whole.length - 3, "interrupted"],
    ] as const) {
      await using from = await openWithSession(openSqliteTestLog);
      await using to = await openSqliteTestLog();
      await from.log.append(one, whole.slice(0, length));
      await importInto(to, await exportAll(from, "claude-master"));
      expect((await to.log.list({ id: one })).sessions).toMatchObject([{ status }]);
    }
  });

  it("counts every call without a result as begun where the file does not say it", () => {
    const open = [reply(workerStrand, [call("1"), call("2")]), callStarted("1")];
    const told = [decided({ instruction: "Do it." }), userText(workerStrand, "Do it."), ...open];
    const entries = [...begin(), ...number(begin(), told)];
    const begunOf = (read: readonly NewEntry[]) => {
      const { phase } = fold(read);
      return phase.type === "working" ? phase.calls.map(({ isStarted }) => isStarted) : [];
    };
    const session = listedSession({ startedAt: later(0), updatedAt: later(100) });
    const { worker, ...state } = toSessionState(session, asStored(entries));
    const { waitingCalls, ...others } = worker;
    expect([waitingCalls, begunOf(carry(entries))]).toEqual([["2"], [true, false]]);
    expect(begunOf(parseSessionState({ ...state, worker: others }).entries)).toEqual([true, true]);
  });

  it("keeps that a reply was cut off: half a sentence is no report", () => {
    const told = [
      ...[decided({ instruction: "Do it." }), userText(workerStrand, "Do it.")],
      reply(workerStrand, [text("I will")], { interrupted: true }),
    ];
    const entries = [...begin(), ...number(begin(), told)];
    expect(fold(carry(entries)).phase).toMatchObject({ type: "working", report: undefined });
  });

  it("goes on where the store has less, with its rounds, and stays as it is where the store has more", async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...lengths), async (length) => {
        await using longer = await openWithSession(openSqliteTestLog);
        await using shorter = await openWithSession(openSqliteTestLog);
        await longer.log.append(one, whole);
        await shorter.log.append(one, whole.slice(0, length));
        const less = await exportAll(shorter, "claude-master");
        await importInto(shorter, await exportAll(longer, "claude-master"));
        const all = await Array.fromAsync(shorter.log.read(one));
        const { remaining: _remaining, ...place } = placeOf(all);
        expect(place).toEqual({ ...placeOf(whole), remaining: undefined });
        const [taken] = (await importInto(longer, less)).sessions;
        expect(taken).toMatchObject({ type: "known", session: one });
      }),
      { numRuns: 10 },
    );
  });

  // Seed 3: 2.3
  it("counts what was left of the rounds, also where a resume had granted some", () => {
    const stopped = drive(begin({ limits: { ...noLimits, rounds: 2 } }), builder).entries;
    expect(placeOf(carry(stopped)).remaining).toBe(0);
    const more = {
      kind: "event",
      strand: workerStrand,
      event: "resumed",
      data: { grant: { maxRounds: 5 } },
    } as const;
    expect(placeOf(carry([...stopped, ...number(stopped, [more])])).remaining).toBe(5);
    expect(placeOf(carry(begin())).remaining).toBe(null);
    expect(fold(carry(stopped)).config.limits).toEqual({ ...noLimits, rounds: 2 });
  });

  it("stands where it stood after another run was merged into it", () => {
    const half = whole.slice(0, lengths[20]);
    const part = whole.map((entry, index) => ({
      ...{ ...entry, session: parseSessionId("other"), seq: index + 1, parent: null },
      strand: entry.strand ?? workerStrand,
    }));
    const merged = [...half, ...makeBlock({ part, key: "x", now: later(200), data: {} })];
    expect(carry(merged)).toEqual(carry(half));
    expect(fold(merged)).toEqual(fold(half));
  });

  it("is refused where its rounds do not fit its histories", () => {
    const session = listedSession({ startedAt: later(0), updatedAt: later(100) });
    const { rounds = [], ...state } = toSessionState(session, whole as readonly Entry[]);
    const bent = rounds.map((round) => ({ ...round, worker: round.worker + 1000 }));
    expect(() => parseSessionState({ ...state, rounds: bent })).toThrow("rounds, round 1: it does not fit");
    expect(() => parseSessionState({ ...state, rounds: rounds.slice(1) })).toThrow("does not fit");
  });
});
