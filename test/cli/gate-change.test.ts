import { describe, expect, it } from "vitest";
import { openGated } from "../support/gates/gated-cli.ts";
import { git } from "../support/git-repo.ts";

const one = "11111111-1111-4111-8111-111111111111";
const two = "22222222-2222-4222-8222-222222222222";

describe("carryon gate satisfy", () => {
  it("satisfies gates for the session, and for no other", async () => {
    await using carryon = await openGated();
    expect(await carryon.call(["gate", "satisfy", "commit_plan", "each_commit", "--session", one])).toEqual({
      code: 0,
      stdout: "",
      stderr: `Satisfied in session ${one}: commit_plan, each_commit\n`,
    });
    expect(await carryon.satisfied("--session", one)).toEqual([
      "commit_plan",
      "each_commit",
      "not_main",
      "size",
    ]);
    expect(await carryon.satisfied("--session", "11111111")).toEqual(
      await carryon.satisfied("--session", one),
    );
    expect(await carryon.satisfied("--session", two)).toEqual(["not_main", "size"]);
  });

  it("satisfies a gate of a branch for all, and any gate with --branch", async () => {
    await using carryon = await openGated();
    await carryon.call(["gate", "satisfy", "reviewed", "--session", one]);
    expect(await carryon.satisfied("--session", two)).toEqual(["reviewed", "not_main", "size"]);
    const said = await carryon.call(["gate", "satisfy", "commit_plan", "--branch"]);
    expect(said).toEqual({
      code: 0,
      stdout: "",
      stderr: "Satisfied for all sessions of feature/plan: commit_plan\n",
    });
    expect(await carryon.satisfied("--session", two)).toEqual([
      "commit_plan",
      "reviewed",
      "not_main",
      "size",
    ]);
    await git(carryon.root, "branch", "fix/x");
    const other = await carryon.call(["gate", "satisfy", "commit_plan", "--branch", "fix/x", "--json"]);
    expect(other).toEqual({ code: 0, stdout: '{"changed":true}\n', stderr: "" });
    expect(await carryon.state("fix-x.json")).toMatchObject({ commit_plan: { satisfied: true } });
  });

  it("takes the session of the environment, or the only one that lives", async () => {
    await using carryon = await openGated();
    const env = { CARRYON_SESSION: "mine" };
    await carryon.call(["gate", "satisfy", "commit_plan"], { env });
    await carryon.live(one);
    await carryon.call(["gate", "satisfy", "commit_plan"]);
    expect(Object.keys((await carryon.state())?.commit_plan?.sessions ?? {})).toEqual(["11111111", "mine"]);
  });

  it("refuses to guess among several sessions, and without any", async () => {
    await using carryon = await openGated();
    expect(await carryon.call(["gate", "satisfy", "commit_plan"])).toMatchInlineSnapshot(`
      {
        "code": 2,
        "stderr": "carryon: No session lives in this project.
        Start one, or name one with --session; with --branch it is said for all sessions of the branch.
      ",
        "stdout": "",
      }
    `);
    await carryon.live(one);
    await carryon.live(two, { branch: "main" });
    expect(await carryon.call(["gate", "satisfy", "commit_plan"])).toMatchInlineSnapshot(`
      {
        "code": 2,
        "stderr": "carryon: Several sessions run in this project: 11111111 (feature/plan), 22222222 (main).
        Name one with \`--session\`.
      ",
        "stdout": "",
      }
    `);
    expect(await carryon.state()).toBe(undefined);
  });

  it("records nothing where one of the names is unknown", async () => {
    await using carryon = await openGated();
    expect(
      await carryon.call(["gate", "satisfy", "commit_plan", "revieved", "--session", one]),
    ).toMatchInlineSnapshot(`
      {
        "code": 2,
        "stderr": "carryon: There is no gate "revieved".
        Did you mean reviewed?
      ",
        "stdout": "",
      }
    `);
    const { stderr } = await carryon.call(["gate", "clear", "zzzzzzzz", "--session", one, "--json"]);
    expect(JSON.parse(stderr)).toEqual({
      error: {
        code: "no-such-gate",
        message: 'There is no gate "zzzzzzzz".',
        hint: "List the gates with `carryon gate list`.",
      },
    });
    expect(await carryon.state()).toBe(undefined);
  });

  it("counts for as long as it is told", async () => {
    await using carryon = await openGated();
    const forms = { "90": 90, "30s": 30, "5m": 300, "1h": 3600, "7d": 604_800 };
    for (const [ttl, seconds] of Object.entries(forms)) {
      await carryon.call(["gate", "satisfy", "commit_plan", "--session", "s1", "--ttl", ttl]);
      const standing = await standingOf(carryon);
      await carryon.call(["gate", "clear", "commit_plan", "--session", "s1"]);
      expect([ttl, Number(standing.expires_at) - Number(standing.satisfied_at)]).toEqual([ttl, seconds]);
    }
  });

  it("takes no duration that is none", async () => {
    await using carryon = await openGated();
    for (const ttl of ["0", "", "-5", "1.5", "soon", "1h30m", "9999999999", "4000d"]) {
      const { code, stderr } = await carryon.call([
        "gate",
        "satisfy",
        "reviewed",
        "--branch",
        `--ttl=${ttl}`,
        "--json",
      ]);
      expect([ttl, code, JSON.parse(stderr).error.code]).toEqual([ttl, 2, "bad-duration"]);
    }
    expect(await carryon.state()).toBe(undefined);
  });

  it("keeps metadata, and refuses what is none", async () => {
    await using carryon = await openGated();
    const satisfy = ["gate", "satisfy", "commit_plan", "--session", one, "--metadata"];
    for (const text of ["", "{", "[]", "null", '"x"']) {
      const { code, stderr } = await carryon.call([...satisfy, text, "--json"]);
      expect([text, code, JSON.parse(stderr).error.code]).toEqual([text, 2, "bad-gate-request"]);
    }
    expect(await carryon.state()).toBe(undefined);
    await carryon.call([...satisfy, '{"ticket":"#12"}']);
    const standing = await standingOf(carryon, "11111111");
    expect(standing.metadata).toEqual({ ticket: "#12", full_id: one });
    expect(standing.satisfied_by).toBe("cli");
  });
});

describe("carryon gate approve", () => {
  it("allows a gate for the time of its configuration, or for 300 seconds, or as long as it is told", async () => {
    await using carryon = await openGated();
    const lifeOf = async (gate: string, ...more: readonly string[]) => {
      await carryon.call(["gate", "approve", gate, "--session", "s1", ...more]);
      const { expires_at, satisfied_at, metadata, satisfied_by } = await standingOf(carryon, "s1", gate);
      return [Number(expires_at) - Number(satisfied_at), metadata, satisfied_by];
    };
    const usual = { approved_by: "user", full_id: "s1" };
    expect(await lifeOf("size")).toEqual([60, usual, "approval"]);
    expect(await lifeOf("not_main")).toEqual([300, usual, "approval"]);
    expect(await lifeOf("size", "--ttl", "2m", "--metadata", '{"by":"Ada"}')).toEqual([
      120,
      { by: "Ada", full_id: "s1" },
      "approval",
    ]);
  });
});

describe("carryon gate clear", () => {
  /** Satisfies a gate for two sessions and for the branch. */
  async function openSatisfied() {
    const carryon = await openGated();
    for (const session of [one, two])
      await carryon.call(["gate", "satisfy", "commit_plan", "--session", session]);
    await carryon.call(["gate", "satisfy", "commit_plan", "--branch"]);
    await carryon.call(["gate", "satisfy", "each_commit", "--session", one]);
    const standings = async () => {
      const { commit_plan, each_commit } = (await carryon.state()) ?? {};
      const sessions = Object.keys(commit_plan?.sessions ?? {});
      return {
        sessions,
        branch: commit_plan?.satisfied === true,
        other: Object.keys(each_commit?.sessions ?? {}),
      };
    };
    return { ...carryon, standings };
  }

  const remains =
    "It counts for all sessions of feature/plan all the same: `carryon gate clear commit_plan --branch` ends that.\n";

  it("forgets what the session has satisfied, and nothing else", async () => {
    await using carryon = await openSatisfied();
    expect((await carryon.call(["gate", "clear", "commit_plan", "--session", one])).stderr).toBe(
      `Cleared in session ${one}: commit_plan\n${remains}`,
    );
    expect(await carryon.standings()).toEqual({ sessions: ["22222222"], branch: true, other: ["11111111"] });
    expect((await carryon.call(["gate", "clear", "commit_plan", "--session", one, "--json"])).stdout).toBe(
      '{"changed":false}\n',
    );
    expect((await carryon.call(["gate", "clear", "commit_plan", "--session", one])).stderr).toBe(
      `There was nothing to clear in session ${one}: commit_plan\n${remains}`,
    );
  });

  it("forgets what every session has satisfied, and leaves the branch's", async () => {
    await using carryon = await openSatisfied();
    expect((await carryon.call(["gate", "clear", "commit_plan", "--all-sessions"])).stderr).toBe(
      `Cleared for every session: commit_plan\n${remains}`,
    );
    expect(await carryon.standings()).toEqual({ sessions: [], branch: true, other: ["11111111"] });
  });

  it("forgets what counts for the branch, and leaves the sessions'", async () => {
    await using carryon = await openSatisfied();
    expect((await carryon.call(["gate", "clear", "commit_plan", "--branch"])).stderr).toBe(
      "Cleared for all sessions of feature/plan: commit_plan\n",
    );
    expect(await carryon.standings()).toEqual({
      sessions: ["11111111", "22222222"],
      branch: false,
      other: ["11111111"],
    });
    await git(carryon.root, "switch", "--quiet", "main");
    await carryon.call(["gate", "clear", "commit_plan", "--session", one]);
    await carryon.call(["gate", "clear", "commit_plan", "--branch", "feature/plan"]);
    expect((await carryon.standings()).sessions).toEqual(["11111111", "22222222"]);
  });
});

interface Standing {
  readonly satisfied_at?: unknown;
  readonly expires_at?: unknown;
  readonly metadata?: unknown;
  readonly satisfied_by?: unknown;
}

async function standingOf(
  { state }: Pick<Awaited<ReturnType<typeof openGated>>, "state">,
  session = "s1",
  gate = "commit_plan",
): Promise<Standing> {
  const sessions = (await state())?.[gate]?.sessions as Readonly<Record<string, Standing>> | undefined;
  return sessions?.[session] ?? {};
}
