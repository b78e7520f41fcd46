import { describe, expect, it } from "vitest";
import { at, prompt, user } from "../../support/claude-rows.ts";
import { read } from "../../support/claude-transcripts.ts";

describe("a text in the user's name", () => {
  const event = (name: string, data: object) => ({
    ...{ id: "u1", parent: null, at: at(0), kind: "event", event: name, data },
  });
  const inTags = (tag: string, text: string) => `<${tag}>${text}</${tag}>`;

  it.each([
    {
      case: "of a command that becomes a prompt is what was typed",
      row: user(
        "u1",
        `${inTags("command-message", "greet")}\n${inTags("command-name", "/greet")}\n${inTags("command-args", "Bob")}`,
      ),
      entry: prompt("u1", "/greet Bob"),
    },
    {
      case: "of a command that the client runs is an event",
      row: user("u1", `${inTags("command-name", "/model")}\n${inTags("command-args", "")}`),
      entry: event("command", { name: "/model", args: "" }),
    },
    {
      case: "with a command's output is an event",
      row: user("u1", inTags("local-command-stdout", "Set </local-command-stdout> model")),
      entry: event("command-output", { text: "Set </local-command-stdout> model" }),
    },
    {
      case: "in shell mode is what was typed",
      row: user("u1", inTags("bash-input", " ls ")),
      entry: prompt("u1", "!ls"),
    },
    {
      case: "with a shell's output is an event",
      row: user("u1", `${inTags("bash-stdout", "out")}${inTags("bash-stderr", "err")}`),
      entry: event("command-output", { text: "out\nerr" }),
    },
    {
      case: "that says that somebody pressed Escape is an event",
      row: user("u1", [{ type: "text", text: "[Request interrupted by user for tool use]" }]),
      entry: event("cancelled", { text: "[Request interrupted by user for tool use]" }),
    },
    {
      case: "that the client put there is an event",
      row: user("u1", [{ type: "text", text: "A skill." }], { isMeta: true }),
      entry: event("context", { text: "A skill." }),
    },
    {
      case: "about a task in the background is an event",
      row: user("u1", "done", { origin: { kind: "task-notification" } }),
      entry: event("notification", { text: "done" }),
    },
    {
      case: "that warns of what follows is not recorded",
      row: user("u1", inTags("local-command-caveat", "The command below …"), { isMeta: true }),
      entry: undefined,
    },
    {
      case: "that only looks like a tag is what was said",
      row: user("u1", "<command-line> is how"),
      entry: prompt("u1", "<command-line> is how"),
    },
  ])("$case", ({ row, entry }) => {
    expect(read([row]).entries).toEqual(entry === undefined ? [] : [entry]);
  });
});
