import { mkdir } from "node:fs/promises";
import { Readable } from "node:stream";
import { runCli } from "../../src/cli/run-cli.ts";
import { systemClock } from "../../src/lib/clock.ts";
import type { NewEntry } from "../../src/sessions/entry.ts";
import { parseSessionId } from "../../src/sessions/ids.ts";
import { openProject } from "../../src/workspace/open-project.ts";
import { trustProject } from "../../src/workspace/trust.ts";
import { gitEnv } from "./git-repo.ts";
import { tempDir } from "./temp-dir.ts";
import { testContext } from "./test-context.ts";

/** What a command answered. */
interface Answer {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** A machine with a home of its own; commands run in this process. */
export interface TestMachine extends AsyncDisposable {
  readonly home: string;
  /** Returns a path on it. */
  readonly path: (...parts: string[]) => string;
  /** Runs a command in a folder. */
  readonly call: (cwd: string, args: readonly string[], input?: readonly object[]) => Promise<Answer>;
  /** Runs a command that must succeed, and returns its answer. */
  readonly ask: (cwd: string, args: readonly string[], input?: readonly object[]) => Promise<string>;
  /** Records entries in a session of Claude Code in a folder. */
  readonly record: (cwd: string, id: string, entries: readonly NewEntry[]) => Promise<void>;
  /** Trusts the project of a folder, as its person would. */
  readonly trust: (cwd: string) => Promise<void>;
}

/** Opens a machine of a name. */
export async function openMachine(
  name: string,
  env: Readonly<Record<string, string>> = {},
): Promise<TestMachine> {
  const dir = await tempDir();
  const home = dir.join("home");
  await mkdir(home, { mode: 0o700 });
  const call: TestMachine["call"] = async (cwd, args, input = []) => {
    const lines = input.map((line) => Buffer.from(`${JSON.stringify(line)}\n`));
    const context = testContext(cwd, {
      env: { ...gitEnv, HOME: dir.path, CARRYON_HOME: home, TZ: "UTC", ...env },
      userHome: dir.path,
      machine: name,
      input: Readable.from(lines),
    });
    return { code: await runCli(args, context), ...context.said };
  };
  return {
    home,
    path: (...parts) => dir.join(...parts),
    call,
    ask: async (cwd, args, input) => {
      const { code, out, err } = await call(cwd, args, input);
      if (code !== 0) throw new Error(`carryon ${args.join(" ")} ended with ${code}: ${err}`);
      return out;
    },
    record: async (cwd, id, entries) => {
      await using here = await openProject({ cwd, home }, "write");
      const start = {
        project: here.project.id,
        client: "claude-code",
        machine: name,
        cwd: here.root,
      } as const;
      const startedAt = entries[0]?.at ?? new Date();
      await here.store.log.open(
        { ...start, id: parseSessionId(id), clientSessionId: id, startedAt },
        entries,
      );
    },
    trust: async (cwd) => {
      await using here = await openProject({ cwd, home }, "write");
      await trustProject(home, here.project, { root: here.root, now: systemClock.now() });
    },
    [Symbol.asyncDispose]: () => dir[Symbol.asyncDispose](),
  };
}
