import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdir, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { makeSlug } from "../../../clients/claude-code/locate.ts";
import type { Scratch } from "../scratch.ts";
import { opening, toolCall } from "./canned-model.ts";

/** The version whose files and payloads are imitated. */
const version = "2.1.325";

/**
 * Does what Claude Code does until it is killed in the middle of a turn: writes its transcript, and calls the hooks that
 * its settings name.
 */
export async function playRecorded(scratch: Scratch, prompt: string, now: Date): Promise<void> {
  const cwd = await realpath(scratch.cwd);
  const session = randomUUID();
  const promptId = randomUUID();
  const folder = join(scratch.folder, ".claude", "projects", makeSlug(cwd));
  const transcript = join(folder, `${session}.jsonl`);
  const rows = makeRows({ session, cwd, prompt, promptId, at: now.toISOString() });
  await mkdir(folder, { recursive: true });
  const about = { session_id: session, transcript_path: transcript, cwd, permission_mode: "default" };
  const turn = { ...about, prompt_id: promptId };
  const tool = { tool_name: "Bash", tool_input: toolCall, tool_use_id: "toolu_tour" };
  const output = { stdout: found, stderr: "", interrupted: false };
  await callHooks(scratch, { ...about, hook_event_name: "SessionStart", source: "startup" });
  await callHooks(scratch, { ...turn, hook_event_name: "UserPromptSubmit", prompt });
  await callHooks(scratch, { ...turn, hook_event_name: "PreToolUse", ...tool });
  const pid = await callHooks(scratch, {
    ...turn,
    hook_event_name: "PostToolUse",
    ...tool,
    tool_response: output,
  });
  await writeFile(transcript, rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
  // Its list of its own processes still names the one that was killed; this one has ended, too.
  await mkdir(join(scratch.folder, ".claude", "sessions"), { recursive: true });
  const listed = join(scratch.folder, ".claude", "sessions", `${pid}.json`);
  await writeFile(listed, JSON.stringify({ pid, sessionId: session, cwd, version }));
  // The hooks took who started the tour for the client; that one was killed, and nobody lives any more.
  await rm(join(scratch.folder, ".claude", "sessions.json"), { force: true });
}

/** What the tool finds. */
const found = "1:const lifetime = 60 * 60;";

interface Talk {
  readonly session: string;
  readonly cwd: string;
  readonly prompt: string;
  readonly promptId: string;
  readonly at: string;
}

function makeRows({ session, cwd, prompt, promptId, at }: Talk): readonly object[] {
  const common = {
    isSidechain: false,
    userType: "external",
    cwd,
    sessionId: session,
    version,
    timestamp: at,
  };
  const said = (content: readonly object[]) => ({
    ...{ id: "msg_tour", type: "message", role: "assistant", model: "claude-opus-5-5", content },
    ...{ stop_reason: "tool_use", stop_sequence: null, usage: { input_tokens: 100, output_tokens: 20 } },
  });
  const result = { type: "tool_result", tool_use_id: "toolu_tour", content: found, is_error: false };
  const call = { type: "tool_use", id: "toolu_tour", name: "Bash", input: toolCall };
  const rows = [
    { type: "user", promptId, message: { role: "user", content: prompt } },
    { type: "assistant", message: said([{ type: "text", text: opening }]) },
    { type: "assistant", message: said([call]) },
    { type: "user", promptId, message: { role: "user", content: [result] } },
  ];
  const uuids = rows.map(() => randomUUID());
  return rows.map((row, index) => ({
    parentUuid: uuids[index - 1] ?? null,
    ...common,
    ...row,
    uuid: uuids[index],
  }));
}

interface Hook {
  readonly hooks: readonly { readonly command: string }[];
}

interface Payload {
  readonly hook_event_name: string;
  readonly [field: string]: unknown;
}

/** Runs the hooks of an event as the client does: by the shell, with the payload as input. Returns the last process. */
async function callHooks({ cwd, env }: Scratch, payload: Payload): Promise<number> {
  let pid = 0;
  const settings = JSON.parse(await readFile(join(cwd, ".claude", "settings.local.json"), "utf8"));
  const hooks: readonly Hook[] = settings.hooks?.[payload.hook_event_name] ?? [];
  for (const { command } of hooks.flatMap((each) => each.hooks)) {
    const running = promisify(execFile)("/bin/sh", ["-c", command], { cwd, env });
    running.child.stdin?.on("error", () => undefined);
    running.child.stdin?.end(JSON.stringify(payload));
    await running;
    pid = running.child.pid ?? pid;
  }
  return pid;
}
