import { chmod, mkdir, symlink, writeFile } from "node:fs/promises";
import { inspect } from "node:util";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { settingReaders } from "../../src/care/setting-readers.ts";
import { parseStoreUrl } from "../../src/storage/parse-store-url.ts";
import { parseConfig } from "../../src/workspace/parse-config.ts";
import { readConfig } from "../../src/workspace/read-config.ts";
import { tempDir } from "../support/temp-dir.ts";

const allSettings =
  "There are: store, remote, cloud, sddDir, blockers, recoveryAgents, recovery, maxRecoveryAttempts, models, record.";
const url = "postgres://me:s3cret@db.example.com/team";

/** Parses a text that is wrong and returns the error, in which there must be nothing secret. */
function fail(text: string): unknown {
  try {
    parseConfig(text, "/home/config.yaml", settingReaders);
  } catch (error) {
    expect(inspect(error, { depth: 20 })).not.toContain("s3cret");
    return error;
  }
  throw new Error("It was taken.");
}

describe("a configuration", () => {
  it("sets nothing when it is not there", async () => {
    await using dir = await tempDir();
    expect([
      await readConfig(dir.path, () => settingReaders),
      await readConfig(dir.join("nowhere"), () => settingReaders),
    ]).toEqual([{}, {}]);
  });

  it("is missed when it is a link that leads nowhere", async () => {
    await using dir = await tempDir();
    await symlink(dir.join("gone.yaml"), dir.join("config.yaml"));
    await expect(readConfig(dir.path, () => settingReaders)).rejects.toMatchObject({
      code: "file-missing",
      kind: "io",
    });
  });

  it.each(["", "\n \n", "# nothing\n", "---\n"])("sets nothing when it says nothing: %j", async (text) => {
    await using dir = await tempDir();
    await writeFile(dir.join("config.yaml"), text);
    expect(await readConfig(dir.path, () => settingReaders)).toEqual({});
  });

  it("names the store", async () => {
    await using dir = await tempDir();
    await writeFile(dir.join("config.yaml"), `# ours\nstore: ${url}\n`, { mode: 0o600 });
    expect(await readConfig(dir.path, () => settingReaders)).toEqual({ store: parseStoreUrl(url) });
  });

  it("names the folder of the documents, with a store or without", async () => {
    await using dir = await tempDir();
    await writeFile(dir.join("config.yaml"), "sddDir: docs/sdd/\n");
    expect(await readConfig(dir.path, () => settingReaders)).toEqual({ sddDir: "docs/sdd" });
    await writeFile(dir.join("config.yaml"), `sddDir: docs\nstore: ${url}\n`, { mode: 0o600 });
    await chmod(dir.join("config.yaml"), 0o600);
    expect(await readConfig(dir.path, () => settingReaders)).toEqual({
      sddDir: "docs",
      store: parseStoreUrl(url),
    });
  });

  it.each([
    { text: `stor: ${url}`, line: 1, says: "there is no setting stor", hint: "Did you mean store?" },
    {
      text: `store: ${url}\nfoo: 1`,
      line: 2,
      says: "there is no setting foo",
      hint: allSettings,
    },
    {
      text: `{store:${url}}`,
      line: 1,
      says: "there is no setting of this name",
      hint: allSettings,
    },
    {
      text: `? [${url}]\n: 1`,
      line: 1,
      says: "there is no setting of this name",
      hint: allSettings,
    },
    {
      text: `store:${url}`,
      line: 1,
      says: "this is not a setting",
      hint: expect.stringContaining("store: "),
    },
    { text: `\n- ${url}`, line: 2, says: "this is not a setting", hint: expect.stringContaining("store: ") },
    { text: "store: 5432", line: 1, says: "store must be text", hint: expect.any(String) },
    { text: "store:", line: 1, says: "store must be text", hint: expect.any(String) },
    { text: `store:\n  url: ${url}`, line: 2, says: "store must be text", hint: expect.any(String) },
    {
      text: "# one\nstore: mysql://me:s3cret@h/x",
      line: 2,
      says: "store is not a valid address: it must begin with postgres://",
      hint: expect.stringContaining("postgres://user:password@host"),
    },
    {
      text: `store: ${url}\nsddDir: ../s3cret`,
      line: 2,
      says: "sddDir is not a folder inside a project: it leads out of the project",
      hint: expect.stringContaining("`sddDir: docs/sdd`"),
    },
    { text: "sddDir:", line: 1, says: "sddDir must be text", hint: expect.stringContaining("docs/sdd") },
    { text: "sddDir: [s3cret]", line: 1, says: "sddDir must be text", hint: expect.any(String) },
    { text: "sdddir: s3cret", line: 1, says: "there is no setting sdddir", hint: "Did you mean sddDir?" },
    { text: "toString: x", line: 1, says: "there is no setting toString", hint: expect.any(String) },
    { text: `store: "${url}`, line: 1, says: "this is not YAML (missing char)", hint: expect.any(String) },
    {
      text: `store: ${url}\nstore: ${url}`,
      line: 2,
      says: "this is not YAML (duplicate key)",
      hint: expect.any(String),
    },
    {
      text: `store: ${url}\n---\nstore: ${url}`,
      line: 2,
      says: "this is not YAML (multiple docs)",
      hint: expect.any(String),
    },
    {
      text: `store: ${url}\n  s3cret: x`,
      line: 1,
      says: "this is not YAML (block as implicit key)",
      hint: expect.any(String),
    },
  ])("is refused by line, and not quoted: $text", ({ text, line, says, hint }) => {
    expect(fail(text)).toMatchObject({
      kind: "config",
      code: "bad-config",
      message: `/home/config.yaml, line ${line}: ${says}.`,
      hint,
    });
  });

  it("never shows a secret, wherever a typing error stands", () => {
    const good = `store: ${url}\n`;
    fc.assert(
      fc.property(fc.nat(good.length), fc.constantFrom(...":{}[]#&*!|>'\"%@`,? \n\t-"), (place, typed) => {
        const text = good.slice(0, place) + typed + good.slice(place);
        try {
          expect(parseConfig(text, "f", settingReaders).settings.store?.shown ?? "").not.toContain("s3cret");
        } catch (error) {
          expect(inspect(error, { depth: 20 })).not.toMatch(/s3|cret/);
        }
      }),
    );
  });

  it("names a cloud by its address or the whole path of a folder", () => {
    const parse = (value: string) =>
      parseConfig(`cloud: ${value}`, "/home/config.yaml", settingReaders).settings.cloud;
    expect(parse(url)).toEqual({ type: "server", url: parseStoreUrl(url) });
    expect(parse("/disk/carryon")).toEqual({ type: "folder", path: "/disk/carryon" });
    expect(fail("cloud: [1]")).toMatchObject({ message: "/home/config.yaml, line 1: cloud must be text." });
    expect(fail("cloud: disk")).toMatchObject({
      code: "bad-config",
      message: expect.stringContaining("cloud is not a valid address"),
    });
  });

  it.each(["store", "cloud"])(
    "is refused when its %s has a password and others can read it",
    async (name) => {
      await using dir = await tempDir();
      const path = dir.join("config.yaml");
      await writeFile(path, `${name}: ${url}`);
      for (const mode of [0o640, 0o604, 0o660]) {
        await chmod(path, mode);
        await expect(readConfig(dir.path, () => settingReaders)).rejects.toMatchObject({
          kind: "config",
          code: "config-exposed",
          hint: expect.stringContaining(`chmod go= ${path}`),
        });
      }
      await writeFile(path, "store: postgres://me@db.example.com/team");
      expect((await readConfig(dir.path, () => settingReaders)).store?.shown).toBe(
        "db.example.com:5432/team",
      );
    },
  );

  it("is refused when it holds commands and others can change it", async () => {
    await using dir = await tempDir();
    const path = dir.join("config.yaml");
    await writeFile(path, "recovery: { dependency: [npm, ci] }");
    expect(await readConfig(dir.path, () => settingReaders)).toEqual({
      recovery: { dependency: ["npm", "ci"] },
    });
    for (const mode of [0o620, 0o602]) {
      await chmod(path, mode);
      await expect(readConfig(dir.path, () => settingReaders)).rejects.toMatchObject({
        ...{ kind: "config", code: "config-exposed", hint: expect.stringContaining(`chmod go-w ${path}`) },
      });
    }
  });

  it("is refused when it is no file", async () => {
    await using dir = await tempDir();
    await mkdir(dir.join("config.yaml"));
    await expect(readConfig(dir.path, () => settingReaders)).rejects.toMatchObject({
      kind: "io",
      code: "not-a-file",
    });
  });
});
