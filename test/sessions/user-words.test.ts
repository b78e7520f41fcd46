import { expect, it } from "vitest";
import type { Entry, EntryContent, Part } from "../../src/sessions/entry.ts";
import { mainStrand, parseEntryId, parseSessionId, parseStrand } from "../../src/sessions/ids.ts";
import { hookStrand } from "../../src/sessions/observations.ts";
import { ownFrames } from "../../src/sessions/own-echo.ts";
import { type UserWords, userWords } from "../../src/sessions/user-words.ts";
import { start } from "../support/entries.ts";

const entry = (content: EntryContent, strand = mainStrand): Entry => ({
  ...{ id: parseEntryId("e"), session: parseSessionId("s"), seq: 1, parent: null, strand, at: start },
  ...content,
});
const prompt = (text: string, strand = mainStrand) =>
  entry({ kind: "message", role: "user", parts: [{ type: "text", text }] }, strand);
const tool = (...parts: readonly Part[]) => entry({ kind: "message", role: "tool", parts });
const failed = (output: string): Part => ({ type: "tool-result", call: "c", output, failed: true });
const event = (name: string, data: Record<string, string>, strand = mainStrand) =>
  entry({ kind: "event", event: name, data }, strand);

const refused =
  "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the new_string was NOT written to the file).";

it.each<{ case: string; given: Entry; words: readonly UserWords[] }>([
  { case: "a prompt", given: prompt("Fix the limit."), words: [{ text: "Fix the limit.", how: "prompt" }] },
  {
    case: "a prompt without what the client added",
    given: prompt(
      "<system-reminder>Be brief.</system-reminder>\nFix <b>it</b>.<ide_selection>x</ide_selection>",
    ),
    words: [{ text: "Fix <b>it</b>.", how: "prompt" }],
  },
  {
    case: "a prompt that names an open tag",
    given: prompt("Why is <system-reminder> there?"),
    words: [{ text: "Why is <system-reminder> there?", how: "prompt" }],
  },
  {
    case: "a command that became a prompt",
    given: prompt("/review src/app.ts"),
    words: [{ text: "/review src/app.ts", how: "command" }],
  },
  {
    case: "a command in the client's tags",
    given: prompt(
      "<command-message>review</command-message>\n<command-name>/review</command-name>\n<command-args>all <b></command-args>",
    ),
    words: [{ text: "/review all <b>", how: "command" }],
  },
  {
    case: "a command of the client with arguments",
    given: event("command", { name: "/model", args: "fast" }),
    words: [{ text: "/model fast", how: "command" }],
  },
  {
    case: "a path",
    given: prompt("/etc/hosts is wrong"),
    words: [{ text: "/etc/hosts is wrong", how: "prompt" }],
  },
  {
    case: "an interruption",
    given: event("cancelled", { text: "[Request interrupted by user]" }),
    words: [{ text: "[Request interrupted by user]", how: "interrupted" }],
  },
  {
    case: "the notice of a prompt that a hook refused",
    given: prompt("Operation stopped by hook: Warning: another session is open."),
    words: [],
  },
  {
    case: "the reason of a refusal",
    given: tool(failed(`${refused} To tell you how to proceed, the user said:\nUse WARN.\n\nAnd test it.`)),
    words: [{ text: "Use WARN.\n\nAnd test it.", how: "rejecting" }],
  },
  {
    case: "the reason of a refusal without the client's note",
    given: tool(
      failed(
        `${refused} To tell you how to proceed, the user said:\nNo.\n\nNote: The user's next message may contain a correction.`,
      ),
    ),
    words: [{ text: "No.", how: "rejecting" }],
  },
  {
    case: "answers to questions",
    given: tool(
      { type: "tool-result", call: "c", output: "User has answered your questions: …" },
      {
        ...{ type: "other" },
        raw: { type: "tool-outcome", outcome: { answers: { "Which?": "SQLite", "What else?": ["a", "b"] } } },
      },
    ),
    words: [
      { text: "Which? SQLite", how: "answering" },
      { text: "What else? a, b", how: "answering" },
    ],
  },
  {
    case: "answers of which only the sentence is there",
    given: tool({
      ...{ type: "tool-result", call: "c" },
      output:
        'User has answered your questions: "Which?"="SQLite". You can now continue with the answers in mind.',
    }),
    words: [{ text: '"Which?"="SQLite"', how: "answering" }],
  },
  {
    case: "what only a hook saw",
    given: event("prompt-seen", { prompt: "Go on." }, hookStrand),
    words: [{ text: "Go on.", how: "prompt" }],
  },
  {
    case: "what was queued",
    given: event("prompt-seen", { prompt: "Wait.", how: "queued" }, hookStrand),
    words: [{ text: "Wait.", how: "queued" }],
  },
])("finds $case", ({ given, words }) => {
  expect(userWords(given)).toEqual(words);
});

it.each<{ case: string; given: Entry }>([
  { case: "a reminder", given: prompt("<system-reminder>Be brief.</system-reminder>") },
  {
    case: "news of a task",
    given: prompt("<task-notification>\n<status>done</status>\n</task-notification>"),
  },
  {
    case: "a summary",
    given: prompt("This session is being continued from a previous conversation that ran out."),
  },
  { case: "a brief", given: prompt(`${ownFrames[0]} It is quoted.`) },
  { case: "what a hook added", given: event("context", { text: "Run the tests." }) },
  { case: "a command of the client alone", given: event("command", { name: "/exit", args: "" }) },
  { case: "what a subagent is told", given: prompt("Look around.", parseStrand("agent-1")) },
  { case: "a refusal without a word", given: tool(failed(`${refused} STOP what you are doing.`)) },
  {
    case: "a file that quotes a refusal",
    given: tool({ type: "tool-result", call: "c", output: `${refused} the user said:\nNo.` }),
  },
  {
    case: "an answer of the model",
    given: entry({ kind: "message", role: "assistant", parts: [{ type: "text", text: "Done." }] }),
  },
])("does not take $case for words of the user", ({ given }) => {
  expect(userWords(given)).toEqual([]);
});
