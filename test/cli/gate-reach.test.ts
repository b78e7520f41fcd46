import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openGated } from "../support/gates/gated-cli.ts";
import { git } from "../support/git-repo.ts";

const one = "11111111-1111-4111-8111-111111111111";
const two = "22222222-2222-4222-8222-222222222222";

const gates = `requirements:
  plan: { enabled: true, message: Plan first., checklist: [Scope, Risks] }
  reviewed: { enabled: true, scope: branch, description: A review of the branch }
  kept: { enabled: true, scope: permanent }
  size: { enabled: true, type: dynamic, scope: branch, thresholds: { block: 400 } }
  idle: { description: One that is off }
`;

describe("what is said of gates", () => {
  it("is said in a line for each reach, and for gates of a branch without a session", async () => {
    await using carryon = await openGated({ gates });
    expect(await carryon.call(["gate", "satisfy", "reviewed", "kept", "reviewed"])).toEqual({
      code: 0,
      stdout: "",
      stderr: "Satisfied for all sessions of feature/plan: reviewed, kept\n",
    });
    const { stderr } = await carryon.call(["gate", "satisfy", "plan", "reviewed", "idle", "--session", one]);
    expect(stderr).toBe(
      `Satisfied in session ${one}: plan, idle\nSatisfied for all sessions of feature/plan: reviewed\n` +
        "idle is turned off, and asks for nothing until `carryon gate enable idle`.\n",
    );
  });

  it("names the end, and an end that is later stays", async () => {
    await using carryon = await openGated({ gates });
    await carryon.call(["gate", "satisfy", "plan", "--session", one]);
    const kept = await carryon.call(["gate", "approve", "plan", "--session", one, "--ttl", "1"]);
    expect(kept.stderr).toBe(`Satisfied in session ${one}: plan\n`);
    const endOf = async (ttl: string) => {
      const { stderr } = await carryon.call(["gate", "approve", "plan", "--session", two, "--ttl", ttl]);
      expect(stderr).toBe(`Satisfied in session ${two} until <time>: plan\n`);
      const sessions = (await carryon.state())?.plan?.sessions as Record<
        string,
        { expires_at: number } | undefined
      >;
      return sessions["22222222"]?.expires_at;
    };
    const end = await endOf("1h");
    expect(await endOf("5")).toBe(end);
  });

  it("is kept for the branch at a gate of a branch, whatever its type", async () => {
    await using carryon = await openGated({ gates });
    const { stderr } = await carryon.call(["gate", "approve", "size", "--branch"]);
    expect(stderr).toMatch(/^Satisfied for all sessions of feature\/plan until .*: size\n$/);
    expect((await carryon.state())?.size).toMatchObject({ satisfied: true, scope: "branch" });
  });

  it("tells where a gate is satisfied that was not cleared", async () => {
    await using carryon = await openGated({ gates });
    await carryon.call(["gate", "satisfy", "kept"]);
    expect((await carryon.call(["gate", "clear", "kept", "--session", one])).stderr).toBe(
      `There was nothing to clear in session ${one}: kept\n` +
        "It counts for all sessions of feature/plan all the same: `carryon gate clear kept --branch` ends that.\n",
    );
  });

  it("is refused for a branch that is not there", async () => {
    await using carryon = await openGated({ gates });
    expect(await carryon.call(["gate", "satisfy", "plan", "--branch", "mian"])).toEqual({
      code: 2,
      stdout: "",
      stderr: 'carryon: There is no branch "mian" here.\n  Did you mean main?\n',
    });
    expect(await carryon.state("mian.json")).toBe(undefined);
  });
});

describe("the name of a session", () => {
  it("is the beginning of one that lives, or `latest`, in any case of letters", async () => {
    await using carryon = await openGated({ gates });
    await carryon.live(one);
    const inSession = async (name: string) =>
      (await carryon.call(["gate", "satisfy", "plan", "--session", name])).stderr;
    expect(await inSession("1111")).toBe(`Satisfied in session ${one}: plan\n`);
    expect(await inSession("ABCDABCD-2222-4222-8222-222222222222")).toBe(
      "Satisfied in session abcdabcd-2222-4222-8222-222222222222: plan\n",
    );
    expect(await inSession("latest")).toBe(`Satisfied in session ${one}: plan\n`);
    await carryon.live("11112222-2222-4222-8222-222222222222");
    expect(await inSession("1111")).toContain(
      "Several sessions run in this project: 11111111 (feature/plan), 11112222",
    );
    expect(Object.keys((await carryon.state())?.plan?.sessions ?? {})).toEqual(["11111111", "abcdabcd"]);
  });

  it.each(["   ", "../../x", "...", "a b", "x".repeat(129)])("is not %.20j", async (name) => {
    await using carryon = await openGated({ gates });
    const { code, stderr } = await carryon.call(["gate", "satisfy", "plan", "--session", name, "--json"]);
    expect([code, JSON.parse(stderr).error.code, stderr.length < 400]).toEqual([2, "bad-gate-request", true]);
  });

  it("is not `latest` where none lives", async () => {
    await using carryon = await openGated({ gates });
    const { code, stderr } = await carryon.call(["gate", "--session", "latest", "--json"]);
    expect([code, JSON.parse(stderr).error.code]).toEqual([2, "no-live-session"]);
  });
});

describe("carryon gate", () => {
  it("lists the sessions that live where several do, in other work trees too", async () => {
    await using carryon = await openGated({ gates });
    const tree = join(carryon.folder, "tree");
    await git(carryon.root, "worktree", "add", "--quiet", "-b", "other", tree);
    await carryon.write("tree/.claude/requirements.yaml", gates);
    await carryon.live(one);
    const { stderr } = await carryon.call(["gate", "satisfy", "plan"], { cwd: tree });
    expect(stderr).toBe(`Satisfied in session ${one}: plan\n`);
    await carryon.live(two, { branch: "main" });
    const said = await carryon.call(["gate"]);
    expect([said.code, said.stdout.split("\n").slice(-3)]).toEqual([
      0,
      [
        "Live     11111111 (feature/plan), 22222222 (main)",
        "         See how they stand for one of them with --session.",
        "",
      ],
    ]);
    const json = JSON.parse((await carryon.call(["gate", "--json"])).stdout);
    expect([json.session, json.sessions]).toEqual([
      null,
      [
        { session: "11111111", branch: "feature/plan" },
        { session: "22222222", branch: "main" },
      ],
    ]);
  });

  it("tells what a gate asks for", async () => {
    await using carryon = await openGated({ gates });
    const verbose = await carryon.call(["gate", "--verbose"]);
    expect(verbose.stderr).toBe("");
    expect(verbose.stdout).toContain("    Plan first.\n    - [ ] Scope\n    - [ ] Risks\n");
    const list = await carryon.call(["gate", "list", "--verbose"]);
    expect(list.stdout).toContain("\nplan\n  Plan first.\n  - [ ] Scope\n  - [ ] Risks\n");
    const [row] = JSON.parse((await carryon.call(["gate", "--json"])).stdout).gates;
    expect([row.description, row.message, row.checklist]).toEqual([null, "Plan first.", ["Scope", "Risks"]]);
    const brief = await carryon.call(["brief"]);
    expect(brief.stdout).toContain('It asks for: "Plan first."');
  });

  it("quotes in a brief the first line of the message, not what is said to who has heard it before", async () => {
    await using carryon = await openGated({
      gates: `requirements:
  plan: { enabled: true, message: "Plan first.\\nThen ask.", short_message: Still no plan., description: A plan }
  read: { enabled: true, short_message: Still not read., description: All was read }
  last: { enabled: true, short_message: Still not last. }
`,
    });
    const { stdout } = await carryon.call(["brief"]);
    expect(Array.from(stdout.matchAll(/It asks for: "([^"]*)"/g), ([, words]) => words)).toEqual([
      "Plan first.",
      "All was read",
      "Still not last.",
    ]);
  });
});

describe("gates that nobody can be held to", () => {
  it("say that git does not answer where a repository is", async () => {
    await using carryon = await openGated({ gates });
    for (const file of ["config", "HEAD"]) await writeFile(join(carryon.root, ".git", file), "[broken");
    const { inert } = JSON.parse((await carryon.call(["gate", "--json"])).stdout);
    expect(inert).toMatch(/^Git says nothing of this repository, and gates do nothing: /);
  });

  it("say that nothing is refused while their state cannot be read", async () => {
    await using carryon = await openGated({ gates });
    await carryon.write("work/.git/requirements/feature-plan.json", "{");
    const { inert } = JSON.parse((await carryon.call(["gate", "--json"])).stdout);
    expect(inert).toBe(
      "What has become of the gates cannot be read: until that is mended, no tool and no stop is refused.",
    );
  });
});

describe("a name that means something to a shell", () => {
  it("stands in a command as one word", async () => {
    const odd = '  "a; touch x": { enabled: true, auto_resolve_skill: "x; rm" }\n  "-a": { enabled: true }\n';
    await using carryon = await openGated({ gates: `requirements:\n${odd}` });
    const { stdout } = await carryon.call(["gate"]);
    expect(stdout).toContain("then run `carryon gate satisfy 'a; touch x'`.");
    expect(stdout).toContain("then run `carryon gate satisfy -- -a`.");
    expect(stdout).not.toContain("/x; rm");
  });
});

describe("what one user says of gates", () => {
  it("is not saved, be it written by hand", async () => {
    await using carryon = await openGated({ gates });
    await carryon.write("work/.claude/requirements.local.yaml", "enabled: true\n");
    const { stdout } = await carryon.call(["save", "--json"]);
    const { left_out } = JSON.parse(stdout);
    expect(left_out).toMatchObject([{ path: ".claude/requirements.local.yaml", reason: "personal" }]);
    expect(await git(carryon.root, "ls-files", ".claude")).not.toContain("local");
  });
});
