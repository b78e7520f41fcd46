import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { isSystemError, usageError } from "../../lib/app-error.ts";
import { writeFailed } from "../../lib/file-error.ts";
import { type CommandEnd, runCommand } from "../../lib/run-command.ts";
import { renderShellWord } from "../../lib/shell-word.ts";
import type { CommandContext } from "../command-context.ts";

/** A folder with its own home, project and store, in which the real program runs. */
export interface Scratch {
  readonly folder: string;
  /** Runs a line of shell in the project. An abort ends all processes of the line. */
  run(line: string, signal: AbortSignal): Promise<CommandEnd>;
  remove(): Promise<void>;
}

const lineTimeoutMs = 60_000;

/** Makes the folder. Programs in it see nothing of the user's own home and environment. */
export async function openScratch({ program, env }: CommandContext, modelUrl: string): Promise<Scratch> {
  const folder = await makeFolder(tmpdir());
  for (const [path, text] of Object.entries(makeFiles(folder, program))) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text, { mode: path.startsWith("bin/") ? 0o700 : 0o600 });
  }
  const place = {
    cwd: join(folder, "login-service"),
    env: {
      PATH: `${join(folder, "bin")}:${env.PATH}`,
      HOME: folder,
      TMPDIR: folder,
      NO_COLOR: "1",
      ANTHROPIC_API_KEY: "made-up-for-the-tour",
      ANTHROPIC_BASE_URL: modelUrl,
    },
    timeoutMs: lineTimeoutMs,
  };
  return {
    folder,
    run: (line, signal) => runCommand(["sh", "-c", line], { ...place, signal }),
    // A process that a hook left behind may still write.
    remove: () => rm(folder, { recursive: true, force: true, maxRetries: 5 }),
  };
}

async function makeFolder(parent: string): Promise<string> {
  try {
    return await realpath(await mkdtemp(join(parent, "carryon-tour-")));
  } catch (cause) {
    if (!isSystemError(cause, "ENOENT", "ENOTDIR")) throw writeFailed(parent, cause);
    throw usageError("no-temp-folder", `The folder for temporary files does not exist: ${parent}`, {
      hint: "Set TMPDIR to a folder that exists, or unset it.",
      cause,
    });
  }
}

/** The messages of the agent in the first screen: it dies after the ninth. */
const messages = [
  { role: "user", text: "Users are logged out after an hour. Find out why and fix it." },
  bash("1", "grep -n lifetime session.ts"),
  printed({ call: "1", output: "1:const lifetime = 60 * 60;\n" }),
  { role: "assistant", text: "The lifetime is fixed at one hour. Shall I renew it at each request?" },
  { role: "user", text: "Yes, but never beyond 30 days." },
  { role: "assistant", text: "Decided: renew at each request, 30 days at most." },
  bash("2", "node --test"),
  printed({ call: "2", output: "Exit code 1\nnot ok 1 - a session ends after 30 days\n", failed: true }),
  { role: "assistant", text: "The test for the limit fails, as it should. Now I add the limit." },
  { role: "user", text: "You were cut off. Go on." },
  { role: "assistant", text: "I add the limit of 30 days to session.ts." },
];

function bash(call: string, command: string): object {
  const part = { type: "tool-call", call, name: "bash", input: { command } };
  return { kind: "message", role: "assistant", parts: [part] };
}

function printed(result: { readonly call: string; readonly output: string; readonly failed?: true }): object {
  return { kind: "message", role: "tool", parts: [{ type: "tool-result", ...result }] };
}

/** Prints nine messages, waits until they are acknowledged, and kills itself and the recorder. */
const agent = `#!/bin/sh
head -n 9 ~/messages.jsonl
until grep -q '"seq":9,' ~/acknowledged.jsonl; do sleep 0.05; done
kill -9 0
`;

const tasks = `# Tasks
- [x] 1.1 Renew a session at each request
- [ ] 1.2 End it after 30 days
`;

/** Returns the files of the scratch folder by their paths; `program` starts Carryon. */
function makeFiles(folder: string, program: readonly string[]): Readonly<Record<string, string>> {
  // Claude Code tells its hooks this before it writes a file.
  const writeCall = {
    hook_event_name: "PreToolUse",
    session_id: "5b1f2c6e-0d3a-4c47-9f1e-7a2d8c904e11",
    cwd: join(folder, "login-service"),
    tool_name: "Write",
    tool_input: { file_path: "session.ts" },
  };
  return {
    ".gitconfig": "[user]\n\tname = Ada\n\temail = ada@example.invalid\n[init]\n\tdefaultBranch = main\n",
    "messages.jsonl": messages.map((message) => `${JSON.stringify(message)}\n`).join(""),
    "write-call.json": JSON.stringify(writeCall),
    "bin/agent": agent,
    "bin/carryon": `#!/bin/sh\nexec ${program.map(renderShellWord).join(" ")} "$@"\n`,
    "login-service/session.ts": "const lifetime = 60 * 60;\n",
    "login-service/openspec/changes/renew-sessions/proposal.md": "Users are logged out after an hour.\n",
    "login-service/openspec/changes/renew-sessions/tasks.md": tasks,
  };
}
