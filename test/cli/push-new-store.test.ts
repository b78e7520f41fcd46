import { mkdir, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import type { CommandContext } from "../../src/cli/command-context.ts";
import { runCli } from "../../src/cli/run-cli.ts";
import { git, gitEnv, makeRepo } from "../support/git-repo.ts";
import { openMachine } from "../support/open-machine.ts";
import { testContext } from "../support/test-context.ts";

/** A machine with a session in a repository. */
async function openShop() {
  const ada = await openMachine("ada");
  const shop = ada.path("shop");
  await makeRepo(shop, ["first"]);
  await ada.ask(shop, ["append"], [{ role: "user", text: "one" }]);
  return {
    ...{ ada, shop },
    push: (...args: readonly string[]) => ada.call(shop, ["push", ...args]),
    /** Pushes on a terminal, where a question gets this answer. */
    type: async (answer: boolean, ...args: readonly string[]) => {
      const asked: string[] = [];
      const confirm: CommandContext["confirm"] = async (question) => {
        asked.push(question);
        return answer;
      };
      const env = { ...gitEnv, HOME: ada.path(), CARRYON_HOME: ada.home };
      const isTerminal = { input: true, output: true, error: true };
      const context = testContext(shop, { env, userHome: ada.path(), isTerminal, confirm });
      return { code: await runCli(["push", ...args], context), ...context.said, asked };
    },
    filesAt: (path: string) => readdir(path).catch(() => "nothing"),
    [Symbol.asyncDispose]: () => ada[Symbol.asyncDispose](),
  };
}

const hint =
  "Write postgres://user:password@host:port/database, in the password %40 for @, %2F for /, %23 for #, %3F for ? and %25 for %.";

describe("the address of another store", () => {
  it.each([
    { address: "postgress://team:hunter2pw@db.example.com/shop", meant: "Did you mean postgres://? " },
    { address: "psotgres://team:hunter2pw@db.example.com/shop", meant: "Did you mean postgres://? " },
    { address: "Postgresq1://team:hunter2pw@h/shop", meant: "Did you mean postgresql://? " },
    { address: "mysql://team:hunter2pw@db.example.com/shop", meant: "" },
    { address: "https://team:hunter2pw@db.example.com/shop", meant: "" },
    { address: "postgres:/team:hunter2pw@h/shop", meant: "Did you mean postgres://? " },
    { address: "postgress:/team:hunter2pw@h/shop", meant: "Did you mean postgres://? " },
    ...[
      "team:hunter2pw@db.example.com/shop",
      "host=127.0.0.1 user=bob password=hunter2pw dbname=x",
      "host=localhost password=hunter2pw",
      "https:/x/y",
      "db.example.com:5432/shop",
      "127.0.0.1:5432",
      "bob@db.example.com/shop",
      "bob@host:/path/store",
      "team:hunter2pw",
      "bob/hunter2pw@host/db",
      "C:\\Users\\x",
      "//db.example.com/shop",
    ].map((address) => ({ address, meant: "For a folder of this name, write ./ before it. " })),
  ])("$address is refused by push and pull and is no folder", async ({ address, meant }) => {
    await using world = await openShop();
    const { ada, shop } = world;
    const before = await readdir(shop);
    for (const args of [
      ["push", address, "--create"],
      ["push", address],
      ["pull", address],
    ]) {
      const { code, out, err } = await ada.call(shop, args);
      expect([code, out, err]).toEqual([
        3,
        "",
        `carryon: The address of the store is not valid: it must begin with postgres://.\n  ${meant}${hint}\n`,
      ]);
    }
    const json = await ada.call(shop, ["push", address, "--json"]);
    expect(JSON.parse(json.err).error).toEqual({
      code: "bad-store-url",
      message: "The address of the store is not valid: it must begin with postgres://.",
      hint: meant + hint,
    });
    expect(await readdir(shop)).toEqual(before);
    expect(await git(shop, "status", "--porcelain")).toBe("");
  });

  it("is refused with the same words in config.yaml and CARRYON_STORE", async () => {
    const address = "postgress://team:hunter2pw@h/shop";
    await using ben = await openMachine("ben");
    for (const [setting, reader] of [
      ["remote", "push"],
      ["cloud", "doctor"],
      ["store", "sessions"],
    ] as const) {
      await writeFile(`${ben.home}/config.yaml`, `${setting}: ${address}\n`, { mode: 0o600 });
      const { out, err } = await ben.call(ben.path(), [reader]);
      expect(out + err).toContain(
        `${ben.home}/config.yaml, line 1: ${setting} is not a valid address: it must begin with postgres://.\n  Did you mean postgres://? ${hint}\n`,
      );
    }
    await using ada = await openMachine("ada", { CARRYON_STORE: address });
    expect((await ada.call(ada.path(), ["sessions"])).err).toBe(
      `carryon: The address of the store is not valid: it must begin with postgres://.\n  Did you mean postgres://? ${hint}\n`,
    );
  });
});

describe("push to a folder without a store", () => {
  it.each(["./team:a@b=c", "stores/team", "../team@home", ".team:x"])(
    "takes %s for a folder, whatever is in its name",
    async (name) => {
      await using world = await openShop();
      const { ada, shop } = world;
      const cwd = ada.path("elsewhere");
      await mkdir(join(cwd, "deeper"), { recursive: true });
      const { code, err } = await ada.call(join(cwd, "deeper"), ["push", name, "--all", "--create"]);
      expect([code, err]).toEqual([0, ""]);
      expect(await readdir(join(cwd, "deeper", name))).toContain("store.db");
      expect(await readdir(shop)).not.toContain(name);
    },
  );

  it("makes none without a terminal, and says the command that would", async () => {
    await using world = await openShop();
    const { ada } = world;
    const place = ada.path("usb stick", "carryon");
    const { code, out, err } = await world.push("../usb stick/carryon", "latest");
    expect([code, out, err]).toEqual([
      2,
      "",
      `carryon: There is no store at ${place}/store.db yet. Nothing was pushed.\n` +
        "  To make one there, run `carryon push '../usb stick/carryon' latest --create`. A server is named as postgres://user@host/database.\n",
    ]);
    expect(await world.filesAt(dirname(place))).toBe("nothing");
    const all = await world.push(place, "--all", "--json");
    expect(JSON.parse(all.err).error).toMatchObject({
      code: "new-store",
      hint: expect.stringContaining(`\`carryon push '${place}' --all --json --create\``),
    });
  });

  it("makes one with --create, and goes on with it without", async () => {
    await using world = await openShop();
    const place = world.ada.path("usb");
    expect(await world.push(place, "--create")).toMatchObject({ code: 0, err: "" });
    expect(await world.filesAt(place)).toContain("store.db");
    expect((await world.push(place)).out).toContain("nothing new in 1 session.");
    expect((await world.push(place, "--create")).out).toContain("nothing new in 1 session.");
  });

  it("asks on a terminal", async () => {
    await using world = await openShop();
    const place = world.ada.path("usb");
    const no = await world.type(false, place);
    expect([no.code, no.asked]).toEqual([2, [`There is no store in ${place} yet. Make a new one there?`]]);
    expect(await world.filesAt(place)).toBe("nothing");
    const yes = await world.type(true, place);
    expect([yes.code, yes.asked.length]).toEqual([0, 1]);
    expect((await world.type(false, place)).asked).toEqual([]);
  });

  it("makes none inside a git work tree, by whatever way it is reached", async () => {
    await using world = await openShop();
    const { ada, shop } = world;
    await mkdir(`${shop}/deep`);
    await symlink(`${shop}/deep`, ada.path("link"));
    const other = ada.path("other");
    await makeRepo(other, ["first"]);
    for (const [place, tree] of [
      ["db.example.com/shop", shop],
      [".", shop],
      [`${ada.path("link")}/new/store`, shop],
      [`${other}/.git/store`, other],
    ] as const) {
      const { code, out, err } = await world.push(place, "--create");
      expect([code, out, err]).toEqual([
        2,
        "",
        expect.stringContaining(
          `is in the git repository ${tree}: a store there, with its key, could be committed.\n`,
        ),
      ]);
      expect((await world.type(true, place)).asked).toEqual([]);
    }
    expect(await git(shop, "status", "--porcelain", "--ignored")).toBe("");
    expect(await git(other, "status", "--porcelain", "--ignored")).toBe("");
  });

  it("goes on with a store that is in a work tree already", async () => {
    await using world = await openShop();
    const { ada, shop } = world;
    const inside = `${shop}/.store`;
    await using ben = await openMachine("ben", { CARRYON_HOME: inside });
    await ben.ask(ben.path(), ["append"], [{ role: "user", text: "mine" }]);
    expect((await ada.call(shop, ["push", inside])).out).toContain("1 new");
  });
});

describe("pull from a folder without a store", () => {
  it("makes nothing there and nothing here", async () => {
    await using ada = await openMachine("ada");
    await rm(ada.home, { recursive: true });
    const { code, err } = await ada.call(ada.path(), ["pull", "usb/carryon"]);
    expect([code, err]).toEqual([
      2,
      `carryon: There is no store at ${ada.path("usb", "carryon", "store.db")} yet.\n` +
        "  Check its name. `carryon push STORE --create` makes one.\n",
    ]);
    expect(await readdir(ada.path())).toEqual([]);
  });
});
