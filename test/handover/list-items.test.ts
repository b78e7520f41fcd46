import { expect, it } from "vitest";
import { removeItems } from "../../src/handover/list-items.ts";

it.each([
  { case: "an item between others", body: "- a\n- x\n- b", rest: "- a\n- b" },
  { case: "the first and the last", body: "- x\n- a\n- x", rest: "- a" },
  { case: "all there are", body: "- x\n\n- x", rest: "" },
  { case: "one between texts", body: "one\n\n- x\n\ntwo", rest: "one\n\ntwo" },
  { case: "one above a text", body: "- a\n- x\n\ntwo", rest: "- a\n\ntwo" },
  { case: "one below a text", body: "one\n\n  - x\n  - b", rest: "one\n\n  - b" },
  { case: "none but items", body: "- a\n  - x\n\n```\n- x\n\n\n\n```", rest: undefined },
])("takes $case out of a body, and leaves the rest as it was", ({ body, rest }) => {
  expect(removeItems(body, ({ text }) => text === "x")).toBe(rest ?? body);
});
