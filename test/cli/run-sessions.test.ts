import { describe, expect, it } from "vitest";
import { runCli } from "../../src/cli/run-cli.ts";
import { openRunMachines, type RunMachines, sessionIn, writesFiles } from "../support/run-machines.ts";
import { tempDir } from "../support/temp-dir.ts";
import { testContext } from "../support/test-context.ts";

type Machine = RunMachines["ada"];

/** Records a session that is no run. */
async function note(machine: Machine): Promise<string> {
  const [first = ""] = (
    await machine.ask(machine.folder, ["append"], [{ role: "user", text: "Note" }])
  ).split("\n");
  return JSON.parse(first).session;
}

describe("run --list-sessions and --clean-sessions", () => {
  // Seed 3: 4.5, 4.6, 5.6, 5.7, 6.3, 7.5, 12.1
  it("are about the runs of this project alone", async () => {
    await using world = await openRunMachines(writesFiles(1));
    const { ada } = world;
    const list = (...more: readonly string[]) => ada.call(ada.folder, ["run", "--list-sessions", ...more]);
    expect((await list()).err).toBe('No runs here. Begin one with `carryon run "TASK"`.\n');
    const other = await note(ada);
    const session = sessionIn(await ada.run("Write a file."));
    const ids = JSON.parse((await list("--json")).out).sessions.map(({ id }: { id: string }) => id);
    expect(ids).toEqual([session]);
    expect((await list()).out).toContain("Write a file.");
    const clean = ["run", "--clean-sessions", "--older-than", "7d"];
    expect((await ada.call(ada.folder, [...clean, "--yes"])).err).toBe("There is nothing to clean.\n");
    const dry = await ada.inAYear(...clean, "--dry-run");
    expect([dry.out.includes(session), dry.out.includes(other)]).toEqual([true, false]);
    await ada.inAYear(...clean, "--yes");
    const left = JSON.parse(await ada.ask(ada.folder, ["sessions", "--json"])).sessions;
    expect(left.map(({ id }: { id: string }) => id)).toEqual([other]);
  });

  it("are refused with a task, and their options without them: nothing is run by mistake", async () => {
    await using world = await openRunMachines(writesFiles(1));
    const { ada } = world;
    const ask = async (...args: readonly string[]) => {
      const { code, err } = await ada.run(...args);
      return `${code} ${err.split("\n")[0]}`;
    };
    expect(await ask("A task.", "--list-sessions")).toBe(
      "2 carryon: A task cannot be run together with this.",
    );
    expect(await ask("A task.", "--dry-run")).toBe(
      "2 carryon: --older-than and --dry-run belong to --clean-sessions.",
    );
    expect(await ask("--resume", "--list-sessions")).toMatch(
      /^2 carryon: Option .* cannot be used with option/,
    );
    expect(world.server.requests).toEqual([]);
  });
});

describe("run --diff and --merge", () => {
  // Seed 3: 10.5, 10.6
  it("do what the commands of these names do", async () => {
    await using world = await openRunMachines(writesFiles(2));
    const { ada } = world;
    const origin = sessionIn(await ada.run("Write two files."));
    const fork = sessionIn(await ada.run("--resume", "--fork-at-round", "1"));
    const ask = async (...args: readonly string[]) => (await ada.call(ada.folder, args)).out;
    expect(await ask("run", "--diff", origin, fork, "--json")).toBe(
      await ask("diff", origin, fork, "--json"),
    );
    const merged = await ada.call(ada.folder, ["run", "--merge", origin, fork]);
    expect([merged.code, (await ask("diff", origin, fork)).length > 0]).toEqual([0, true]);
    const wrong = await ada.call(ada.folder, ["run", "--diff", origin, fork, origin]);
    expect([wrong.code, wrong.err.split("\n")[0]]).toEqual([
      2,
      "carryon: Two sessions can be compared or merged, not more.",
    ]);
  });
});

describe("run --replay", () => {
  // Seed 3: 10.4
  it("does a run over with another model, as the command replay does", async () => {
    await using world = await openRunMachines(writesFiles(1));
    const { ada } = world;
    const origin = sessionIn(await ada.run("Write a file."));
    const { code, err } = await ada.run("--replay", origin, "--with-model", "openai/gpt-5.6", "-r", "3");
    expect([code, err]).toEqual([0, expect.stringContaining(`, a replay of ${origin}\n`)]);
    expect(err).toContain(`Compare with: carryon diff ${origin} `);
    const asked = new Set(world.server.requests.map(({ body }) => body?.model));
    expect([...asked]).toEqual(["claude-sonnet-5-5", "gpt-5.6"]);
    const loose = await ada.run("A task.", "--with-model", "openai/gpt-5.6");
    expect([loose.code, loose.err.split("\n")[0]]).toEqual([2, "carryon: --with-model belongs to --replay."]);
  });
});

describe("an option of run that would have no effect", () => {
  it("is refused with what does have it: no model is asked and no file is touched", async () => {
    await using world = await openRunMachines(writesFiles(1));
    const { ada } = world;
    const refusal = async (...args: readonly string[]) => {
      const { code, err } = await ada.run(...args);
      return [code, err];
    };
    const folders =
      "  For a new run make the work tree first: `git worktree add DIR`, then `carryon run TASK -d DIR`. " +
      "For the files of a round: `carryon run --resume --fork-at-round N --worktree DIR`.\n";
    for (const option of [["--worktree", "../try"], ["--restore-files"]])
      expect(await refusal("Write a file.", ...option)).toEqual([
        2,
        `carryon: ${option[0]} needs --fork-at-round: a new run works on the files as they are.\n${folders}`,
      ]);
    expect(await refusal("--replay", "latest", "--worktree", "../try")).toEqual([
      2,
      "carryon: --worktree needs a round, which --replay does not take.\n" +
        "  Run `carryon replay ID --from-round N --worktree DIR`.\n",
    ]);
    expect([world.server.requests, await ada.parts()]).toEqual([[], []]);
  });

  it.each([
    ...["--worktree x", "--restore-files", "--no-thinking", "--no-auto-save", "--save-to-cloud"].flatMap(
      (option) =>
        ["--list-sessions", "--clean-sessions", "--diff a b", "--merge a b"].map((no) => `${no} ${option}`),
    ),
    ...["--list-sessions", "--clean-sessions", "--diff a b", "--merge a b"].map(
      (no) => `${no} --replay latest`,
    ),
    ...["--list-sessions", "--clean-sessions", "--merge a b"].map((no) => `${no} --diff a b`),
    ...["--list-sessions --merge a b", "--clean-sessions --merge a b", "--clean-sessions --json"],
  ])("is refused beside what runs nothing: %s", async (line) => {
    await using dir = await tempDir();
    const context = testContext(dir.path);
    expect([await runCli(["run", ...line.split(" ")], context), context.said.err]).toEqual([
      2,
      expect.stringMatching(/Option .* cannot be used with option/),
    ]);
  });
});
