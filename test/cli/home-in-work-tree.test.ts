import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { git } from "../support/git-repo.ts";
import { openModelServer } from "../support/model-server/open-model-server.ts";
import { writesFiles } from "../support/run-machines.ts";
import { writeFiles } from "../support/save-repo.ts";
import { openWork } from "../support/work-project.ts";

/** A repository with the home of Carryon in it, and a model that writes two files. */
async function openInside() {
  const server = await openModelServer({ rules: writesFiles(2) });
  const work = await openWork();
  const env = {
    ...{ ANTHROPIC_API_KEY: "sk-ant-test", ANTHROPIC_BASE_URL: server.url },
    ...{ CARRYON_MODEL: "anthropic/claude-sonnet-5-5", CARRYON_HOME: join(work.root, ".store") },
  };
  return {
    ...{ root: work.root, call: (...args: readonly string[]) => work.call(args, env) },
    [Symbol.asyncDispose]: async () => {
      await work[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

const filesOf = async (root: string, commit: string) =>
  (await git(root, "ls-tree", "-r", "--name-only", commit)).split("\n");

async function keptRounds(root: string): Promise<readonly string[]> {
  const refs = await git(root, "for-each-ref", "--format=%(refname)", "refs/carryon/rounds");
  return refs.split("\n");
}

describe("the home of Carryon in a work tree", () => {
  it("is in the files of no round, and neither is a session file", async () => {
    await using inside = await openInside();
    const { root, call } = inside;
    // Whoever stages everything has staged the home too.
    await writeFiles(root, { ".store/notes.txt": "mine\n" });
    await git(root, "add", ".store/notes.txt");
    const file = ["--session-file", "session.json", "--yes"];
    expect((await call("run", "Write two files.", "-r", "1", ...file)).code).toBe(0);
    expect((await call("run", "--resume", ...file)).code).toBe(0);
    const [one = "", two = ""] = await keptRounds(root);
    expect(await filesOf(root, one)).toEqual(["a.txt", "part-1.txt", "src/b.txt"]);
    expect(await filesOf(root, two)).toEqual(["a.txt", "part-1.txt", "part-2.txt", "src/b.txt"]);
    expect(await git(root, "diff", "--cached", "--name-only")).toBe(".store/notes.txt");
  });

  it("is in no commit of a save, and no change that is told", async () => {
    await using inside = await openInside();
    const { root, call } = inside;
    await writeFiles(root, { "c.txt": "c\n" });
    const dry = await call("save", "--dry-run");
    expect(dry.stdout + dry.stderr).not.toContain(".store");
    expect((await call("save")).code).toBe(0);
    expect(await filesOf(root, "HEAD")).toEqual(["a.txt", "c.txt", "src/b.txt"]);
    const loaded = await call("load");
    expect(loaded.stdout + loaded.stderr).not.toContain(".store");
  });
});
