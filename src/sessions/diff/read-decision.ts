import type { Json, ToolCallPart, ToolResultPart } from "../entry.ts";
import type { MadeDecision } from "../session-diff.ts";
import { fieldOf } from "../tool-runs.ts";
import { summarizeOutput } from "./summarize-input.ts";
import { commandOf } from "./touched-files.ts";

/** Returns the decision that a tool call wrote down: that of our MCP server, or `carryon decide` in a shell. */
export function readDecision(call: ToolCallPart, { output }: ToolResultPart): MadeDecision | undefined {
  return fromTool(call, output) ?? fromShell(call, output);
}

const toolName = /(?:^|__)decide$/;

function fromTool({ name, input }: ToolCallPart, output: Json): MadeDecision | undefined {
  const summary = fieldOf(input, "summary");
  if (!toolName.test(name) || typeof summary !== "string") return undefined;
  const decision = fieldOf(input, "decision");
  const number = fieldOf(output, "number");
  return {
    seq: typeof number === "number" ? number : numberIn(summarizeOutput(output)),
    summary,
    decision: typeof decision === "string" ? decision : "",
    by: "tool",
  };
}

const shellForm = /(?:^|[\s/;&|])carryon\s+decide\s+[A-Za-z_-]+\s+(?:"([^"$`\\]*)"|'([^']*)'|([^\s"'$`\\]+))/;
const decisionOption = /--decision[ =](?:"([^"$`\\]*)"|'([^']*)'|([^\s"'$`\\]+))/;

function fromShell(call: ToolCallPart, output: Json): MadeDecision | undefined {
  const command = commandOf(call);
  const told = command === undefined ? null : shellForm.exec(command);
  if (command === undefined || told === null) return undefined;
  const seq = numberIn(summarizeOutput(output));
  // Without a number it was not written down.
  if (seq === null) return undefined;
  const decision = decisionOption.exec(command);
  return { seq, summary: wordIn(told), decision: decision === null ? "" : wordIn(decision), by: "tool" };
}

function wordIn([, double, single, plain]: RegExpExecArray): string {
  return double ?? single ?? plain ?? "";
}

function numberIn(text: string): number | null {
  const [, digits] = /\bD(\d{1,9})\b/.exec(text) ?? [];
  return digits === undefined ? null : Number(digits);
}
