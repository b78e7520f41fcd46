import { execFile } from "node:child_process";
import { mkdir, readFile, realpath, utimes, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { makeSlug } from "../../src/clients/claude-code/locate.ts";
import { parseSession } from "../../src/handover/parse-session.ts";
import { openProject } from "../../src/lifecycle/open-project.ts";
import type { SyncChoice } from "../../src/recording/sync-client.ts";
import { trustProject } from "../../src/workspace/trust.ts";
import { openClientFolder } from "./client-folder.ts";
import { git, gitEnv, makeRepo } from "./git-repo.ts";
import { tempDir } from "./temp-dir.ts";

/** A minute of a day long after the files of a test were made, so that only what a test dates is new. */
export const minute = (number: number) => new Date(Date.UTC(2040, 0, 1, 12, number));

/** The sessions of a test. */
export const [one, two] = ["1", "2"].map((digit) => `${digit.repeat(8)}-1111-4111-8111-111111111111`) as [
  string,
  string,
];

/** Where the specs of a project are. */
const specs = ".claude/sdd/project/specs";

/** A project in which Claude Code works with hooks, in a repository unless told. */
export async function openHookedProject({ inGit = true, first = "first" } = {}) {
  const [dir, client] = [await tempDir(), await openClientFolder()];
  const root = join(await realpath(dir.path), "shop");
  await (inGit ? makeRepo(root, [first]) : mkdir(root));
  let rows = 0;
  const transcripts = new Map<string, string[]>();

  /** Adds a row to the transcript of a session. */
  async function say(session: string, at: Date, fields: object, cwd = root): Promise<void> {
    const all = transcripts.get(session) ?? [];
    const parentUuid = all.length === 0 ? null : `row-${rows}`;
    const common = { uuid: `row-${++rows}`, parentUuid, sessionId: session, cwd };
    all.push(`${JSON.stringify({ ...common, timestamp: at.toISOString(), ...fields })}\n`);
    transcripts.set(session, all);
    await client.write(session, all.join(""), makeSlug(root));
  }

  const hook = (session: string, at: Date, event: string, payload: object = {}) =>
    client.hook({ session, at, event, payload: { cwd: root, ...payload } });

  return {
    ...{ root, client, hook, say, home: client.home },
    join: (...names: readonly string[]) => join(root, ...names),
    /** The user says something, and the client writes it down. */
    prompt: (session: string, at: Date, content: string) =>
      say(session, at, { type: "user", message: { role: "user", content } }),
    /** The client uses a tool, which answers. */
    use: async (session: string, at: Date, name: string, input: object, failed = false) => {
      const id = `toolu_${rows}`;
      const call = { type: "tool_use", id, name, input };
      await say(session, at, { type: "assistant", message: { id, role: "assistant", content: [call] } });
      const result = { type: "tool_result", tool_use_id: id, content: "done", is_error: failed };
      await say(session, at, { type: "user", message: { role: "user", content: [result] } });
    },
    stop: (session: string, at: Date, more: object = {}) => hook(session, at, "Stop", more),
    /** Writes a file as it would have been at a moment. */
    write: async (at: Date, file: string, text: string) => {
      await mkdir(dirname(join(root, file)), { recursive: true });
      await writeFile(join(root, file), text);
      await utimes(join(root, file), at, at);
    },
    /** Writes the file of a spec as it would have been at a moment. */
    spec: async (at: Date, name: string, text: string) => {
      const path = join(root, specs, name, "spec.yaml");
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, `feature_name: ${name}\n${text}`);
      await utimes(path, at, at);
    },
    /** Commits everything at a moment. */
    commit: async (at: Date, message: string) => {
      await git(root, "add", "--all");
      const env = { ...gitEnv, GIT_COMMITTER_DATE: at.toISOString(), GIT_AUTHOR_DATE: at.toISOString() };
      await promisify(execFile)("git", ["commit", "--quiet", "--allow-empty", "-m", message], {
        cwd: root,
        env,
      });
    },
    /** Trusts the project, as `carryon trust` does. */
    trust: async () => {
      const here = await openProject({ cwd: root, home: client.home, store: undefined }, "write");
      await trustProject(client.home, here.project, { root, now: minute(0) });
      await here[Symbol.asyncDispose]();
    },
    /** Takes in what is new, at a moment. */
    sync: (now: Date, options: Partial<SyncChoice> = {}) =>
      client.sync({ now, clock: { now: () => now }, ...options }),
    /** Works with the documents at a moment, as a command would. */
    handover: async <Result>(
      now: Date,
      work: (
        handover: Awaited<ReturnType<Awaited<ReturnType<typeof openWritable>>["handover"]>>,
      ) => Promise<Result>,
    ): Promise<Result> => {
      const here = await openWritable();
      try {
        return await work(await here.handover({ machine: "here", clock: { now: () => now } }));
      } finally {
        await here[Symbol.asyncDispose]();
      }
    },
    read: (name: string) => readFile(join(root, ".claude/sdd/handover", name), "utf8"),
    doc: async () => parseSession(await readFile(join(root, ".claude/sdd/handover/session.md"), "utf8")).doc,
    [Symbol.asyncDispose]: async () => {
      await client[Symbol.asyncDispose]();
      await dir[Symbol.asyncDispose]();
    },
  };

  function openWritable() {
    return openProject({ cwd: root, home: client.home, store: undefined }, "write");
  }
}

export type HookedProject = Awaited<ReturnType<typeof openHookedProject>>;
