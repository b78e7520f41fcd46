import { expect, it } from "vitest";
import type { NewEntry } from "../../src/sessions/entry.ts";
import type { EntryId, Strand } from "../../src/sessions/ids.ts";
import { observed } from "../../src/sessions/observations.ts";
import { ownFrames } from "../../src/sessions/own-echo.ts";
import { readLastPrompt } from "../../src/sessions/user-words.ts";
import { later, newSession, said } from "../support/entries.ts";
import { openSqliteTestLog } from "../support/test-log.ts";

const answer = (id: string, seconds: number): NewEntry => ({
  ...{ kind: "message", role: "assistant", id: id as EntryId, at: later(seconds) },
  parts: [{ type: "text", text: "I am at it." }],
});
const seen = (prompt: string, seconds: number) =>
  observed("seen" as EntryId, later(seconds), "prompt-seen", { prompt });

it.each([
  {
    case: "the last of several",
    entries: [said("1", "one"), said("2", "two"), answer("3", 3)],
    prompt: "two",
  },
  {
    case: "the one that only a hook saw",
    entries: [said("1", "one"), answer("2", 2), seen("killed", 3)],
    prompt: "killed",
  },
  {
    case: "not one that a hook saw before, and that was recorded later",
    entries: [said("1", "one", { at: later(1) }), said("2", "two", { at: later(5) }), seen("one", 1)],
    prompt: "two",
  },
  {
    case: "one before hundreds of answers",
    entries: [said("1", "one"), ...Array.from({ length: 300 }, (_, index) => answer(`a${index}`, index))],
    prompt: "one",
  },
  {
    case: "not what was said to a subagent",
    entries: [said("1", "one"), said("2", "look", { strand: "agent-1" as Strand })],
    prompt: "one",
  },
  {
    case: "not what Carryon or the client said in the user's name",
    entries: [
      said("1", "one"),
      said("2", `${ownFrames[0]} It is quoted.`),
      said("3", "<system-reminder>Be brief.</system-reminder>"),
    ],
    prompt: "one",
  },
  { case: "none where nobody asked anything", entries: [answer("1", 1)], prompt: undefined },
])("finds $case", async ({ entries, prompt }) => {
  await using test = await openSqliteTestLog();
  const { id } = await test.log.open(newSession("s-1", test.project));
  await test.log.append(id, entries);
  expect(await readLastPrompt(test.log, id)).toBe(prompt);
});
