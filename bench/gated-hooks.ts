import { spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { globSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Bench, Measurement } from "./figure.ts";
import { known, locateGated, makeGated } from "./gated-folder.ts";
import { makeHookHome } from "./hook-home.ts";
import { installPackage } from "./installed-package.ts";
import { git } from "./many-files.ts";
import { compare, interleave, type Subject, subject } from "./measure.ts";

const bareNode = "node -e 0";
const edit = { tool_name: "Edit", tool_input: { file_path: "a.ts" } };
const command = { tool_name: "Bash", tool_input: { command: "git log --oneline | head -3" } };

/** The events of a session in a repository with ten gates that are satisfied, and what each may cost. */
const events: readonly { readonly work: string; readonly payload: object; readonly bar: number }[] = [
  {
    work: "hook at PreToolUse of an edit, ten gates",
    payload: { hook_event_name: "PreToolUse", ...edit },
    bar: 1.2,
  },
  {
    work: "hook at PreToolUse of a command, ten gates",
    payload: { hook_event_name: "PreToolUse", ...command },
    bar: 1.2,
  },
  {
    work: "hook at PostToolUse of an edit, ten gates",
    payload: { hook_event_name: "PostToolUse", ...edit },
    bar: 1.15,
  },
  {
    work: "hook at Stop, ten gates",
    payload: { hook_event_name: "Stop", stop_hook_active: false },
    bar: 1.3,
  },
];

/**
 * Measured apart: it is once in a session, and what comes first after it is not what comes all the time. Each time a new
 * session begins, is registered and written down.
 */
const starts: readonly Start[] = [
  { work: "hook at SessionStart, ten gates and a full brief", from: "package", bar: 5 },
  { work: "the same, with no compiled code kept", from: "package", forgets: true },
  { work: "the same, with Carryon in a process of its own", from: "started" },
];

interface Start {
  readonly work: string;
  /** Which of two packages is installed; what answers a start is missing in the one that has to be started. */
  readonly from: "package" | "started";
  /** Whether what Node compiled is thrown away before. */
  readonly forgets?: boolean;
  readonly bar?: number;
}

/** What hooks cost where gates and documents are, from their start to their end, beside a Node that does nothing. */
export async function gatedCosts(bench: Bench, rounds: number): Promise<readonly Measurement[]> {
  const folder = join(realpathSync(bench.folder), "gated-hooks");
  const { root, home, clientFolder } = locateGated(folder);
  await makeGated(folder);
  git(root, ["add", "--all"]);
  git(root, ["commit", "--quiet", "--message", "Begin the shop"]);
  const { hook } = await makeHookHome(home);
  const env = { HOME: folder, CLAUDE_CONFIG_DIR: clientFolder, CARRYON_HOME: home, PATH: process.env.PATH };
  const launcher = installPackage(folder, "package");
  const started = installPackage(folder, "started");
  for (const name of globSync(join(folder, "started", "dist", "cli", "start*.cjs"))) rmSync(name);
  const run = (args: readonly string[], input = "") => {
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: root, env, input });
    if (status !== 0) throw new Error(`${args.join(" ")} ended with ${status}: ${stderr}`);
    return String(stdout);
  };
  const launchBy = (program: string) =>
    writeFileSync(
      join(home, "bin", "carryon.json"),
      JSON.stringify({ node: process.execPath, launcher: program }),
    );
  launchBy(launcher);
  run([launcher, "trust"]);
  for (const words of decisions) run([launcher, "decide", "USER_DECISION", words, ...because]);
  run([launcher, "handover", "draft", "--goal", "Ship the shop", "--next", "Write the price list"]);
  let call = 0;
  const hooked = (payload: object): Subject<unknown>["work"] => {
    return () => {
      call += 1;
      const wire = {
        session_id: known,
        cwd: root,
        tool_use_id: `toolu_${call}`,
        prompt_id: `p${call}`,
        ...payload,
      };
      return run([hook], JSON.stringify(wire));
    };
  };
  const prepare = () => undefined;
  const bare = subject({ name: bareNode, prepare, work: () => run(["-e", "0"]) });
  const compareAll = async (
    measured: readonly { readonly work: string; readonly bar?: number }[],
    subjects: readonly Subject<unknown>[],
  ) => {
    const times = await interleave([bare, ...subjects], rounds);
    return measured.map(({ work, bar }) => ({
      ...{ work, limit: bareNode, ...compare(times, work, bareNode) },
      ...(bar !== undefined && { bar }),
    }));
  };
  const frequent = events.map(({ work: name, payload }) => subject({ name, prepare, work: hooked(payload) }));
  const single = starts.map(({ work: name, from, forgets }) =>
    subject({
      name,
      prepare: () => {
        launchBy(from === "package" ? launcher : started);
        // Those before have ended.
        rmSync(join(clientFolder, "sessions.json"), { force: true });
        // What an earlier start left running may still keep something there.
        if (forgets)
          for (const cache of globSync(join(home, "cache", "v*")))
            rmSync(cache, { recursive: true, force: true, maxRetries: 10 });
        return { hook_event_name: "SessionStart", source: "startup", session_id: randomUUID() };
      },
      work: (payload) => hooked(payload)(undefined),
    }),
  );
  return [...(await compareAll(events, frequent)), ...(await compareAll(starts, single))];
}

const decisions = Array.from(
  { length: 20 },
  (_, index) => `Decision ${index} on how the shop keeps its prices`,
);
const because = [
  "--context",
  "The shop",
  "--decision",
  "As said",
  "--reason",
  "It is simple",
  "--impact",
  "Small",
];
