import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseSessionId, parseStrand } from "../../src/sessions/ids.ts";
import { one, openWithSession } from "../contract/test-log.ts";
import { anyNewEntry, collect, said } from "../support/entries.ts";
import { exportAll, importInto } from "../support/exchange.ts";
import { openSqliteTestLog } from "../support/test-log.ts";

/** A session as the original wrote it. */
const state = {
  sessionId: "2025-11-08-15-30-00",
  createdAt: "2025-11-08T15:30:00.000Z",
  lastUpdatedAt: "2025-11-08T16:45:00.000Z",
  version: "1.0.0",
  config: {
    instructorModel: "opus",
    workerModel: "sonnet",
    maxRounds: 10,
    useThinking: true,
    workDir: "/work",
  },
  currentRound: 3,
  remainingRounds: 7,
  instructor: {
    conversationHistory: [
      { role: "user", content: "Build it" },
      {
        role: "assistant",
        content: [
          { type: "thinking", thinking: "hm", signature: "s" },
          { type: "text", text: "Go" },
        ],
      },
    ],
    systemPrompt: "You are an instructor.",
  },
  worker: {
    conversationHistory: [
      { role: "user", content: "Go" },
      { role: "assistant", content: [{ type: "tool_use", id: "t1", name: "read", input: { path: "a" } }] },
      {
        role: "user",
        content: [{ type: "tool_result", tool_use_id: "t1", content: "text", is_error: false }],
      },
      { role: "assistant", content: [{ type: "new_kind", data: [1] }] },
    ],
  },
  lastInstruction: "Go on",
  lastInstructorResponse: {
    ...{
      thinking: "hm",
      instruction: "Go on",
      workerModel: "sonnet",
      shouldContinue: true,
      needsCorrection: false,
    },
  },
};

describe("a session in the format claude-master", () => {
  // Seed 3: 2.1, 2.4, 2.5, 5.8
  it("comes back as it was written", async () => {
    await using test = await openSqliteTestLog();
    expect((await importInto(test, JSON.stringify(state, null, 2))).sessions).toMatchObject([
      { type: "added", session: state.sessionId },
    ]);
    expect(JSON.parse(await exportAll(test, "claude-master"))).toEqual(state);
    const entries = await collect(test.log.read(parseSessionId(state.sessionId)));
    expect(entries.map(({ kind, strand }) => `${strand} ${kind}`)).toEqual([
      ...["instructor event", "instructor message", "instructor message"],
      ...["worker message", "worker message", "worker message", "worker message"],
      ...["instructor event", "instructor round"],
    ]);
    expect((await importInto(test, JSON.stringify(state))).sessions).toMatchObject([{ type: "known" }]);
  });

  it("goes on when the file has grown, also by a round", async () => {
    await using test = await openSqliteTestLog();
    await importInto(test, JSON.stringify(state));
    const history = [...state.worker.conversationHistory, { role: "user", content: "More" }];
    const grown = { ...state, currentRound: 4, remainingRounds: 6, worker: { conversationHistory: history } };
    expect((await importInto(test, JSON.stringify(grown))).sessions).toMatchObject([
      { type: "extended", added: 3 },
    ]);
    const told = JSON.parse(await exportAll(test, "claude-master"));
    expect([told.currentRound, told.worker]).toEqual([4, grown.worker]);
    expect((await importInto(test, JSON.stringify(grown))).sessions).toMatchObject([{ type: "known" }]);
  });

  // Seed 3: 5.8
  it("says the same after it was imported elsewhere, for any talk", async () => {
    const anyTalk = fc.uniqueArray(anyNewEntry, { selector: ({ id }) => id, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(anyTalk, async (talk) => {
        await using from = await openWithSession(openSqliteTestLog);
        await using to = await openSqliteTestLog();
        await from.log.append(
          one,
          talk.map((entry, index) => ({
            ...entry,
            strand: parseStrand(index % 2 === 0 ? "instructor" : "worker"),
          })),
        );
        const text = await exportAll(from, "claude-master");
        await importInto(to, text);
        const { instructor, worker, ...rest } = JSON.parse(await exportAll(to, "claude-master"));
        expect({ instructor, worker }).toEqual({
          instructor: JSON.parse(text).instructor,
          worker: JSON.parse(text).worker,
        });
        expect(rest.sessionId).toBe("one");
        for (const store of [from, to])
          expect((await importInto(store, text)).sessions[0]?.type).toBe("known");
      }),
      { numRuns: 15 },
    );
  });

  it("has no rounds where the session was never a run, and no limit where none was given", async () => {
    await using test = await openWithSession(openSqliteTestLog);
    await test.log.append(one, [said("a", "Hello")]);
    expect(JSON.parse(await exportAll(test, "claude-master"))).toMatchObject({
      ...{ sessionId: "one", currentRound: 0, remainingRounds: null, lastInstruction: "Hello" },
      ...{ config: { maxRounds: null, workDir: "/work" }, lastInstructorResponse: null },
    });
  });

  it.each([
    [{ ...state, sessionId: "../../x" }, "sessionId: it must be 1 to 128 letters, digits, - and _."],
    [
      { ...state, version: "2.0.0" },
      "It is no SessionState: version is not one that this Carryon knows: 1.x.",
    ],
    [{ ...state, currentRound: "3" }, "It is no SessionState: currentRound must be a number."],
    [
      { ...state, worker: { conversationHistory: [{ role: "system", content: "x" }] } },
      "worker.conversationHistory, message 1: it is no message with a role and content.",
    ],
  ])("is refused with the reason", async (document, message) => {
    await using test = await openSqliteTestLog();
    await expect(importInto(test, JSON.stringify(document))).rejects.toMatchObject({
      code: "bad-import",
      message,
    });
    expect((await test.log.list()).sessions).toEqual([]);
  });
});
