import { describe, expect, it } from "vitest";
import { at, prompt } from "../../support/claude-rows.ts";
import { read } from "../../support/claude-transcripts.ts";

describe("what is attached", () => {
  const attached = (attachment: object) => ({
    ...{
      type: "attachment",
      uuid: "x1",
      parentUuid: null,
      timestamp: "2026-11-15T12:00:00.000Z",
      attachment,
    },
  });
  const event = (name: string, data: object) => ({
    ...{ id: "x1", parent: null, at: at(0), kind: "event", event: name, data },
  });

  it.each([
    {
      attachment: { type: "queued_command", prompt: "and this", commandMode: "prompt" },
      entry: prompt("x1", "and this"),
    },
    {
      attachment: { type: "queued_command", prompt: "a task ended", commandMode: "task-notification" },
      entry: event("notification", { text: "a task ended" }),
    },
    {
      attachment: { type: "hook_additional_context", content: ["a", "b"], hookName: "SessionStart" },
      entry: event("context", { hook: "SessionStart", text: "a\nb" }),
    },
    {
      attachment: { type: "hook_success", content: "", stdout: "{}", hookName: "Stop" },
      entry: undefined,
    },
    {
      attachment: { type: "hook_non_blocking_error", stderr: "no such file", hookName: "Stop" },
      entry: event("hook-failed", { hook: "Stop", text: "no such file" }),
    },
    {
      attachment: {
        ...{ type: "hook_blocking_error", hookName: "Stop" },
        blockingError: { blockingError: "not yet", command: "gate" },
      },
      entry: event("hook-blocked", { hook: "Stop", text: "not yet", command: "gate" }),
    },
    {
      attachment: { type: "file", filename: "/a.txt", content: { type: "text", file: { content: "long" } } },
      entry: event("attached", { type: "file", mediaType: "text/plain", location: "/a.txt" }),
    },
    { attachment: { type: "prompt_snapshot", systemPrompt: ["You are …"] }, entry: undefined },
  ])("is recorded as it deserves: $attachment.type", ({ attachment, entry }) => {
    expect(read([attached(attachment)]).entries).toEqual(entry === undefined ? [] : [entry]);
  });
});
