import type { Model, ModelMessage, ModelReply, ModelRequest, ReplyPart } from "../../src/model/model.ts";
import { rulingTool } from "../../src/run/ruling.ts";
import type { Json, ToolResultPart } from "../../src/sessions/entry.ts";

/** A model that answers from what it is sent alone, as real ones do. */
export function fakeModel(name: string, answer: (request: ModelRequest) => readonly ReplyPart[]): Model {
  return {
    name,
    contextTokens: 100_000,
    async *stream(request, signal) {
      signal.throwIfAborted();
      const parts = answer(request);
      for (const part of parts) if (part.type === "text") yield { type: "text", text: part.text };
      signal.throwIfAborted();
      const usage = { inputTokens: 10, outputTokens: 1 };
      const end: ModelReply["end"] = parts.some(({ type }) => type === "tool-call") ? "calls" : "done";
      yield { type: "reply", reply: { parts, end, model: name, usage } };
    },
  };
}

export const words = (text: string): ReplyPart => ({ type: "text", text });
export const asks = (name: string, input: Json, call = name): ReplyPart => ({
  ...{ type: "tool-call", call, name, input },
});
export const decides = (input: Json): ReplyPart => asks(rulingTool.name, input);

/** Returns how many reports an instructor has been sent. */
function countReports({ messages }: ModelRequest): number {
  return messages.filter(({ role }) => role === "tool").length;
}

/** A call of the current step, and what came of it. */
interface Made {
  readonly name: string;
  readonly output: string;
  readonly failed: boolean;
}

/** Returns the instruction of the current step, and what was done for it so far. */
export function readStep({ messages }: ModelRequest): {
  readonly instruction: string;
  readonly made: readonly Made[];
} {
  // What a model is told that nobody has said stands in brackets.
  const isSaid = ({ role, parts: [first] }: ModelMessage) =>
    role === "user" && first?.type === "text" && !first.text.startsWith("[");
  const place = messages.findLastIndex(isSaid);
  const said = messages[place];
  const instruction = said?.role === "user" ? (said.parts.at(-1)?.text ?? "") : "";
  const since = messages.slice(place + 1);
  const results = new Map(
    since.flatMap((message) => (message.role === "tool" ? message.parts.map(byCall) : [])),
  );
  return { instruction, made: since.flatMap((message) => madeIn(message, results)) };
}

const byCall = (part: ToolResultPart) => [part.call, part] as const;

function madeIn(message: ModelMessage, results: ReadonlyMap<string, ToolResultPart>): readonly Made[] {
  if (message.role !== "assistant") return [];
  return message.parts.flatMap((part) => {
    const result = part.type === "tool-call" ? results.get(part.call) : undefined;
    if (part.type !== "tool-call" || result === undefined) return [];
    return [{ name: part.name, output: `${result.output}`, failed: result.failed === true }];
  });
}

/** Directs a worker through so many parts. */
export function directs(parts: number): (request: ModelRequest) => readonly ReplyPart[] {
  return (request) => {
    const done = countReports(request);
    const facts = { assessment: `${done} of ${parts}`, needsCorrection: false };
    return done < parts
      ? [decides({ ...facts, shouldContinue: true, instruction: `Do part ${done + 1}.` })]
      : [decides({ ...facts, shouldContinue: false, instruction: "", summary: "All parts are there." })];
  };
}

/**
 * Writes a file for each part and then adds a line to a journal, which must not be there twice: when that was interrupted,
 * it looks first.
 */
export function builds(request: ModelRequest): readonly ReplyPart[] {
  const { instruction, made } = readStep(request);
  const part = /\d+/.exec(instruction)?.[0] ?? "0";
  const call = `c${part}-${made.length}`;
  const last = made.at(-1);
  const append = asks("bash", { command: `echo part-${part} >> journal.txt` }, call);
  if (last === undefined || (last.name === "write" && last.failed))
    return [
      words("I write it."),
      asks("write", { path: `part-${part}.txt`, content: `Part ${part}.\n` }, call),
    ];
  if (last.name === "write") return [append];
  if (last.name === "bash" && last.failed) return [asks("read", { path: "journal.txt" }, call)];
  if (last.name === "read" && !new RegExp(`\\bpart-${part}\\b`).test(last.output)) return [append];
  return [words(`Part ${part} is written.`)];
}
