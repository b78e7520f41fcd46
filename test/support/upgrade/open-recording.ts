import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { runOn } from "../machine.ts";
import { machineName, type Recorded } from "./manifest.ts";

export const fixtures = fileURLToPath(new URL("../../fixtures", import.meta.url));

/** Plays a user and Claude Code who work with one version of the program in a folder of their own. Linux only. */
export function openRecording(launcher: string, folder: string, modelUrl: string) {
  if (existsSync(folder)) throw new Error(`${folder} is there already: remove it first.`);
  const [work, home, temp] = [join(folder, "work"), join(folder, "home"), join(folder, "tmp")];
  const transcripts = `.claude/projects/${work.replaceAll(/[^A-Za-z0-9]/g, "-")}`;
  for (const name of ["work", "home", "kept", "tmp"])
    mkdirSync(join(folder, name), { recursive: true, mode: 0o700 });

  /** Writes a file of the folder. */
  function write(path: string, text: string, mode = 0o644): void {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text, { mode });
  }

  // Sessions record the name of their machine; the fixture has a neutral one.
  const named = `require("os").hostname = () => ${JSON.stringify(machineName)};`;
  write("tmp/machine.cjs", `${named} require("module").syncBuiltinESMExports();\n`);
  const machine = {
    cwd: work,
    path: `${dirname(process.execPath)}:/usr/bin:/bin`,
    env: {
      ...{ HOME: folder, CARRYON_HOME: home, TMPDIR: temp, TZ: "UTC", LANG: "C.UTF-8" },
      ...{ NODE_OPTIONS: `--require ${temp}/machine.cjs`, NODE_COMPILE_CACHE: join(temp, "compiled") },
      ...{ GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" },
      ...{ ANTHROPIC_API_KEY: "none-is-needed", ANTHROPIC_BASE_URL: modelUrl },
    },
  };

  /** Runs the program as its user does; it must succeed. */
  async function carryon(args: readonly string[], input = ""): Promise<string> {
    const { code, stdout, stderr } = await runOn(machine, process.execPath, [launcher, ...args], input);
    if (code !== 0) throw new Error(`carryon ${args.join(" ")} ended with ${code}:\n${stdout}${stderr}`);
    return stdout;
  }

  const answers: Recorded[] = [];
  return {
    ...{ folder, work, home, write, carryon, answers },
    git: (...args: readonly string[]) =>
      execFileSync("git", args, { cwd: work, env: { ...machine.env, PATH: machine.path } }),
    /** Asks the program for JSON, and keeps the answer for the manifest. */
    ask: async (command: string, ...rest: readonly string[]): Promise<unknown> => {
      const args = [command, "--json", ...rest];
      const answer = JSON.parse(await carryon(args));
      answers.push({ args, answer });
      return answer;
    },
    /** Appends messages of user and assistant in turn, and returns the id of the session. */
    append: async (args: readonly string[], ...texts: readonly string[]): Promise<string> => {
      const roles = ["user", "assistant"];
      const lines = texts.map((text, index) => `${JSON.stringify({ role: roles[index % 2], text })}\n`);
      const [first = ""] = (await carryon(["append", ...args], lines.join(""))).split("\n");
      return JSON.parse(first).session;
    },
    /** Puts a recorded transcript where Claude Code would have written it for this repository. */
    transcribe: (fixture: string, path: string) => {
      const text = readFileSync(join(fixtures, "claude-code/2.1.325", fixture), "utf8");
      const moved = text.replaceAll(/\/home\/me\/(?:project|my_proj\.v2)/g, work);
      write(join(transcripts, path), moved, 0o600);
    },
    /** Runs the installed hook with a recorded payload, as if the session were in this repository. */
    tell: async (session: string, payload: string, more: object = {}): Promise<void> => {
      const text = readFileSync(
        join(fixtures, "hook-payloads/claude-code/2.1.325", `${payload}.json`),
        "utf8",
      );
      const transcript = join(folder, transcripts, `${session}.jsonl`);
      const event = {
        ...JSON.parse(text),
        session_id: session,
        transcript_path: transcript,
        cwd: work,
        ...more,
      };
      const { hooks } = JSON.parse(readFileSync(join(work, ".claude/settings.local.json"), "utf8"));
      const command = hooks[event.hook_event_name].at(-1).hooks[0].command;
      // A short-lived process plays the client, because a living client would hold its session open.
      const play = `require("child_process").spawnSync("/bin/sh", ["-c", process.argv[1]], { stdio: "inherit" })`;
      const args = ["--eval", play, command];
      const { code, stderr } = await runOn(machine, process.execPath, args, JSON.stringify(event));
      if (code !== 0 || stderr !== "") throw new Error(`${payload}: ${code}, ${stderr}`);
    },
    /** Waits for the background syncs that hooks have started, then syncs. */
    settle: async (): Promise<void> => {
      const pids = () => readdirSync("/proc").filter((name) => /^\d+$/.test(name));
      while (pids().some((pid) => isIn(home, pid))) await sleep(100);
      await carryon(["sync"]);
    },
  };
}

/** Tells whether a process uses a home. */
function isIn(home: string, pid: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/environ`, "utf8").includes(`CARRYON_HOME=${home}\0`);
  } catch {
    // It has ended, or is somebody else's.
    return false;
  }
}
