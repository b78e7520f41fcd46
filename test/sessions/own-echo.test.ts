import { expect, it } from "vitest";
import { quote } from "../../src/memory/quote.ts";
import { renderBrief } from "../../src/memory/render-brief.ts";
import type { EntryContent } from "../../src/sessions/entry.ts";
import { isOwnCommand, isOwnEcho } from "../../src/sessions/own-echo.ts";

const now = new Date("2026-11-15T12:00:00.000Z");
const brief = renderBrief([{ name: "session.md", text: "Now: the limit", at: now }], {
  budget: 500,
  now,
}).text;
const answer = quote("2 entries were found.", "Use refresh tokens.");

const prompt = (text: string): EntryContent => ({
  ...{ kind: "message", role: "user", parts: [{ type: "text", text }] },
});
const call = (name: string, input: { readonly command?: string } = {}): EntryContent => ({
  ...{ kind: "message", role: "assistant", parts: [{ type: "tool-call", call: "c", name, input }] },
});
const result = (output: string): EntryContent => ({
  ...{ kind: "message", role: "tool", parts: [{ type: "tool-result", call: "c", output }] },
});
const context = (text: string): EntryContent => ({ kind: "event", event: "context", data: { text } });

it.each<{ case: string; content: EntryContent }>([
  { case: "a brief that a hook gave", content: context(brief) },
  {
    case: "the line that a start says to the user",
    content: {
      kind: "event",
      event: "notice",
      data: { text: 'Carryon restored "Add a list" (done, just now).' },
    },
  },
  { case: "a brief that was pasted as a prompt", content: prompt(brief) },
  { case: "an answer of the MCP server", content: result(answer) },
  { case: "a call of the MCP server", content: call("mcp__carryon__session_search") },
  { case: "a call of the plugin's server", content: call("mcp__plugin_carryon_carryon__brief") },
  { case: "a call as other clients name it", content: call("carryon_brief") },
  {
    case: "a command in a shell",
    content: call("Bash", { command: 'cd app && carryon search "a && b" | head' }),
  },
  {
    case: "the launcher of an installation in a shell",
    content: call("Bash", { command: "/home/ada/.carryon/bin/carryon search words" }),
  },
  {
    case: "a launcher in a folder with a space",
    content: call("Bash", { command: "'/home/ada l/.carryon/bin/carryon' show latest | head" }),
  },
  { case: "a command of the plugin", content: prompt("/carryon:load") },
  { case: "a command that the user ran in the client's shell", content: prompt("!carryon status") },
])("knows $case as its own", ({ content }) => {
  expect(isOwnEcho(content)).toBe(true);
});

it.each<{ case: string; content: EntryContent }>([
  { case: "a prompt about Carryon", content: prompt("Why does carryon search find nothing?") },
  { case: "what the user adds to a command", content: prompt("/carryon:save the limit is 30 days") },
  { case: "another server's tool", content: call("mcp__carryonward__brief") },
  {
    case: "a command that also does something else",
    content: call("Bash", { command: "npm test && carryon save" }),
  },
  { case: "a tool's result", content: result("12 tests passed") },
  { case: "a prompt about a restored store", content: prompt("Carryon restored my store. What now?") },
  { case: "a hook's reminder", content: context("Run the tests.") },
])("takes $case for no echo", ({ content }) => {
  expect(isOwnEcho(content)).toBe(false);
});

it.each([
  ["npx carryon show abc", true],
  ["CARRYON_HOME=/tmp/c carryon sessions --json | jq length", true],
  ["cat carryon.log", false],
  ["git log --grep carryon", false],
  ["", false],
])("judges the line %s", (line, own) => {
  expect(isOwnCommand(line)).toBe(own);
});

it.each<{ case: string; content: EntryContent }>([
  { case: "a call", content: { kind: "event", event: "call-seen", data: { tool: "mcp__carryon__brief" } } },
  {
    case: "a command",
    content: {
      kind: "event",
      event: "call-seen",
      data: { tool: "Bash", input: { command: "carryon load" } },
    },
  },
  {
    case: "a result",
    content: { kind: "event", event: "result-seen", data: { tool: "mcp__carryon__brief", output: [] } },
  },
])("knows $case that a hook saw as its own", ({ content }) => {
  expect(isOwnEcho(content)).toBe(true);
});

it("knows what was marked when it was recorded, whatever it says", () => {
  expect(isOwnEcho({ kind: "message", role: "tool", parts: [], echo: true })).toBe(true);
});
