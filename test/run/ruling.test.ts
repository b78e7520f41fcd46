import { describe, expect, it } from "vitest";
import { parseReply, parseRuling, rulingTool } from "../../src/run/ruling.ts";

const whole = {
  assessment: "Fine.",
  needsCorrection: false,
  shouldContinue: true,
  instruction: "Go on.",
};

describe("a ruling of the instructor", () => {
  it.each([
    { case: "is taken as it is", input: whole, ruling: { ...whole, summary: "" } },
    {
      case: "may have flags as text, and blanks around words",
      input: { ...whole, needsCorrection: "true", shouldContinue: "true", instruction: " Go on.\n" },
      ruling: { ...whole, needsCorrection: true, summary: "" },
    },
    {
      case: "has no instruction at the end, and a summary",
      input: { ...whole, shouldContinue: false, summary: "Done." },
      ruling: { ...whole, shouldContinue: false, instruction: "", summary: "Done." },
    },
    {
      case: "has what was found for a summary where none is given",
      input: { shouldContinue: false, assessment: "All is there." },
      ruling: {
        ...{ assessment: "All is there.", needsCorrection: false, shouldContinue: false },
        ...{ instruction: "", summary: "All is there." },
      },
    },
  ])("$case", ({ input, ruling }) => {
    expect(parseRuling(input)).toEqual(ruling);
  });

  it.each([
    {
      case: "that does not say whether to go on",
      input: { instruction: "x" },
      says: "shouldContinue must be",
    },
    {
      case: "that goes on without an instruction",
      input: { shouldContinue: true },
      says: "instruction must say",
    },
    { case: "that is no object", input: "go on", says: "shouldContinue must be" },
    { case: "that is nothing", input: null, says: "shouldContinue must be" },
  ])("$case is refused with a sentence", ({ input, says }) => {
    expect(parseRuling(input)).toContain(says);
  });

  it("is read from the first call of the tool, whatever else is said", () => {
    const call = (id: string, name: string) => ({ type: "tool-call" as const, call: id, name, input: whole });
    const parts = [
      { type: "text" as const, text: "shouldContinue: false" },
      call("1", "read"),
      call("2", rulingTool.name),
    ];
    expect(parseReply({ parts: [...parts, call("3", rulingTool.name)] })).toEqual({
      ...{ type: "decided", call: "2" },
      ruling: { ...whole, summary: "" },
    });
    expect(parseReply({ parts: parts.slice(0, 2) })).toEqual({
      ...{ type: "unclear", call: undefined, reason: "You did not call next_step." },
    });
  });
});
