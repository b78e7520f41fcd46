import type { ChatEvent } from "../../src/chat/chat.ts";

/** What the log has of a chat, as `readContents` returns it. */
export const opened = (event: "started" | "resumed", model = "anthropic/model-x") => ({
  kind: "event",
  event,
  data: { model, program: "carryon chat", version: "test" },
});
export const said = (role: string, text: string) => ({
  kind: "message",
  role,
  parts: [{ type: "text", text }],
});
export const replied = (text: string) => ({
  ...said("assistant", text),
  model: "anthropic/model-x",
  usage: {},
});
export const answered = (call: string, output: string, failed?: true) => ({
  kind: "message",
  role: "tool",
  parts: [{ type: "tool-result", call, output, ...(failed === undefined ? {} : { failed }) }],
});
export const called = (...parts: readonly object[]) => ({
  ...{ kind: "message", role: "assistant", model: "anthropic/model-x", usage: {} },
  parts: parts.map((part) => ({ type: "tool-call", ...part })),
});
export const types = (events: readonly ChatEvent[]) => events.map(({ type }) => type);
