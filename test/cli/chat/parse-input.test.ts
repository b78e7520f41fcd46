import { expect, it } from "vitest";
import { parseInput } from "../../../src/cli/chat/parse-input.ts";

it.each([
  { case: "nothing", typed: " \n ", input: { type: "nothing" } },
  { case: "a prompt", typed: " Hello\n", input: { type: "prompt", text: "Hello" } },
  { case: "a command", typed: "/save", input: { type: "command", name: "save", rest: "" } },
  { case: "a command in capitals", typed: "/Quit ", input: { type: "command", name: "quit", rest: "" } },
  {
    case: "a command with words",
    typed: "/title  Fix the login ",
    input: { type: "command", name: "title", rest: "Fix the login" },
  },
  { case: "a word that is no command", typed: "/tmp", input: { type: "command", name: "tmp", rest: "" } },
  { case: "a path", typed: "/etc/hosts is wrong", input: { type: "prompt", text: "/etc/hosts is wrong" } },
  { case: "a file", typed: "/a.txt", input: { type: "prompt", text: "/a.txt" } },
  { case: "several lines", typed: "/save\nthe day", input: { type: "prompt", text: "/save\nthe day" } },
  { case: "a comment of code", typed: "// save", input: { type: "prompt", text: "/ save" } },
  { case: "an escaped command", typed: "//save it", input: { type: "prompt", text: "/save it" } },
  { case: "a slash alone", typed: "/", input: { type: "prompt", text: "/" } },
])("takes $case for what it is", ({ typed, input }) => {
  expect(parseInput(typed)).toEqual(input);
});
