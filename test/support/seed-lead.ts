import { readdir, readFile } from "node:fs/promises";
import { dirname } from "node:path";
import { Readable } from "node:stream";
import { runCli } from "../../src/cli/run-cli.ts";
import { hookWord } from "../../src/lib/hook-files.ts";
import { minute, openHookedProject } from "./hooked-project.ts";
import { testContext } from "./test-context.ts";

/** A project in which the Lead of a seed works: Claude Code with the hooks of Carryon, and a user who types its commands. */
export async function openLead({ inGit = true } = {}) {
  const project = await openHookedProject({ inGit });
  const sdd = (name: string) => project.join(".claude/sdd", name);
  let at = 0;
  const next = () => minute(++at);
  /** Runs a command; a person at a terminal gives answers by the beginning of a question. */
  async function carryon(
    args: readonly string[],
    {
      input = "",
      answers,
    }: { readonly input?: string; readonly answers?: Readonly<Record<string, string>> } = {},
  ) {
    const asked: string[] = [];
    const isTerminal = answers !== undefined;
    const now = next();
    const context = testContext(project.root, {
      ...{
        env: { CARRYON_HOME: project.home },
        userHome: dirname(project.home),
        machine: "here",
        clock: { now: () => now },
      },
      ...{ input: Readable.from([Buffer.from(input)]), program: ["node", "carryon"] },
      isTerminal: { input: isTerminal, output: isTerminal, error: isTerminal },
      askText: async ({ message, initial }) => {
        asked.push(message.replace(/ \(.*/, ""));
        return (
          Object.entries(answers ?? {}).find(([question]) => message.startsWith(question))?.[1] ?? initial
        );
      },
    });
    const code = await runCli(args, context);
    return { code, asked, ...context.said };
  }
  return {
    ...{ project, carryon, sdd },
    /** Claude Code begins a session, or goes on after a compaction; returns what its hook answers. */
    begin: async (session: string, source = "startup") => {
      const payload = { hook_event_name: "SessionStart", session_id: session, cwd: project.root, source };
      const { out } = await carryon([hookWord, "SessionStart"], { input: JSON.stringify(payload) });
      return JSON.parse(out).hookSpecificOutput.additionalContext as string;
    },
    /** The user says something in a session, something is done, and the turn ends. */
    turn: async (session: string, prompt: string, work?: (now: Date) => Promise<unknown>) => {
      await project.prompt(session, next(), prompt);
      await work?.(next());
      await project.stop(session, next());
      return project.sync(next());
    },
    read: (name: string) => readFile(sdd(`handover/${name}`), "utf8"),
    put: async (name: string, text: string) => project.write(next(), `.claude/sdd/${name}`, text),
    spec: (name: string, text: string) => project.spec(next(), name, text),
    names: async (folder: string) =>
      (await readdir(sdd(folder))).filter((name) => !name.startsWith(".")).sort(),
    /** The types and summaries of decisions.md, with their numbers. */
    decisions: async () =>
      (await readFile(sdd("handover/decisions.md"), "utf8"))
        .split("\n")
        .flatMap((line) => /^\[\S+\] (D\d+: .*)$/.exec(line)?.[1] ?? []),
    [Symbol.asyncDispose]: () => project[Symbol.asyncDispose](),
  };
}

/** Returns a verdicts.md of two batches, of which the last ended so. */
export const reviewed = (disposition: string) => `# Verdicts

## [B1] design | 2039-12-31T09:00:00Z | v1.0.0 | runs:1 | threshold:1/1
### Disposition
NO-GO
### Tracked
- an old finding

## [B2] impl | 2039-12-31T10:00:00Z | v1.1.0 | runs:1 | threshold:1/1
### Disposition
${disposition}
### Tracked
- M|test-gap|no test of a lost key
`;
