import { readFile, realpath } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import type { CommandContext } from "../../src/cli/command-context.ts";
import { runCli } from "../../src/cli/run-cli.ts";
import type { NewEntry } from "../../src/sessions/entry.ts";
import { parseSessionId } from "../../src/sessions/ids.ts";
import { openProject } from "../../src/workspace/open-project.ts";
import { git, gitEnv } from "./git-repo.ts";
import { openCarryon } from "./run-carryon.ts";
import { repoIn, writeFiles } from "./save-repo.ts";
import { testContext } from "./test-context.ts";

const { PATH: _path, HOME: _home, ...identity } = gitEnv;

/** What a person at a terminal answers: by the beginning of a choice, yes or no, and words. */
export interface Answers {
  readonly choices?: readonly string[];
  readonly yes?: boolean;
  readonly words?: string;
}

/** A repository in which the commands of work are run, each in this process. */
export async function openWork() {
  const carryon = await openCarryon(identity);
  const root = await repoIn(await realpath(join(carryon.folder, "work")));
  const env = { HOME: carryon.folder, CARRYON_HOME: join(carryon.folder, "home"), TMPDIR: carryon.folder };
  /** Runs a command; what differs from run to run is made the same, the names of commits too. */
  const call = async (args: readonly string[], more: Readonly<Record<string, string>> = {}, cwd = root) => {
    const { code, stdout, stderr } = await carryon.call(args, { cwd, env: more });
    return { code, stdout: withoutCommits(stdout), stderr: withoutCommits(stderr) };
  };
  return {
    ...{ carryon, root, call, env },
    folder: carryon.folder,
    /** Runs a command and returns what it says in JSON. */
    json: async (...args: readonly string[]) => JSON.parse((await call([...args, "--json"])).stdout),
    /** Runs a command at a terminal, and returns what was asked and said. */
    answer: (args: readonly string[], answers: Answers, more: Partial<CommandContext> = {}) =>
      atTerminal(root, args, answers, {
        env: { PATH: process.env.PATH, ...env, ...identity },
        userHome: carryon.folder,
        machine: hostname(),
        ...more,
      }),
    /** Returns the state as the file has it. */
    state: async () => JSON.parse(await readFile(join(root, ".claude/session-state.json"), "utf8")),
    write: (files: Readonly<Record<string, string>>) => writeFiles(root, files),
    git: (...args: readonly string[]) => git(root, ...args),
    /** Gives the repository a bare remote that has its branch. */
    addRemote: async () => {
      await git(carryon.folder, "init", "--quiet", "--bare", "remote.git");
      await git(root, "remote", "add", "origin", "../remote.git");
      await git(root, "push", "-q", "-u", "origin", "main");
    },
    /** Records entries in a session of Claude Code in the repository. */
    record: async (id: string, entries: readonly NewEntry[]): Promise<void> => {
      await using here = await openProject({ cwd: root, home: env.CARRYON_HOME, store: undefined }, "write");
      const start = { project: here.project.id, client: "claude-code", machine: hostname() } as const;
      const startedAt = entries[0]?.at ?? new Date();
      await here.store.log.open({ ...start, id: parseSessionId(id), cwd: root, startedAt }, entries);
    },
    [Symbol.asyncDispose]: () => carryon[Symbol.asyncDispose](),
  };
}

export type Work = Awaited<ReturnType<typeof openWork>>;

function withoutCommits(text: string): string {
  return text
    .replace(/\b(?:[0-9a-f]{40}|[0-9a-f]{12})\b/g, "<commit>")
    .replace(/(?<=HEAD \(|commit |git log )[0-9a-f]{7,11}\b/g, "<commit>");
}

async function atTerminal(
  root: string,
  args: readonly string[],
  { choices = [], yes = false, words }: Answers,
  given: Partial<CommandContext>,
) {
  const asked: string[] = [];
  const left = [...choices];
  const context = testContext(root, {
    isTerminal: { input: true, output: true, error: true },
    hasOwnTerminal: () => true,
    confirm: async (question) => {
      asked.push(question);
      return yes;
    },
    choose: async (question, offered) => {
      asked.push(question, ...offered.map(({ label }) => `  ${label}`));
      const wanted = left.shift();
      const found = offered.findIndex(({ label }) => wanted !== undefined && label.startsWith(wanted));
      return found === -1 ? undefined : found;
    },
    askText: async ({ message }) => {
      asked.push(message);
      return words;
    },
    ...given,
  });
  const code = await runCli(args, context);
  const { out, err } = context.said;
  return {
    code,
    asked: withoutCommits(asked.join("\n")),
    stdout: withoutCommits(out),
    stderr: withoutCommits(err),
  };
}
