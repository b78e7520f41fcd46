import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import { openSessionGates } from "../../src/gates/hooks/open-session-gates.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { type GatedCarryon, openGated } from "../support/gates/gated-cli.ts";

const own = "requirements: { own: { enabled: true } }\n";

/** Makes a store that cannot be read, each in its way. */
const damages: Readonly<Record<string, (home: string) => Promise<void>>> = {
  "is no database": async (home) => {
    await removeStore(home);
    await writeFile(join(home, "store.db"), "no store at all");
  },
  "is a folder": async (home) => {
    await removeStore(home);
    await mkdir(join(home, "store.db"));
  },
  "is of a newer version": async (home) => {
    const db = new DatabaseSync(join(home, "store.db"));
    db.exec("PRAGMA user_version = 99");
    db.close();
  },
  "is not said, because the configuration cannot be read": (home) =>
    writeFile(join(home, "config.yaml"), "store: [\n"),
};

async function removeStore(home: string): Promise<void> {
  for (const end of ["", "-wal", "-shm"]) await rm(join(home, `store.db${end}`), { force: true });
}

/** Lets a hook ask for trust, and remember it. */
async function rememberTrust(carryon: GatedCarryon): Promise<void> {
  await openSessionGates({
    cwd: carryon.root,
    session: "s1",
    home: join(carryon.folder, "home"),
    clientFolder: join(carryon.folder, ".claude"),
    env: {},
    clock: systemClock,
    process: { pid: process.pid, client: process.pid },
    askTrust: async () => true,
    tell: () => undefined,
  });
}

describe.each(Object.keys(damages))("where the store %s", (name) => {
  const openDamaged = async () => {
    const carryon = await openGated();
    await carryon.write(".claude/requirements.yaml", own);
    return { carryon, damage: () => damages[name]?.(join(carryon.folder, "home")) };
  };

  it("the user's gates work, and it is said that nobody knows of the others", async () => {
    const { carryon, damage } = await openDamaged();
    await using _closing = carryon;
    await damage();
    const call = (...args: readonly string[]) => carryon.call(["gate", ...args]);
    expect((await call("satisfy", "own", "--session", "s1")).code).toBe(0);
    expect(await carryon.satisfied("--session", "s1")).toEqual(["own"]);
    expect((await call("clear", "own", "--session", "s1")).stderr).toBe("Cleared in session s1: own\n");
    expect((await call("list")).stdout).toContain("own   yes");
    expect((await call("explain", "--", "ls")).code).toBe(0);
    expect((await call("sessions")).code).toBe(0);
    expect((await call("prune")).code).toBe(0);
    const { problems, waiting } = JSON.parse((await call("status", "--json")).stdout);
    expect([problems, waiting]).toEqual([
      [
        {
          path: "<folder>/home",
          line: null,
          problem: expect.stringMatching(/^does not say whether this project is trusted: .*[^.]$/),
          hint: expect.stringMatching(/\.$/),
        },
      ],
      ["<folder>/work/.claude/requirements.yaml"],
    ]);
  });

  it("what only a trusted project may do fails with what is wrong with the store", async () => {
    const { carryon, damage } = await openDamaged();
    await using _closing = carryon;
    await damage();
    const { code, stderr } = await carryon.call(["gate", "pause"]);
    expect([code === 0, stderr.includes("not trusted")]).toEqual([false, false]);
  });

  it("the gates of a project count that a hook knows to be trusted", async () => {
    const { carryon, damage } = await openDamaged();
    await using _closing = carryon;
    await rememberTrust(carryon);
    await damage();
    expect((await carryon.call(["gate", "satisfy", "commit_plan", "--session", "s1"])).code).toBe(0);
    const { gates, problems } = JSON.parse((await carryon.call(["gate", "--json"])).stdout);
    expect([gates.length, problems]).toEqual([6, []]);
  });
});

it("is named by doctor with all else that is wrong with the gates", async () => {
  await using carryon = await openGated();
  await writeFile(join(carryon.folder, "home", "trust.json"), "{");
  await carryon.write("work/.git/requirements/feature-plan.json", "");
  const { problems } = JSON.parse((await carryon.call(["doctor", "--json"])).stdout);
  expect(problems.map(({ what }: { what: string }) => what)).toEqual([
    "<folder>/home does not say whether this project is trusted: <folder>/home/trust.json cannot be read as a list of trusted projects.",
    "<folder>/work/.git/requirements/feature-plan.json is empty.",
  ]);
});

it("says that the list of trusted projects cannot be read", async () => {
  await using carryon = await openGated();
  const path = join(carryon.folder, "home", "trust.json");
  expect(await readFile(path, "utf8")).not.toBe("{");
  await writeFile(path, "{");
  const { problems } = JSON.parse((await carryon.call(["gate", "--json"])).stdout);
  expect(problems).toEqual([
    {
      path: "<folder>/home",
      line: null,
      problem:
        "does not say whether this project is trusted: <folder>/home/trust.json cannot be read as a list of trusted projects",
      hint: "Move it away, and trust your projects again with `carryon trust`.",
    },
  ]);
});
