import { describe, expect, it } from "vitest";
import type { CheckRun } from "../../../src/outcomes/find-runs.ts";
import type { ConversationLog } from "../../../src/sessions/conversation-log.ts";
import type { Entry } from "../../../src/sessions/entry.ts";
import { parseSessionId } from "../../../src/sessions/ids.ts";
import { standingAfter } from "../../support/outcomes.ts";
import { message, minute, openRecordedWork, ran, text } from "../../support/recorded-work.ts";

const npmTest = (at: Date) => ran(at, { input: { command: "npm test" }, output: "" });
const commandsOf = (runs: readonly CheckRun[]) => runs.map(({ command }) => command);
const blockerOf = (runs: readonly CheckRun[]) => standingAfter({ outcomes: [], runs })[0];

describe("of a long session", () => {
  const old = Array.from({ length: 3000 }, () => message(minute(0), "user", text("old")));

  /** A log that counts the entries that are read of it. */
  function counting(log: ConversationLog) {
    const count = { read: 0 };
    const read = async function* (...args: Parameters<ConversationLog["read"]>): AsyncGenerator<Entry> {
      for await (const entry of log.read(...args)) {
        count.read += 1;
        yield entry;
      }
    };
    const counted = Object.create(log, { read: { value: read }, list: { value: log.list.bind(log) } });
    return { count, log: counted as ConversationLog };
  }

  it("only what is new is read", async () => {
    await using work = await openRecordedWork();
    await work.record("one", [...old, ...npmTest(minute(5))]);
    await work.collect(minute(1));
    await work.log.append(parseSessionId("one"), npmTest(minute(6)));
    const { count, log } = counting(work.log);
    expect([commandsOf(await work.collect(minute(1), { log })), count.read]).toEqual([
      ["npm test", "npm test"],
      2,
    ]);
  });

  it("the end alone is read where a user has rules of their own", async () => {
    await using work = await openRecordedWork();
    const frobbed = ran(minute(5), { input: { command: "make" }, output: "frob: gone", failed: true });
    await work.record("one", [...old, ...frobbed]);
    const rules = [
      {
        tool: "frob",
        type: "other",
        certainty: "summary",
        pattern: /^frob: gone$/,
        within: 500,
        resolution: "",
      },
    ] as const;
    const { count, log } = counting(work.log);
    const runs = await work.collect(minute(1), { log, settings: { rules } });
    expect([blockerOf(runs)?.type, count.read]).toEqual(["other", 100]);
    expect(blockerOf(await work.collect(minute(1)))).toBeUndefined();
  });
});
