import { chmod, mkdir, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { runCli } from "../../src/cli/run-cli.ts";
import { everyGate, openGated } from "../support/gates/gated-cli.ts";
import { git, makeRepo } from "../support/git-repo.ts";
import { openCarryon } from "../support/run-carryon.ts";
import { testContext } from "../support/test-context.ts";

/** Finds a text that may be broken anywhere, with the lines after the first set in. */
function broken(text: string): RegExp {
  const characters = [...text].map((each) => (each === " " ? "\\s*" : each.replace(/\W/, "\\$&")));
  return new RegExp(characters.join("(?:\\n {9})?"));
}

describe("carryon gate", () => {
  it("shows how each gate stands and how it is satisfied", async () => {
    await using carryon = await openGated();
    await carryon.write("work/new.txt", "one\ntwo\n");
    await carryon.call(["gate", "satisfy", "commit_plan", "--session", "s1", "--ttl", "1h"]);
    expect(await carryon.call(["gate", "--session", "s1"])).toMatchInlineSnapshot(`
      {
        "code": 0,
        "stderr": "",
        "stdout": "Gates    on feature/plan, session s1
        ✓ commit_plan (session)
          satisfied by cli just now, until <time>
        ✗ reviewed (branch)
          Do what it asks for, and then run \`carryon gate satisfy reviewed\`.
        ✗ each_commit (single use)
          Do what it asks for, and then run \`carryon gate satisfy each_commit\`.
        ✓ not_main (session)
        ✓ size (session)
          10 of 400 changed lines
      ",
      }
    `);
    expect(
      (await carryon.call(["gate", "status", "--session", "s1", "--json"])).stdout,
    ).toMatchInlineSnapshot(`
      "{"branch":"feature/plan","session":"s1","gates":[{"name":"commit_plan","type":"blocking","scope":"session","triggered":false,"satisfied":true,"satisfied_by":"cli","expires_at":"<time>","figure":null,"limit":null,"remark":null,"description":null,"message":null,"checklist":[]},{"name":"reviewed","type":"blocking","scope":"branch","triggered":false,"satisfied":false,"satisfied_by":null,"expires_at":null,"figure":null,"limit":null,"remark":null,"description":null,"message":null,"checklist":[]},{"name":"each_commit","type":"blocking","scope":"single_use","triggered":false,"satisfied":false,"satisfied_by":null,"expires_at":null,"figure":null,"limit":null,"remark":null,"description":null,"message":null,"checklist":[]},{"name":"not_main","type":"guard","scope":"session","triggered":false,"satisfied":true,"satisfied_by":null,"expires_at":null,"figure":null,"limit":null,"remark":null,"description":null,"message":null,"checklist":[]},{"name":"size","type":"dynamic","scope":"session","triggered":false,"satisfied":true,"satisfied_by":null,"expires_at":null,"figure":10,"limit":400,"remark":null,"description":null,"message":null,"checklist":[]}],"problems":[],"inert":null,"waiting":[],"sessions":[]}
      "
    `);
  });

  it("fits a terminal of 80 columns", async () => {
    await using carryon = await openGated({ gates: everyGate.replace("version", "verzion") });
    await carryon.write(".claude/sessions.json", "[");
    const env = { PATH: process.env.PATH, HOME: carryon.folder, CARRYON_HOME: join(carryon.folder, "home") };
    const context = testContext(carryon.root, { env, userHome: carryon.folder, columns: 80 });
    await runCli(["gate"], context);
    const said = context.said.out;
    expect(said.split("\n").filter((line) => line.length > 80)).toEqual([]);
    // How long the folder is decides where these lines are broken.
    const unbroken = ["/work/.claude/requirements.yaml, line 1", "/.claude/sessions.json"].reduce(
      (text, path) => text.replace(broken(carryon.folder + path), `/home/ada${path}`),
      said,
    );
    expect(unbroken).toMatchInlineSnapshot(`
      "Gates    on feature/plan, no session
        ✗ commit_plan (session)
          Do what it asks for, and then run \`carryon gate satisfy commit_plan\`.
        ✗ reviewed (branch)
          Do what it asks for, and then run \`carryon gate satisfy reviewed\`.
        ✗ each_commit (single use)
          Do what it asks for, and then run \`carryon gate satisfy each_commit\`.
        ✓ not_main (session)
        ✓ size (session)
          8 of 400 changed lines
      Problem  /home/ada/work/.claude/requirements.yaml, line 1
               There is no setting verzion in the configuration; it is left out. Did
               you mean version?
      Problem  /home/ada/.claude/sessions.json
               It is not JSON, or only the beginning of it. Nothing in it counts; the
               next change moves it aside.
      "
    `);
  });

  it("says why a figure is missing, and why it is not the whole truth", async () => {
    await using carryon = await openGated();
    const sizeOf = async (...args: readonly string[]) =>
      JSON.parse((await carryon.call(["gate", ...args, "--json"])).stdout).gates.find(
        ({ name }: { name: string }) => name === "size",
      );
    expect(await sizeOf("status", "--branch", "main")).toMatchObject({
      satisfied: true,
      figure: null,
      remark: "The branch main is not the one that is checked out.",
    });
    expect((await carryon.call(["gate", "--branch", "main"])).stdout).toContain(
      "    It could not be measured. The branch main is not the one that is checked out.\n",
    );
    await git(carryon.root, "switch", "--quiet", "main");
    expect((await carryon.call(["gate"])).stdout).toContain(
      "    0 of 400 changed lines: main is the default branch and has no upstream to compare with.\n",
    );
  });

  it("says by how much a limit is passed, what protects a branch, and that a time is over", async () => {
    await using carryon = await openGated({ gates: everyGate.replace("400", "3").replace("100", "2") });
    await carryon.call(["gate", "satisfy", "commit_plan", "--branch", "--ttl", "1"]);
    const text = (await carryon.call(["gate"])).stdout;
    expect(text).toContain("  ✗ size (session)\n    8 of 3 changed lines\n    Bring the work");
    await git(carryon.root, "switch", "--quiet", "main");
    expect((await carryon.call(["gate"])).stdout).toContain("The gate not_main protects the branch main.");
    const path = join(carryon.root, ".git", "requirements", "feature-plan.json");
    const state = JSON.parse(await readFile(path, "utf8"));
    state.requirements.commit_plan.expires_at = 1_000_000_000;
    await writeFile(path, JSON.stringify(state));
    await git(carryon.root, "switch", "--quiet", "feature/plan");
    expect((await carryon.call(["gate"])).stdout).toContain(
      "The gate commit_plan is no longer satisfied: that lasted until <time>.",
    );
  });

  it("tells more with --verbose", async () => {
    await using carryon = await openGated({ gates: `${everyGate}unused: 1\n` });
    const brief = (await carryon.call(["gate"])).stdout;
    const { stdout } = await carryon.call(["gate", "--verbose"]);
    expect(stdout.slice(brief.length)).toBe(
      "Off      idle\nState    <folder>/work/.git/requirements\nSessions <folder>/.claude/sessions.json\n",
    );
    expect(stdout.startsWith(brief)).toBe(true);
  });

  it("shows the session that is named, that of the environment, or the only one that lives", async () => {
    await using carryon = await openGated();
    const sessionOf = async (args: readonly string[], env = {}) =>
      JSON.parse((await carryon.call(["gate", "status", "--json", ...args], { env })).stdout).session;
    expect(await sessionOf([])).toBe(null);
    await carryon.live("1f0e9d8c-7b6a-4958-8776-655443322110");
    expect(await sessionOf([])).toBe("1f0e9d8c");
    expect(await sessionOf([], { CARRYON_SESSION: "mine" })).toBe("mine");
    expect(await sessionOf(["--session", "named"], { CARRYON_SESSION: "mine" })).toBe("named");
  });
});

describe("gates that do nothing", () => {
  it("say so on a detached HEAD, outside a repository, and while they are told to", async () => {
    await using carryon = await openGated();
    const inertOf = async (cwd?: string, env = {}) =>
      JSON.parse((await carryon.call(["gate", "--json"], { env, ...(cwd && { cwd }) })).stdout).inert;
    expect(await inertOf(undefined, { CLAUDE_SKIP_REQUIREMENTS: "1" })).toBe(
      "CLAUDE_SKIP_REQUIREMENTS is set: gates do nothing.",
    );
    await git(carryon.root, "checkout", "--quiet", "--detach");
    expect(await inertOf()).toBe("HEAD is detached: gates do nothing until a branch is checked out.");
    expect((await carryon.call(["gate"])).stdout).toMatchInlineSnapshot(`
      "Gates    no branch is checked out
               HEAD is detached: gates do nothing until a branch is checked out.
      "
    `);
    expect(await carryon.satisfied("--branch", "feature/plan")).toEqual(["not_main", "size"]);
    const outside = join(carryon.folder, "outside");
    await mkdir(outside);
    expect(await inertOf(outside)).toBe("This is no git repository, and gates do nothing outside of one.");
  });

  it("are listed all the same in a repository without a commit", async () => {
    await using carryon = await openCarryon();
    const cwd = join(carryon.folder, "work");
    await makeRepo(cwd, []);
    await mkdir(join(cwd, ".claude"));
    await writeFile(join(cwd, ".claude", "requirements.yaml"), everyGate);
    await carryon.ask(["trust"]);
    expect((await carryon.call(["gate", "satisfy", "reviewed", "--branch"])).code).toBe(0);
    expect((await carryon.call(["gate"])).stdout).toMatchInlineSnapshot(`
      "Gates    on main, no session
        ✗ commit_plan (session)
          Do what it asks for, and then run \`carryon gate satisfy commit_plan\`.
        ✓ reviewed (branch)
          satisfied by cli just now
        ✗ each_commit (single use)
          Do what it asks for, and then run \`carryon gate satisfy each_commit\`.
        ✗ not_main (session)
          The gate not_main protects the branch main. Work on a branch of your own: \`git switch -c NAME\`; or a person can allow it for a while in a terminal with \`carryon gate approve not_main\`.
        ✓ size (session)
          It could not be measured. The branch main has no commit yet.
      "
    `);
  });

  it("wait in a project that is not trusted, and those of the user count", async () => {
    await using carryon = await openGated({ trust: false });
    await carryon.write(".claude/requirements.yaml", "requirements: { own: { enabled: true } }\n");
    expect((await carryon.call(["gate"])).stdout).toMatchInlineSnapshot(`
      "Gates    on feature/plan, no session
        ✗ own (session)
          Do what it asks for, and then run \`carryon gate satisfy own\`.
      Waits    <folder>/work/.claude/requirements.yaml
               It counts once you trust this project: \`carryon trust\`.
      "
    `);
    expect(await carryon.call(["gate", "satisfy", "commit_plan", "--session", "s1"])).toMatchObject({
      code: 2,
    });
    expect(await carryon.state()).toBe(undefined);
  });
});

describe("broken files of gates", () => {
  const state = "work/.git/requirements/feature-plan.json";
  const registry = ".claude/sessions.json";

  it.each([
    { file: state, text: "", says: "is empty" },
    { file: state, text: '{"version":"1.0","requi', says: "is not JSON, or only the beginning of it" },
    {
      file: state,
      text: '{"version":"9.0"}',
      says: "is of version 9.0, which a newer Carryon wrote, and is left as it is",
    },
    { file: registry, text: "", says: "is empty" },
    { file: registry, text: "[1]", says: "is not an object" },
    {
      file: registry,
      text: '{"version":"9.0"}',
      says: "is of version 9.0, which a newer Carryon wrote, and is left as it is",
    },
    {
      file: registry,
      text: '{"version":"1.0","sessions":{"a":1}}',
      says: "is wrong in a part: sessions.a is not an object",
    },
  ])("are shown and stop nobody: $file $text", async ({ file, text, says }) => {
    await using carryon = await openGated();
    await carryon.write(file, text);
    const { code, stdout } = await carryon.call(["gate", "status", "--json"]);
    const { problems, gates } = JSON.parse(stdout);
    expect([code, gates.length, problems]).toEqual([
      0,
      5,
      [{ path: `<folder>/${file}`, line: null, problem: says, hint: expect.any(String) }],
    ]);
  });

  it("are moved aside by the next change, or left alone where they are of a newer version", async () => {
    await using carryon = await openGated();
    await carryon.write(state, "{");
    const satisfy = ["gate", "satisfy", "commit_plan", "--session", "s1"];
    expect((await carryon.call(satisfy)).code).toBe(0);
    expect(await carryon.state()).toMatchObject({ commit_plan: { sessions: { s1: { satisfied: true } } } });
    await carryon.write(state, '{"version":"9.0"}');
    expect(await carryon.call([...satisfy, "--json"])).toMatchObject({ code: 3, stdout: "" });
    expect(await readFile(join(carryon.folder, state), "utf8")).toBe('{"version":"9.0"}');
  });

  it("are not followed where they are links", async () => {
    await using carryon = await openGated();
    await carryon.write("elsewhere.json", "{}");
    await mkdir(join(carryon.root, ".git", "requirements"));
    await symlink(join(carryon.folder, "elsewhere.json"), join(carryon.folder, state));
    expect((await carryon.call(["gate"])).stdout).toContain("Problem  <folder>/work/.git/requirements");
    expect((await carryon.call(["gate", "satisfy", "commit_plan", "--session", "s1"])).code).toBe(0);
    expect((await carryon.call(["gate"])).stdout).not.toContain("Problem");
    expect(await readFile(join(carryon.folder, "elsewhere.json"), "utf8")).toBe("{}");
  });

  it.each([
    { text: "", says: "is empty" },
    {
      text: '{"session_id":"s1","version":"9.0"}',
      says: "is of version 9.0, which a newer Carryon wrote, and is left as it is",
    },
  ])("are shown where they are the metrics of the session: $text", async ({ text, says }) => {
    await using carryon = await openGated();
    await carryon.write("work/.git/requirements/sessions/s1.json", text);
    const problemsOf = async (...args: readonly string[]) =>
      JSON.parse((await carryon.call([...args, "--json"])).stdout).problems;
    const path = "<folder>/work/.git/requirements/sessions/s1.json";
    expect(await problemsOf("gate", "status", "--session", "s1")).toEqual([
      { path, line: null, problem: says, hint: expect.any(String) },
    ]);
    expect(await problemsOf("doctor")).toEqual([{ what: `${path} ${says}.`, hint: expect.any(String) }]);
  });

  it("are shown by doctor for any branch, but for those that were set aside", async () => {
    await using carryon = await openGated();
    await carryon.write("work/.git/requirements/other.json", "{");
    await carryon.write("work/.git/requirements/other.broken-20261116T120000Z.json", "{");
    const { problems } = JSON.parse((await carryon.call(["doctor", "--json"])).stdout);
    expect(problems.map(({ what }: { what: string }) => what)).toEqual([
      "<folder>/work/.git/requirements/other.json is not JSON, or only the beginning of it.",
    ]);
  });

  it("are shown where they are read-only, and keep their satisfactions", async () => {
    await using carryon = await openGated();
    const satisfy = (name: string) => carryon.call(["gate", "satisfy", name, "--session", "s1"]);
    await satisfy("commit_plan");
    await chmod(join(carryon.folder, state), 0o444);
    const { problems } = JSON.parse((await carryon.call(["gate", "--json"])).stdout);
    expect(problems).toEqual([
      { path: `<folder>/${state}`, line: null, problem: "is read-only", hint: expect.any(String) },
    ]);
    expect((await satisfy("reviewed")).code).toBe(0);
    expect(await carryon.satisfied("--session", "s1")).toEqual([
      "commit_plan",
      "reviewed",
      "not_main",
      "size",
    ]);
  });

  it.each([
    { folder: "", makes: "no tool and no stop is refused" },
    { folder: "/sessions", makes: "no tool and no stop is refused" },
    { folder: "/marks", makes: "What commands write is not looked at" },
  ])("are not looked for through a link: requirements$folder", async ({ folder, makes }) => {
    await using carryon = await openGated();
    await carryon.write("elsewhere/gone.json", '{"version":"1.0","branch":"gone"}');
    const path = `work/.git/requirements${folder}`;
    await mkdir(dirname(join(carryon.folder, path)), { recursive: true });
    await symlink(join(carryon.folder, "elsewhere"), join(carryon.folder, path));
    const { problems } = JSON.parse((await carryon.call(["gate", "--json"])).stdout);
    const problem = "is a symbolic link, and is not followed";
    const hint = expect.stringContaining(makes);
    expect(problems).toEqual([{ path: `<folder>/${path}`, line: null, problem, hint }]);
    expect(JSON.parse((await carryon.call(["doctor", "--json"])).stdout).problems).toEqual([
      { what: `<folder>/${path} ${problem}.`, hint },
    ]);
    await carryon.call(["gate", "satisfy", "commit_plan", "--session", "s1"]);
    await carryon.call(["gate", "prune"]);
    expect(await readdir(join(carryon.folder, "elsewhere"))).toEqual(["gone.json"]);
  });

  it("may have something else in the place of their folder", async () => {
    await using carryon = await openGated();
    await carryon.write("work/.git/requirements", "no folder");
    await carryon.write("work/.claude/requirements.local.yaml", "requirements: [\n");
    await rm(join(carryon.folder, ".claude"), { recursive: true, force: true });
    await carryon.write(".claude", "no folder");
    const { code, stdout } = await carryon.call(["gate"]);
    expect([code, stdout]).toMatchInlineSnapshot(`
      [
        0,
        "Gates    on feature/plan, no session
               What has become of the gates cannot be read: until that is mended, no tool and no stop is refused.
      Problem  <folder>/work/.claude/requirements.local.yaml, line 2
               It is not YAML, in column 1: Flow sequence in block collection must be sufficiently indented and end with a ]. All gates are off. Put this line, or the one before it, right.
      Problem  <folder>/work/.git/requirements
               It is a file where a folder belongs. Nothing is read or kept there, and no tool and no stop is refused; move it away, and the folder is made anew.
      Problem  <folder>/.claude/sessions.json
               It could not be read: ENOTDIR: not a directory, open '<folder>/.claude/sessions.json'. Nothing in it counts; the next change moves it aside.
      ",
      ]
    `);
    const satisfied = await carryon.call(["gate", "satisfy", "commit_plan", "--session", "s1"]);
    expect([satisfied.code, satisfied.stderr]).toMatchInlineSnapshot(`
      [
        2,
        "carryon: There is no gate "commit_plan".
        The configuration is not in order; \`carryon gate\` says what is wrong.
      ",
      ]
    `);
  });
});
