import { execFile } from "node:child_process";
import { chmod, mkdir, symlink, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { readGateConfig } from "../../../src/gates/config/read-gate-config.ts";
import { readTexts } from "../../support/gate-texts.ts";
import { type TempDir, tempDir } from "../../support/temp-dir.ts";

const files = (dir: TempDir) => ({
  user: dir.join("home", "requirements.yaml"),
  project: dir.join("repo", ".claude", "requirements.yaml"),
  local: dir.join("repo", ".claude", "requirements.local.yaml"),
});

async function put(path: string, content: string | Uint8Array): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content);
}

const read = (dir: TempDir, { trusted = true } = {}) =>
  readGateConfig({ user: files(dir).user, root: dir.join("repo"), trusted });

const texts = {
  user: "requirements: {a: {enabled: true}}\n",
  project: "requirements: {b: {enabled: true}}\n",
  local: "requirements: {b: {scope: branch}}\n",
};

async function fill(dir: TempDir): Promise<void> {
  for (const name of ["user", "project", "local"] as const) await put(files(dir)[name], texts[name]);
}

describe("the configuration of a project", () => {
  it("is that of the three files", async () => {
    await using dir = await tempDir();
    await fill(dir);
    expect(await read(dir)).toEqual({ ...readTexts(texts), waiting: [], sources: expect.anything() });
  });

  it("is the usual one where there are no files and no folders", async () => {
    await using dir = await tempDir();
    expect(await read(dir)).toEqual({ ...readTexts({}), waiting: [], sources: expect.anything() });
  });

  it("is the user's alone while the project is not trusted, and says which files wait", async () => {
    await using dir = await tempDir();
    await fill(dir);
    const { project, local } = files(dir);
    expect(await read(dir, { trusted: false })).toEqual({
      ...readTexts({ user: texts.user }),
      waiting: [project, local],
      sources: expect.anything(),
    });
  });

  it("waits for no file that is not there, and does not look into one that is", async () => {
    await using dir = await tempDir();
    await put(files(dir).local, "[");
    expect(await read(dir, { trusted: false })).toMatchObject({ waiting: [files(dir).local], problems: [] });
  });

  it("follows a link of the user, and one that stays in the project", async () => {
    await using dir = await tempDir();
    await put(dir.join("dotfiles", "gates.yaml"), texts.user);
    await put(dir.join("repo", "config", "gates.yaml"), texts.project);
    await mkdir(dir.join("home"));
    await mkdir(dir.join("repo", ".claude"));
    await symlink(dir.join("dotfiles", "gates.yaml"), files(dir).user);
    await symlink("../config/gates.yaml", files(dir).project);
    const { config, problems } = await read(dir);
    expect({ config, problems }).toEqual({ config: readTexts({ ...texts, local: "" }).config, problems: [] });
  });

  it("turns the gates off and says so when a file or its folder leads out of the project", async () => {
    await using dir = await tempDir();
    await put(dir.join("elsewhere", "requirements.yaml"), texts.project);
    await mkdir(dir.join("repo"));
    await symlink(dir.join("elsewhere"), dir.join("repo", ".claude"));
    expect(await read(dir)).toMatchObject({
      config: { enabled: false, gates: [] },
      problems: [
        {
          file: files(dir).project,
          line: 1,
          problem: "It leads out of the project and is not read. All gates are off.",
          hint: "Put what it leads to in place of the link.",
        },
      ],
    });
  });

  it.each([
    {
      what: "bytes that are no text",
      content: Buffer.from([0x61, 0x3a, 0xff, 0xfe]),
      problem: "It is not text in UTF-8, from column 3 on.",
    },
    {
      what: "text of another encoding",
      content: Buffer.concat([Buffer.from("# é\n# caf"), Buffer.from([0xe9]), Buffer.from("\na: 1\n")]),
      line: 2,
      problem: "It is not text in UTF-8, from column 6 on.",
    },
    {
      what: "too many bytes",
      content: Buffer.alloc(10 * 1_048_576, "# x\n"),
      problem: "It is larger than 256 KB and is not read.",
    },
  ])("turns the gates off and says so: $what", async ({ content, problem, line = 1 }) => {
    for (const name of ["user", "project", "local"] as const) {
      await using dir = await tempDir();
      await put(files(dir)[name], content);
      expect(await read(dir)).toMatchObject({
        config: { enabled: false },
        problems: [{ file: files(dir)[name], line, problem: `${problem} All gates are off.` }],
      });
    }
  });

  it("turns the gates off and does not wait when a file is a folder or a pipe", async () => {
    await using dir = await tempDir();
    await mkdir(files(dir).user, { recursive: true });
    await mkdir(dirname(files(dir).project), { recursive: true });
    await promisify(execFile)("mkfifo", [files(dir).project]);
    const { config, problems } = await read(dir);
    expect(config.enabled).toBe(false);
    expect(problems.map(({ file, problem }) => [file, problem])).toEqual([
      [files(dir).user, `${files(dir).user} is not a regular file. All gates are off.`],
      [files(dir).project, `${files(dir).project} is not a regular file. All gates are off.`],
    ]);
  });

  it("is the usual one where a folder on the way is a file", async () => {
    await using dir = await tempDir();
    await put(dir.join("repo", ".claude"), "");
    await put(dir.join("home"), "");
    expect(await read(dir)).toMatchObject({ config: readTexts({}).config, problems: [] });
  });

  it("turns the gates off and says so when a file may not be read", async () => {
    await using dir = await tempDir();
    await fill(dir);
    await chmod(files(dir).project, 0);
    // Root may read everything.
    const isRoot = process.getuid?.() === 0;
    const { problems } = await read(dir);
    expect(problems.map(({ problem }) => problem)).toEqual(
      isRoot ? [] : [`${files(dir).project} may not be read. All gates are off.`],
    );
  });
});
