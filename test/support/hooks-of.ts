import type { SeenByHook } from "./client-folder.ts";

type WireRow = Readonly<Record<string, unknown>>;

/** What a hook saw, under a name that no other has. */
export interface NamedHook extends SeenByHook {
  readonly name: string;
}

/** Returns what hooks would see of rows: prompts, calls of tools and their results, each once. */
export function hooksOf(rows: readonly WireRow[]): readonly NamedHook[] {
  const hooks = rows.flatMap((row) => [...toHooks(row)]);
  return [...new Map(hooks.map((hook) => [hook.name, hook])).values()];
}

function* toHooks({ promptId, sessionId, timestamp, message }: WireRow): Generator<NamedHook> {
  const common = { session: String(sessionId), at: new Date(String(timestamp)) };
  const { content } = (message ?? {}) as { content?: unknown };
  if (typeof promptId === "string")
    yield {
      ...{ name: promptId, event: "UserPromptSubmit", ...common },
      payload: { prompt: String(content), prompt_id: promptId },
    };
  for (const { type, id, tool_use_id: of } of Array.isArray(content) ? content : []) {
    if (type === "tool_use")
      yield {
        name: `call ${id}`,
        event: "PreToolUse",
        ...common,
        payload: { tool_name: "Bash", tool_use_id: id },
      };
    if (type === "tool_result")
      yield {
        name: `result ${of}`,
        event: "PostToolUse",
        ...common,
        payload: { tool_name: "Bash", tool_use_id: of },
      };
  }
}
