import type { ChildProcess } from "node:child_process";
import { ioError } from "../../lib/app-error.ts";
import { endGroup } from "../../lib/end-group.ts";
import { listenToLines } from "../../lib/line-listener.ts";
import { underUserUmask } from "../../lib/user-umask.ts";
import type { GitResult, GitRun } from "../git-run.ts";

/** The code of a run that was ended because it took too long, as `timeout` has it. */
const timedOutCode = 124;

const usualPatienceMs = 600_000;

/** A process that becomes git once it is told to, by a line that comes before what git reads. */
const gate = ["/bin/sh", ["-c", 'read -r _ && exec "$0" "$@"', "git"], "\n"] as const;

/** Runs git without a shell, and without the repository's watchers; its hooks only where they are wanted. */
export async function runGit(run: GitRun, args: readonly string[]): Promise<GitResult> {
  run.signal?.throwIfAborted();
  // It may fail before git is started: whoever has promised it hears of that.
  Promise.resolve(run.input).catch(() => undefined);
  return startGit(run, args, isReading(args) ? [] : ((await run.findWriteSettings?.()) ?? []));
}

/** The commands that write no objects; any other may. */
const reading: ReadonlySet<string | undefined> = new Set([
  ...["cat-file", "check-ignore", "check-ref-format", "config", "diff-index", "diff-tree", "for-each-ref"],
  ...["log", "ls-files", "ls-tree", "rev-list", "rev-parse", "show-ref", "status", "symbolic-ref"],
]);

function isReading(args: readonly string[]): boolean {
  return reading.has(args.find((arg, at) => !arg.startsWith("-") && args[at - 1] !== "-c"));
}

function startGit(run: GitRun, args: readonly string[], more: readonly string[]): Promise<GitResult> {
  const { cwd, env, input = "", withHooks = false, mayAsk = false, patienceMs = usualPatienceMs } = run;
  const { signal: interruption } = run;
  if (interruption?.aborted === true) return Promise.reject(interruption.reason);
  const listener = run.hear && listenToLines(run.hear);
  const settings = [
    ...["core.fsmonitor=false", "gc.auto=0", "maintenance.auto=false", ...durably(env)],
    ...(withHooks ? [] : ["core.hooksPath=/dev/null"]),
    ...more,
  ].flatMap((setting) => ["-c", setting]);
  const locks = run.refreshesIndex === true ? [] : ["--no-optional-locks"];
  // Without a terminal of its own, whatever git starts has none to ask on.
  const isAlone = !mayAsk && process.platform !== "win32";
  const isGated = run.onStart !== undefined && process.platform !== "win32";
  return new Promise((resolve, reject) => {
    const [program, words, first] = isGated ? gate : (["git", [], ""] as const);
    const { spawn } = process.getBuiltinModule("node:child_process");
    const child = underUserUmask(() =>
      spawn(program, [...words, ...settings, ...locks, ...args], {
        cwd,
        env: { ...env, ...(mayAsk ? {} : { GIT_TERMINAL_PROMPT: "0" }) },
        stdio: ["pipe", "pipe", "pipe"],
        detached: isAlone,
      }),
    );
    const [stdout, stderr]: [Buffer[], Buffer[]] = [[], []];
    child.stdout.on("data", (chunk: Buffer) => stdout.push(chunk));
    child.stderr.on("data", (chunk: Buffer) => {
      stderr.push(chunk);
      listener?.write(chunk);
    });
    let isLate = false;
    let ending: Promise<void> | undefined;
    let trouble: { readonly reason: unknown } | undefined;
    const end = () => {
      ending ??= isAlone ? endGroup(child) : endAlone(child);
    };
    const abort = () => {
      trouble ??= { reason: interruption?.reason };
      end();
    };
    const deadline = setTimeout(() => {
      isLate = true;
      end();
    }, patienceMs);
    interruption?.addEventListener("abort", abort, { once: true });
    const stopWatching = () => {
      clearTimeout(deadline);
      interruption?.removeEventListener("abort", abort);
    };
    child.on("error", (cause) => {
      stopWatching();
      reject(
        ioError("git-failed", `Git could not be started: ${cause.message}.`, {
          hint: "Try again when fewer programs run, or with a higher limit of open files (`ulimit -n`).",
          cause,
        }),
      );
    });
    if (withHooks) child.once("exit", () => drain(child));
    child.on("close", async (code, signal) => {
      stopWatching();
      listener?.end();
      await ending;
      if (trouble !== undefined) return reject(trouble.reason);
      const said = Buffer.concat(stderr).toString();
      const why = isLate ? `It took longer than ${patienceMs / 1000} seconds.\n` : describeSignal(signal);
      resolve({
        code: isLate ? timedOutCode : (code ?? 128),
        stdout: Buffer.concat(stdout).toString("latin1"),
        stderr: `${said}${why}`,
      });
    });
    // A git that ends before it has read everything says why with its code.
    child.stdin.on("error", () => child.stdin.destroy());
    const give = (text = "") => child.stdin.end(Buffer.from(`${first}${text}`, "latin1"));
    if (typeof input !== "string") input.then(give, () => give());
    else if (run.onStart === undefined || child.pid === undefined) give(input);
    else
      run.onStart({ pid: child.pid, isGroup: isAlone }).then(
        () => give(input),
        (reason: unknown) => {
          trouble ??= { reason };
          end();
        },
      );
  });
}

/**
 * Makes git sync what it writes before it says that it is done: by default it syncs neither loose objects nor refs.
 *
 * An index of our own is not synced: it is put together in many steps, and only its last state counts.
 */
function durably(env: GitRun["env"]): readonly string[] {
  const synced = env.GIT_INDEX_FILE === undefined ? "all" : "committed,reference";
  return [`core.fsync=${synced}`, "core.fsyncMethod=fsync"];
}

/** How long what a hook has left running on purpose may hold the output. */
const drainMs = 500;

function drain(child: ChildProcess): void {
  const waiting = setTimeout(() => {
    for (const stream of child.stdio) stream?.destroy();
  }, drainMs);
  child.once("close", () => clearTimeout(waiting));
}

/** How long git may take to end when it is asked to. */
const endMs = 2000;

/** Ends a git that shares our group, and with it our terminal; it passes the signal on to its hooks. */
async function endAlone(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const killing = setTimeout(() => child.kill("SIGKILL"), endMs);
  child.once("exit", () => clearTimeout(killing));
  child.kill("SIGTERM");
}

function describeSignal(signal: NodeJS.Signals | null): string {
  return signal === null ? "" : `Git was ended by ${signal}.\n`;
}
