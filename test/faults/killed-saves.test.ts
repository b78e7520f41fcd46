import { once } from "node:events";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { filesIn, hook, statusOf } from "../support/save-repo.ts";
import { openWork } from "../support/work-project.ts";

type Work = Awaited<ReturnType<typeof openWork>>;

const patience = { timeout: 60_000, interval: 50 };

/** Tells whether a process runs; one that has ended may be listed until somebody asks for its end. */
const isThere = async (pid: number): Promise<boolean> =>
  /\) [^ZX]/.test(await readFile(`/proc/${pid}/stat`, "utf8").catch(() => ""));

/** Gives a hook that says its process and waits to be told to go on; starts a save and waits until that hook runs. */
async function startSave(work: Work, name: string) {
  const wait = "until test -e .git/go; do sleep 0.05; done";
  await hook(work.root, name, `echo $$ > .git/pid.new; mv .git/pid.new .git/pid; ${wait}`);
  await work.write({ "new.txt": "new\n" });
  const child = work.carryon.start(["save", "-m", "The form"], { cwd: work.root });
  const pid = Number(await vi.waitFor(() => readFile(join(work.root, ".git/pid"), "utf8"), patience));
  return { child, pid };
}

const goOn = (work: Work) => writeFile(join(work.root, ".git/go"), "");

const subject = (work: Work) => work.git("log", "-1", "--format=%s");

const indexes = async (work: Work) =>
  (await readdir(join(work.root, ".git/carryon"))).filter((name) => name.includes("index"));

describe("a save that is ended while a hook runs", () => {
  it.each([
    { signal: "SIGINT", code: 130 },
    { signal: "SIGTERM", code: 143 },
    { signal: "SIGHUP", code: 129 },
  ] as const)("ends git and the hook on $signal, and commits nothing", async ({ signal, code }) => {
    await using work = await openWork();
    const before = await work.git("rev-parse", "HEAD");
    const { child, pid } = await startSave(work, "pre-commit");
    child.kill(signal);
    await once(child, "close");
    expect([child.exitCode, await isThere(pid)]).toEqual([code, false]);
    expect([await work.git("rev-parse", "HEAD"), await indexes(work)]).toEqual([before, []]);
    await goOn(work);
    expect((await work.call(["save", "-m", "Again"])).code).toBe(0);
    expect([await subject(work), await statusOf(work.root)]).toEqual(["WIP: Again - checkpoint", []]);
  });

  it("lets the index follow a commit that was made before it was ended", async () => {
    await using work = await openWork();
    const { child, pid } = await startSave(work, "post-commit");
    child.kill("SIGTERM");
    await once(child, "close");
    expect([child.exitCode, await isThere(pid)]).toEqual([143, false]);
    expect([await subject(work), await statusOf(work.root)]).toEqual(["WIP: The form - checkpoint", []]);
  });
});

describe("a save that is killed while a hook runs", () => {
  it.each([["save", "--no-commit"], ["save"]])(
    "keeps its index from %s %s until git has ended",
    async (...args) => {
      await using work = await openWork();
      const before = await filesIn(work.root);
      const { child } = await startSave(work, "pre-commit");
      child.kill("SIGKILL");
      await once(child, "close");
      const { code, stderr } = await work.call(args);
      expect([code, stderr]).toEqual([
        75,
        expect.stringMatching(
          /^Waiting for the commit .* process (\d+) is .*\n.* is still being made: process \1, /,
        ),
      ]);
      expect(await indexes(work)).toHaveLength(1);
      await goOn(work);
      await vi.waitFor(async () => expect(await subject(work)).toBe("WIP: The form - checkpoint"), patience);
      expect(await filesIn(work.root)).toEqual([...before, "new.txt"].sort());
      expect((await work.call(["save"])).code).toBe(0);
      expect([await subject(work), await statusOf(work.root), await indexes(work)]).toEqual([
        "WIP: The form - checkpoint",
        [],
        [],
      ]);
    },
  );

  it("is brought to its end after a hook that runs after the commit", async () => {
    await using work = await openWork();
    const { child } = await startSave(work, "post-commit");
    child.kill("SIGKILL");
    await once(child, "close");
    const { code, stderr } = await work.call(["save"]);
    expect([code, stderr]).toEqual([75, expect.stringContaining("is still being made: process ")]);
    await goOn(work);
    expect((await work.call(["save"])).code).toBe(0);
    expect([await subject(work), await statusOf(work.root)]).toEqual(["WIP: The form - checkpoint", []]);
  });
});
