import { type ChildProcess, spawn } from "node:child_process";
import { readdir } from "node:fs/promises";
import type { CommandContext } from "../../src/cli/command-context.ts";
import { runCli } from "../../src/cli/run-cli.ts";
import { git, gitEnv, makeRepo } from "./git-repo.ts";
import { openModelServer } from "./model-server/open-model-server.ts";
import type { Rule } from "./model-server/scenario.ts";
import { openMachine, type TestMachine } from "./open-machine.ts";
import { ends, goesOn, runScenario, writes } from "./run-scenario.ts";
import { launcher, testContext } from "./test-context.ts";

/** What the models of a run say: a file a round, for so many rounds. */
export function writesFiles(rounds: number): Rule[] {
  const names = Array.from({ length: rounds }, (_, index) => `part-${index + 1}.txt`);
  const { rules = [] } = runScenario(
    [...names.map((name) => goesOn(`Write ${name}.`)), ends("All parts are there.")],
    names.flatMap((name) => [writes(name), { text: `Wrote ${name}.` }]),
  );
  return rules;
}

/** Lets the worker hang once before its last report, when everything is done. */
export function hangsAtTheEnd([instructor, worker]: readonly Rule[]): Rule[] {
  if (instructor === undefined || worker?.story === undefined) throw new Error("This is no script of a run.");
  const last = { ...worker.story.at(-1), hang: { at: "start" as const, times: 1 } };
  return [instructor, { ...worker, story: worker.story.with(-1, last) }];
}

interface Said {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** A repository that runs work in, on a machine with a home of its own. */
interface RunMachine extends TestMachine {
  readonly folder: string;
  /** Runs `carryon run` in the repository, with everything allowed. */
  readonly run: (...args: readonly string[]) => ReturnType<TestMachine["call"]>;
  /** Runs it on a terminal, where questions are answered. */
  readonly type: (answer: (question: string) => boolean, ...args: readonly string[]) => Promise<Said>;
  /** Runs a command on a terminal, where something is chosen and started. */
  readonly pick: (
    args: readonly string[],
    given: Pick<CommandContext, "choose" | "start">,
  ) => Promise<number>;
  /** Starts a command as a program, without waiting for it. */
  readonly start: (...args: readonly string[]) => ChildProcess;
  /** Runs a command a year later. */
  readonly inAYear: (...args: readonly string[]) => Promise<Said>;
  /** Returns the names of what a run has written. */
  readonly parts: (folder?: string) => Promise<readonly string[]>;
}

/** Machines with clones of one repository, each at another path, and a scripted model that all of them ask. */
export interface RunMachines extends AsyncDisposable {
  readonly ada: RunMachine;
  readonly ben: RunMachine;
  readonly server: Awaited<ReturnType<typeof openModelServer>>;
}

export async function openRunMachines(
  script: Rule[],
  given: Readonly<Record<string, string>> = {},
): Promise<RunMachines> {
  const server = await openModelServer({ rules: script });
  const env = {
    ...{ ANTHROPIC_API_KEY: "sk-ant-test", ANTHROPIC_BASE_URL: server.url },
    ...{ OPENAI_API_KEY: "sk-test", OPENAI_BASE_URL: `${server.url}/v1` },
    ...{ CARRYON_MODEL: "anthropic/claude-sonnet-5-5", ...given },
  };
  const [one, other] = [await openMachine("ada-laptop", env), await openMachine("ben-desktop", env)];
  const [ada, ben] = [
    toRunMachine(one, one.path("shop"), env),
    toRunMachine(other, other.path("code", "shop"), env),
  ];
  await makeRepo(ada.folder, ["first"]);
  await git(ben.path(), "clone", "--quiet", ada.folder, ben.folder);
  return {
    ...{ ada, ben, server },
    [Symbol.asyncDispose]: async () => {
      for (const each of [one, other, server]) await each[Symbol.asyncDispose]();
    },
  };
}

const onTerminal = { input: true, output: true, error: true };

function toRunMachine(
  machine: TestMachine,
  folder: string,
  env: Readonly<Record<string, string>>,
): RunMachine {
  const given = {
    env: { ...gitEnv, HOME: machine.path(), CARRYON_HOME: machine.home, TZ: "UTC", ...env },
    userHome: machine.path(),
  };
  return {
    ...machine,
    folder,
    run: (...args) => machine.call(folder, ["run", ...args, "--yes"]),
    type: async (answer, ...args) => {
      const context = testContext(folder, {
        ...given,
        isTerminal: onTerminal,
        confirm: async (question) => answer(question),
      });
      return { code: await runCli(["run", ...args], context), ...context.said };
    },
    pick: (args, own) =>
      runCli(args, testContext(folder, { ...given, ...own, isTerminal: onTerminal, columns: 100 })),
    start: (...args) =>
      spawn(process.execPath, [launcher, ...args], { cwd: folder, env: given.env, stdio: "ignore" }),
    inAYear: async (...args) => {
      const now = () => new Date(Date.now() + 365 * 86_400_000);
      const context = testContext(folder, { ...given, clock: { now } });
      return { code: await runCli(args, context), ...context.said };
    },
    parts: async (place = folder) => (await readdir(place)).filter((name) => name.startsWith("part-")).sort(),
  };
}

/** Returns the session that a run says it has. */
export function sessionIn({ err }: { readonly err: string }): string {
  return /^Session (\S+)$/m.exec(err)?.[1] ?? "";
}
