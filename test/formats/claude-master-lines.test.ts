import { describe, expect, it } from "vitest";
import { exportAll, importInto } from "../support/exchange.ts";
import { openSqliteTestLog } from "../support/test-log.ts";

const id = "0f8fad5b-d9cb-469f-a165-70867728950e";
const config = {
  ...{ authToken: "token-of-somebody", apiKey: "key-of-somebody", baseURL: "https://proxy.example/" },
  ...{ instructorModel: "claude-opus-4-1", workerModel: "claude-sonnet-4-5", useThinking: false },
};
const at = (minute: number) => `2025-11-08T15:3${minute}:00.000Z`;
const user = (content: string) => ({ role: "user", content });
const reply = (text: string) => ({ role: "assistant", content: [{ type: "text", text }] });
/** A text alone is told without a block. */
const told = (content: string) => ({ role: "assistant", content });
const facts = (minute: number, currentRound: number) => ({
  ...{ timestamp: at(minute), sessionId: id, createdAt: at(minute), lastUpdatedAt: at(minute) },
  ...{ currentRound, remainingRounds: null, workDir: "/work", config },
});

describe("lines that are no session of claude-master", () => {
  const importLines = async (...lines: readonly object[]) => {
    await using test = await openSqliteTestLog();
    return await importInto(test, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  };

  it("are refused by their type, and not as JSON that is broken", async () => {
    await expect(importLines({ role: "user" }, { role: "user" })).rejects.toThrow(
      "Line 1: its type is none that is known.",
    );
  });

  it("are refused with all that is missing", async () => {
    const state = { type: "session-state", sessionId: id, currentRound: 1 };
    await expect(importLines(state)).rejects.toThrow(
      "It is no SessionState: createdAt, lastUpdatedAt, config.instructorModel, config.workerModel are missing.",
    );
  });
});

/** The session in each of the forms that the original has written. */
const forms: Readonly<Record<string, readonly object[]>> = {
  "all of it each time": [
    { type: "session-state", ...facts(0, 1), instructorMessages: [user("Build it")], workerMessages: [] },
    {
      ...{ type: "session-state", ...facts(5, 2) },
      instructorMessages: [user("Build it"), reply("Tell worker: go")],
      workerMessages: [user("go"), reply("Done.")],
    },
  ],
  "what is new each time": [
    { type: "instructor-message", timestamp: at(0), message: user("Build it") },
    { type: "session-metadata", ...facts(0, 1) },
    { type: "instructor-message", timestamp: at(5), message: reply("Tell worker: go") },
    { type: "worker-message", timestamp: at(5), message: user("go") },
    { type: "worker-message", timestamp: at(5), message: reply("Done.") },
    { type: "session-metadata", ...facts(5, 2) },
  ],
};

const render = (lines: readonly object[]) => lines.map((line) => `${JSON.stringify(line)}\n`).join("");

describe.each(Object.entries(forms))("lines of claude-master that say %s", (_name, lines) => {
  // Seed 3: 7.2
  it("become one session, without keys and addresses, and twice the same", async () => {
    await using test = await openSqliteTestLog();
    const first = await importInto(test, render(lines));
    expect(first).toMatchObject({ format: "claude-master", sessions: [{ session: id }] });
    const text = await exportAll(test, "claude-master");
    expect(JSON.parse(text)).toEqual({
      ...{ sessionId: id, createdAt: at(0), lastUpdatedAt: expect.any(String), version: "1.0.0" },
      config: {
        ...{ instructorModel: "claude-opus-4-1", workerModel: "claude-sonnet-4-5", maxRounds: null },
        ...{ useThinking: false, workDir: "/work" },
      },
      ...{ currentRound: 2, remainingRounds: null },
      instructor: { conversationHistory: [user("Build it"), told("Tell worker: go")], systemPrompt: "" },
      worker: { conversationHistory: [user("go"), told("Done.")] },
      ...{ lastInstruction: "", lastInstructorResponse: expect.anything() },
    });
    expect(await exportAll(test, "carryon")).not.toMatch(/of-somebody|proxy\.example/);
    await importInto(test, render(lines));
    expect(await exportAll(test, "claude-master")).toBe(text);
  });

  it("go on here when there are more of them", async () => {
    await using test = await openSqliteTestLog();
    const half = lines.slice(0, lines.length / 2 < 2 ? 1 : 2);
    await importInto(test, render(half));
    await importInto(test, render(lines));
    expect(JSON.parse(await exportAll(test, "claude-master"))).toMatchObject({
      currentRound: 2,
      worker: { conversationHistory: [{ content: "go" }, { content: "Done." }] },
    });
  });

  it("are refused with the number of the line that is cut off, or kept up to it", async () => {
    await using test = await openSqliteTestLog();
    const cut = `${render(lines)}{"type":"session-me`;
    await expect(importInto(test, cut)).rejects.toMatchObject({
      code: "bad-import",
      message: expect.stringContaining(`Line ${lines.length + 1}`),
    });
    expect((await importInto(test, cut, { whenBad: "keep-whole-lines" })).problem?.where).toBe(
      `Line ${lines.length + 1}`,
    );
    expect(JSON.parse(await exportAll(test, "claude-master"))).toMatchObject({ currentRound: 2 });
  });
});

describe("lines of claude-master", () => {
  it.each([
    {
      case: "another kind",
      lines: [{ type: "session-metadata", ...facts(0, 1) }, { type: "xyz" }],
      says: "Line 2",
    },
    {
      case: "no session",
      lines: [{ type: "worker-message", message: user("x") }],
      says: "one of its lines",
    },
    {
      case: "no message",
      lines: [
        { type: "worker-message", message: 3 },
        { type: "session-metadata", ...facts(0, 1) },
      ],
      says: "worker",
    },
  ])("are refused with $case", async ({ lines, says }) => {
    await using test = await openSqliteTestLog();
    await expect(importInto(test, render(lines))).rejects.toMatchObject({
      ...{ code: "bad-import", message: expect.stringContaining(says) },
    });
  });
});
