import { globSync, readFileSync } from "node:fs";
import { inRepository } from "./work-folder.ts";

/** What a transcript of Claude Code is made of: rows, of about so many bytes in all. */
export interface TranscriptShape {
  readonly session: string;
  readonly cwd: string;
  readonly bytes: number;
  /** Tells one stretch of a transcript from the next. */
  readonly part?: number;
}

const source = globSync(inRepository("src/**/*.ts"))
  .toSorted()
  .map((file) => readFileSync(file, "utf8"))
  .join("\n");

/**
 * Makes a transcript as Claude Code 2.1 writes it: prompts, answers in several rows, tools that read and change source
 * code, whose results stand in a row twice, and rows that the client keeps for itself.
 */
export function makeTranscript({ session, cwd, bytes, part = 0 }: TranscriptShape): string {
  const lines: string[] = [];
  let [size, count, parent] = [0, 0, null as string | null];
  const id = () => {
    count += 1;
    return `${session.slice(0, 8)}-${String(part).padStart(4, "0")}-4000-8000-${String(count).padStart(12, "0")}`;
  };
  const add = (row: object) => {
    const line = `${JSON.stringify(row)}\n`;
    lines.push(line);
    size += line.length;
  };
  const chain = (row: object) => {
    const uuid = id();
    add({
      ...{ parentUuid: parent, isSidechain: false, ...row, uuid },
      timestamp: new Date(Date.UTC(2026, 9, 1) + part * 3_600_000 + count * 700).toISOString(),
      ...{ userType: "external", entrypoint: "cli", cwd, sessionId: session, version: "2.1.325" },
      gitBranch: "main",
    });
    parent = uuid;
  };
  const text = (length: number) => {
    const at = (part * 104_729 + count * 7919) % (source.length - length);
    return source.slice(at, at + length);
  };
  for (let turn = 0; size < bytes; turn += 1) {
    const promptId = `prompt-${part}-${turn}`;
    chain({ type: "user", promptId, message: { role: "user", content: `Turn ${turn}: ${text(300)}` } });
    for (let call = 0; call < 4 && size < bytes; call += 1) {
      const message = { id: `msg_${part}_${turn}_${call}`, role: "assistant", model: "claude-opus-4-1" };
      const usage = { input_tokens: 12, output_tokens: 90 + call, cache_read_input_tokens: 20_000 };
      const tool = `toolu_${part}_${turn}_${call}`;
      const say = (block: object) =>
        chain({ type: "assistant", message: { ...message, content: [block], usage }, requestId: "req_1" });
      say({ type: "text", text: text(400) });
      say({ type: "tool_use", id: tool, name: "Bash", input: { command: `sed -n ${call}p ${text(120)}` } });
      const stdout = text(1500 + ((turn * 4 + call) % 5) * 1200);
      chain({
        ...{ type: "user", promptId },
        message: { role: "user", content: [{ tool_use_id: tool, type: "tool_result", content: stdout }] },
        toolUseResult: { stdout, stderr: "", interrupted: false, isImage: false },
      });
      chain({ type: "attachment", attachment: { type: "skill_listing", content: text(200) } });
    }
    add({ type: "last-prompt", lastPrompt: text(100), leafUuid: parent, sessionId: session });
    add({ type: "api-request", id: `request-${turn}`, keep: turn, tail: [], params: { model: "m" } });
  }
  return lines.join("");
}
