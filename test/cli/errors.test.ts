import { spawnSync } from "node:child_process";
import { mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { exitCode } from "../../src/cli/exit-code.ts";
import { reportError } from "../../src/cli/report-error.ts";
import { runCli } from "../../src/cli/run-cli.ts";
import { AppError, type ErrorKind } from "../../src/lib/app-error.ts";
import { makeStyle } from "../../src/lib/style.ts";
import { type Carryon, openCarryon } from "../support/run-carryon.ts";
import { inputOf, testContext } from "../support/test-context.ts";

const style = makeStyle({ colors: false });

/** Lists everything that is there but the side files of the database, which come and go. */
async function listFiles(carryon: Carryon): Promise<readonly string[]> {
  const names = await readdir(carryon.folder, { recursive: true });
  return names.filter((name) => !/-(?:wal|shm)$/.test(name)).sort();
}

/** Runs a command in this process and returns its code and what it complained about. */
async function fail(carryon: Carryon, args: readonly string[]): Promise<readonly [number, string]> {
  const context = testContext(join(carryon.folder, "work"), {
    env: { CARRYON_HOME: join(carryon.folder, "home") },
    input: inputOf({ role: "user", text: "x" }),
  });
  const code = await runCli(args, context);
  return [code, context.said.err.trimEnd()];
}

describe("an id that is no id", () => {
  const ids = {
    traversal: "../../x",
    slash: "a/b",
    option: "-rf",
    empty: "",
    long: "a".repeat(10_000),
    surrogate: "a\uD800b",
    nul: "a\u0000b",
    escape: "\u001b[2J",
  };
  const commands: readonly (readonly string[])[] = [
    ["show", "--"],
    ["fork", "--"],
    ["tag", "--"],
    ["delete", "--yes", "--"],
    ["verify", "--"],
    ["append", "--session"],
  ];

  it.each(Object.entries(ids))("is refused by every command and touches nothing: %s", async (_, id) => {
    await using carryon = await openCarryon();
    await carryon.record("one");
    const before = await listFiles(carryon);
    for (const command of commands) {
      const [code, complaint] = await fail(carryon, [...command, id]);
      expect([command, code]).toEqual([command, 2]);
      expect(complaint).toMatch(/^carryon: [ -~…]+\n {2}[ -~]+$/);
      expect(complaint.length).toBeLessThan(300);
    }
    expect(JSON.parse(await carryon.ask(["verify", "--json"])).sessions.length).toBe(1);
    expect(await listFiles(carryon)).toEqual(before);
  });

  it("is no option of the program either", async () => {
    await using carryon = await openCarryon();
    expect([await carryon.call(["show", "-rf"]), await carryon.call(["show", ""])]).toMatchInlineSnapshot(`
      [
        {
          "code": 2,
          "stderr": "carryon: Unknown option '-rf'.
        See \`carryon show --help\`.
      ",
          "stdout": "",
        },
        {
          "code": 2,
          "stderr": "carryon: There is no store at <folder>/home/store.db yet.
        \`carryon import claude-code\` takes in what Claude Code has, \`carryon init\` records it from now on, \`carryon append\` any tool; \`carryon tour\` shows how.
      ",
          "stdout": "",
        },
      ]
    `);
  });
});

describe("a mistyped command line", () => {
  it.each([
    { args: ["sesions"], says: 'There is no command "sesions".', hint: "Did you mean `carryon sessions`?" },
    {
      args: ["xyzzy"],
      says: 'There is no command "xyzzy".',
      hint: "List the commands with `carryon --help`.",
    },
    {
      args: ["sessions", "--brnach", "x"],
      says: "Unknown option '--brnach'.",
      hint: "Did you mean --branch?",
    },
    { args: ["--verson"], says: 'Unknown option "--verson".', hint: "Did you mean --version?" },
    {
      args: ["show", "Fix teh login"],
      says: "There is no session Fix teh login in this store.",
      hint: "Did you mean Fix the login?",
    },
    ...["latset", "lates", "Latest"].map((typed) => ({
      args: ["show", typed],
      says: `There is no session ${typed} in this store.`,
      hint: "Did you mean latest?",
    })),
    {
      args: ["sessions", "--client", "claude"],
      says: 'There are no sessions of a client "claude" in this store.',
      hint: "Did you mean claude-code?",
    },
    {
      args: ["show", "a", "b"],
      says: "Too many arguments. Expected 1 argument but got 2: a, b.",
      hint: "See `carryon show --help`.",
    },
    {
      args: ["rename", "a"],
      says: "Missing required argument 'title'.",
      hint: "See `carryon rename --help`.",
    },
    {
      args: ["help", "a", "b"],
      says: "Help is about one command at a time.",
      hint: "Try `carryon help show`.",
    },
    {
      args: ["sessions", "--limit", "many"],
      says: '"many" is not a whole number from 1 on.',
      hint: "Use 1, 2, 3 …",
    },
    {
      args: ["sessions", "--since", "yesterday"],
      says: '"yesterday" is not a duration.',
      hint: "Give a number and a unit, such as 45s, 90m, 12h, 7d or 2w.",
    },
  ])("is answered with what may have been meant: $args", async ({ args, says, hint }) => {
    await using carryon = await openCarryon();
    await carryon.record("Fix the login");
    expect(await fail(carryon, args)).toEqual([2, `carryon: ${says}\n  ${hint}`]);
  });
});

describe("an error", () => {
  it("is one JSON object on standard error when JSON was asked for", async () => {
    await using carryon = await openCarryon();
    await carryon.record("one");
    expect(await carryon.call(["show", "nope", "--json"])).toMatchInlineSnapshot(`
      {
        "code": 2,
        "stderr": "{"error":{"code":"session-not-found","message":"There is no session nope in this store.","hint":"List the sessions with \`carryon sessions --all\`."}}
      ",
        "stdout": "",
      }
    `);
  });

  it("says who has to act by its exit code", () => {
    const kinds: readonly ErrorKind[] = ["internal", "usage", "config", "conflict", "io", "busy"];
    const codes = kinds.map((kind) => exitCode(new AppError("x", { kind, code: "x" })));
    expect([...codes, exitCode(new Error("x")), exitCode("x")]).toEqual([1, 2, 3, 4, 74, 75, 1, 1]);
  });

  it("that nobody expected is short, and shows where it came from only on demand", () => {
    const error = new Error("boom", { cause: new Error("spark") });
    const short = reportError(error, { form: "text", debug: false, style, hide: (text) => text });
    const long = reportError(error, { form: "text", debug: true, style, hide: (text) => text });
    expect(short).toBe(
      "carryon: Something went wrong inside Carryon: boom\n  Set CARRYON_DEBUG=1 to see where, and please report it.\n",
    );
    expect(long.startsWith(short)).toBe(true);
    expect(long).toMatch(/errors\.test\.ts:\d+(?:.|\n)*caused by Error: spark/);
  });

  it("of a folder that is gone, or of a home that is no absolute path, has a remedy", async () => {
    await using carryon = await openCarryon();
    const gone = join(carryon.folder, "gone");
    await mkdir(gone);
    const script = `rmdir ${gone}; exec "$@"`;
    const [node, launcher] = testContext("/").program;
    const inGone = spawnSync("sh", ["-c", script, "sh", node, launcher, "sessions"], {
      cwd: gone,
      encoding: "utf8",
    });
    expect([inGone.status, inGone.stderr]).toEqual([
      2,
      "carryon: The current folder does not exist any more.\n  Change to another folder.\n",
    ]);
    expect(await carryon.call(["sessions"], { env: { CARRYON_HOME: "home" } })).toMatchInlineSnapshot(`
      {
        "code": 3,
        "stderr": "carryon: CARRYON_HOME must be an absolute path, not "home".
        Set CARRYON_HOME to a path that begins with /.
      ",
        "stdout": "",
      }
    `);
  });
});

it("a tour without a place for its folder says what to set", async () => {
  await using carryon = await openCarryon();
  const { code, stderr } = await carryon.run(["tour"], { env: { TMPDIR: join(carryon.folder, "missing") } });
  expect({ code, stderr }).toMatchInlineSnapshot(`
    {
      "code": 2,
      "stderr": "carryon: The folder for temporary files does not exist: <folder>/missing
      Set TMPDIR to a folder that exists, or unset it.
    ",
    }
  `);
});

describe("colours", () => {
  it("are for terminals, unless FORCE_COLOR asks for them, and NO_COLOR has the last word", async () => {
    await using carryon = await openCarryon();
    const hasColors = async (env: Record<string, string>) => {
      const help = await carryon.run(["--help"], { env });
      const { stderr } = await carryon.run(["nope"], { env });
      expect([help.stderr, stderr.split("\n").length]).toEqual(["", 3]);
      return [help.stdout.includes("\u001b["), stderr.includes("\u001b[")];
    };
    expect([
      await hasColors({}),
      await hasColors({ FORCE_COLOR: "1" }),
      await hasColors({ FORCE_COLOR: "1", NO_COLOR: "" }),
      await hasColors({ FORCE_COLOR: "1", NO_COLOR: "1" }),
    ]).toEqual([
      [false, false],
      [true, true],
      [true, true],
      [false, false],
    ]);
  });
});

it.each(["/proc", "/proc/x"])(
  "ends when the home folder is %s, where no folder can be made",
  async (home) => {
    await using carryon = await openCarryon();
    const { code } = await carryon.run(["append"], { env: { CARRYON_HOME: home, NODE_COMPILE_CACHE: "" } });
    expect(code).toBe(74);
  },
);
