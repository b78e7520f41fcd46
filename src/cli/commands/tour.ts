import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { AppError, isSystemError, usageError } from "../../lib/app-error.ts";
import { writeFailed } from "../../lib/file-error.ts";
import { type CommandEnd, runCommand } from "../../lib/run-command.ts";
import { renderShellWord } from "../../lib/shell-word.ts";
import { truncate, wrap } from "../../lib/terminal-text.ts";
import type { CommandContext } from "../command-context.ts";
import { defineCommand } from "../define-command.ts";
import { answers, openScriptedModel, type Step, screens } from "../tour/screens.ts";

/** A folder with its own home, project and store, in which the real program runs. */
interface Scratch {
  readonly folder: string;
  /** Runs a line of shell in the project. An abort ends all processes of the line. */
  run(line: string, signal: AbortSignal): Promise<CommandEnd>;
  remove(): Promise<void>;
}

const lineTimeoutMs = 60_000;

/** Makes the folder. Programs in it see nothing of the user's own home and environment. */
async function openScratch({ program, env }: CommandContext, modelUrl: string): Promise<Scratch> {
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

export const command = defineCommand({
  details:
    "Works in a scratch folder with a store of its own: nothing of yours is read or changed, and the folder is\n" +
    "removed at the end.",
  examples: [
    { line: "carryon tour", does: "See six things that Carryon does" },
    { line: "carryon tour --keep", does: "Keep the scratch folder to look around in" },
  ],
  define: (command) => command.option("--keep", "Keep the scratch folder"),
  run: async (context, _args, { keep }) => {
    const model = await openScriptedModel(answers);
    try {
      const scratch = await openScratch(context, model.url);
      try {
        await runTour(context, scratch);
        if (keep) context.out(`\nThe scratch folder is kept: ${scratch.folder}\n`);
      } finally {
        if (!keep) await scratch.remove();
      }
    } finally {
      await model[Symbol.asyncDispose]();
    }
  },
});

/** How long a screen stays on a terminal before the next one. */
const pauseMs = 3000;

/** Longer output is cut, unless a step says otherwise. */
const usualLines = 10;

const next = `
Now in your own repository (in a checkout, run npm link first):
  carryon init      # record Claude Code here from now on
  carryon resume    # choose a session and continue it where it stopped
  carryon --help    # fork, merge, share, export, chat and everything else
`;

/** Runs the command lines of every screen and shows their output; throws if one does not do what it should. */
async function runTour(context: CommandContext, scratch: Scratch): Promise<void> {
  const { out, style, isTerminal, columns } = context;
  const width = Math.min(columns ?? 80, 100) - 1;
  const signal = context.catchSignals();
  const run = async (step: Step) => {
    const end = await scratch.run(step.line, signal);
    signal.throwIfAborted();
    return check(step, end);
  };

  for (const [index, { why, before, steps }] of screens.entries()) {
    if (index > 0 && isTerminal.output) {
      await sleep(pauseMs, undefined, { signal }).catch(() => signal.throwIfAborted());
    }
    out(`\n${style.bold(wrap(`${index + 1}. ${why}`, width))}\n`);
    if (before !== undefined) await run({ line: before });
    for (const step of steps) {
      out(`${style.dim("$")} ${style.cyan(step.line)}\n`);
      out(renderOutput(step, (await run(step)).replaceAll(scratch.folder, "~"), width));
    }
  }
  out(next);
}

/** The exit code of a shell whose command was killed with SIGKILL. */
const killedCode = 137;

/** Returns the output of a step, if it did what it should. */
function check({ line, dies, expected = /^/ }: Step, end: CommandEnd): string {
  const output = end.type === "not-started" ? end.reason : end.output;
  const code = end.type === "exited" ? end.code : end.type;
  const isAsMeant = dies ? code === "killed" || code === killedCode : code === 0;
  if (isAsMeant && expected.test(output)) return code === "killed" ? `${output}Killed\n` : output;
  throw new AppError(`The tour found a fault in Carryon: \`${line}\` ended with ${code}:\n${output}`, {
    kind: "internal",
    code: "tour-failed",
    hint: "Please report it, with the output of `carryon doctor`.",
  });
}

/** Cuts the output of a step to the lines that matter. */
function renderOutput({ from, isTable, most = usualLines }: Step, output: string, width: number): string {
  const all = output.trimEnd().split("\n");
  const start = from === undefined ? 0 : all.findIndex((line) => from.test(line));
  const lines = all
    .slice(Math.max(0, start))
    .flatMap((line) => (isTable ? truncate(line, width) : wrap(line, width)).split("\n"));
  const shown = lines.length > most ? [...lines.slice(0, most), "…"] : lines;
  return `${shown.join("\n")}\n`;
}
