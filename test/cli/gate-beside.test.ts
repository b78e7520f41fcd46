import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openGated } from "../support/gates/gated-cli.ts";
import { git } from "../support/git-repo.ts";
import { makeGitShim } from "../support/git-shim.ts";

const one = "11111111-1111-4111-8111-111111111111";
const two = "22222222-2222-4222-8222-222222222222";
const ownGate = "requirements: { own: { enabled: true } }\n";

/** Returns the lines of the status that are about gates. */
async function linesOf(carryon: Awaited<ReturnType<typeof openGated>>, env = {}): Promise<string> {
  const { code, stdout } = await carryon.call(["status"], { env });
  const [, lines = ""] = /^(Gates.*?)\n(?=\n|\S)/ms.exec(stdout) ?? [];
  return `${code} ${lines}`;
}

describe("carryon status", () => {
  it("says how many gates are satisfied and which are not", async () => {
    await using carryon = await openGated();
    await carryon.call(["gate", "satisfy", "reviewed", "--branch"]);
    expect(await linesOf(carryon)).toBe("0 Gates    3 of 5 satisfied; not commit_plan, each_commit");
    const skipping = { CLAUDE_SKIP_REQUIREMENTS: "1" };
    expect(await linesOf(carryon, skipping)).toBe(
      "0 Gates    CLAUDE_SKIP_REQUIREMENTS is set: gates do nothing.",
    );
    await carryon.live(one);
    await carryon.live(two);
    expect(await linesOf(carryon)).toBe("0 Gates    3 of 5 satisfied; not commit_plan, each_commit");
  });

  it("says what waits for trust and that something is wrong", async () => {
    await using carryon = await openGated({ trust: false });
    const waits = "requirements.yaml counts once you trust this project: `carryon trust`";
    expect(await linesOf(carryon)).toBe(`0 Gates    ${waits}`);
    await carryon.write(".claude/requirements.yaml", `${ownGate}verzion: 1\n`);
    await carryon.write(".claude/sessions.json", "{");
    expect(await linesOf(carryon)).toBe(
      `0 Gates    0 of 1 satisfied; not own\n         ${waits}\n         2 problems; see \`carryon gate\``,
    );
  });

  it("says nothing where there are none", async () => {
    await using carryon = await openGated({ gates: "" });
    expect(await linesOf(carryon)).toBe("0 ");
    expect(JSON.parse(await carryon.ask(["status", "--json"])).gates).toBe(null);
  });
});

describe("carryon doctor", () => {
  it("names what is wrong with the gates of the project", async () => {
    await using carryon = await openGated({ gates: "verzion: 1\n" });
    const problemsOf = async () => JSON.parse((await carryon.call(["doctor", "--json"])).stdout).problems;
    expect(await problemsOf()).toEqual([
      {
        what: "<folder>/work/.claude/requirements.yaml, line 1: There is no setting verzion in the configuration; it is left out.",
        hint: "Did you mean version?",
      },
    ]);
    await carryon.write("work/.claude/requirements.yaml", "version: 1.0\n");
    expect(await problemsOf()).toEqual([]);
    await carryon.write("work/.git/requirements/feature-plan.json", "");
    expect(await problemsOf()).toEqual([
      {
        what: "<folder>/work/.git/requirements/feature-plan.json is empty.",
        hint: "Nothing in it counts; the next change moves it aside.",
      },
    ]);
  });
});

describe("carryon brief", () => {
  type Gated = Awaited<ReturnType<typeof openGated>>;

  /** Returns a part of the brief. */
  async function partOf(carryon: Gated, wanted: string, ...args: readonly string[]) {
    const { code, stdout } = await carryon.call(["brief", "--json", ...args]);
    const parts: readonly { name: string; text: string }[] = JSON.parse(stdout).parts;
    return [code, parts.find(({ name }) => name === wanted)?.text];
  }

  const gatesIn = (carryon: Gated, ...args: readonly string[]) => partOf(carryon, "Gates", ...args);

  it("says which gates are open, how each is satisfied, and who else is there", async () => {
    await using carryon = await openGated();
    await carryon.call(["gate", "satisfy", "reviewed", "--branch"]);
    await carryon.live(one);
    await carryon.live(two);
    await carryon.live("elsewhere", { branch: "main" });
    expect(await gatesIn(carryon, "--session", one)).toMatchInlineSnapshot(`
      [
        0,
        "3 of 5 gates on feature/plan are satisfied.
      - [ ] commit_plan: The gate commit_plan is not satisfied. Do what it asks for, and then run \`carryon gate satisfy commit_plan\`.
      - [x] reviewed
      - [ ] each_commit: The gate each_commit is not satisfied. Do what it asks for, and then run \`carryon gate satisfy each_commit\`.
      - [x] not_main
      - [x] size",
      ]
    `);
    expect(await partOf(carryon, "Other sessions", "--session", one)).toEqual([
      0,
      "They live on this project and branch, and may change the same files: 22222222.",
    ]);
  });

  it("says what waits for trust, that something is wrong, and why gates do nothing", async () => {
    await using carryon = await openGated({ trust: false });
    expect(await gatesIn(carryon)).toEqual([
      0,
      "requirements.yaml counts once the user trusts the project: `carryon trust`.",
    ]);
    await carryon.write(".claude/sessions.json", "{");
    await git(carryon.root, "checkout", "--quiet", "--detach");
    expect((await gatesIn(carryon))[1]).toBe(
      [
        "HEAD is detached: gates do nothing until a branch is checked out.",
        "requirements.yaml counts once the user trusts the project: `carryon trust`.",
        "Something is wrong with files of the gates; `carryon gate` says what.",
      ].join("\n"),
    );
  });

  it("says nothing of gates where there are none", async () => {
    await using carryon = await openGated({ gates: "" });
    expect(await gatesIn(carryon)).toEqual([0, undefined]);
  });
});

it("costs no git process more to say how gates stand", async () => {
  await using carryon = await openGated({ gates: "" });
  const callsOf = async (name: string, ...args: readonly string[]) => {
    const shim = await makeGitShim(join(carryon.folder, name), { call: 0, moment: "before" });
    await carryon.run(args, { env: shim.env as Readonly<Record<string, string>> });
    // Some are asked at the same time, and come in any order.
    return (await shim.readCalls()).toSorted();
  };
  const before = [await callsOf("a", "status"), await callsOf("b", "brief")];
  await carryon.write(".claude/requirements.yaml", ownGate);
  expect([await callsOf("c", "status"), await callsOf("d", "brief")]).toEqual(before);
  expect(before.flat().length).toBeGreaterThan(0);
});
