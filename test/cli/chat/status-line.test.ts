import { expect, it } from "vitest";
import { renderStatus } from "../../../src/cli/chat/terminal/status-line.ts";
import type { SessionId } from "../../../src/sessions/ids.ts";

const status = {
  session: "session-20261115-143022-ab12-fix-the-login" as SessionId,
  title: "Fix the login",
  model: "anthropic/claude-sonnet-5-5",
  messages: 12,
  contextTokens: 3412,
  contextLimit: 200_000,
  usage: {},
};

it.each([
  {
    width: 120,
    line: "session-20261115-143022-ab12 · Fix the login · anthropic/claude-sonnet-5-5 · 12 messages · 3.4k of 200k tokens · saved",
  },
  { width: 80, line: "Fix the login · claude-sonnet-5-5 · 12 messages · 3.4k of 200k tokens · saved" },
  { width: 60, line: "Fix the login · claude-sonnet-5-5 · 3.4k/200k · saved" },
  { width: 30, line: "Fix the login · saved" },
  { width: 10, line: "saved" },
])("says in $width columns what matters most", ({ width, line }) => {
  expect(renderStatus(status, "saved", width)).toBe(line);
});

it.each([
  { tokens: 0, told: "0" },
  { tokens: 999, told: "999" },
  { tokens: 1000, told: "1k" },
  { tokens: 9949, told: "9.9k" },
  { tokens: 9950, told: "10k" },
  { tokens: 999_499, told: "999k" },
  { tokens: 1_000_000, told: "1M" },
  { tokens: 1_250_000, told: "1.3M" },
])("writes $tokens tokens as $told", ({ tokens, told }) => {
  const untitled = { ...status, title: "", contextTokens: tokens };
  expect(renderStatus(untitled, "", 120)).toContain(` · ${told} of 200k tokens`);
});

it("shows the id where there is no title, and nothing that acts on a terminal", () => {
  expect(renderStatus({ ...status, title: "" }, "saved", 40)).toBe("session-20261115-143022-ab12 · saved");
  expect(renderStatus({ ...status, title: "a\u001B[2Jb" }, "saved", 60)).toContain("a^[[2Jb");
});
