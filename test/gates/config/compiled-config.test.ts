import { writeFileSync } from "node:fs";
import {
  link,
  mkdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  unlink,
  utimes,
  writeFile,
} from "node:fs/promises";
import { dirname } from "node:path";
import { setTimeout } from "node:timers/promises";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readCompiledConfig, readWholeConfig } from "../../../src/gates/config/compiled-config.ts";
import { readGateConfig, writeCompiledConfig } from "../../../src/gates/config/read-gate-config.ts";
import type { GatePlaces } from "../../../src/gates/gate-places.ts";
import { renderPreset } from "../../../src/gates/render-preset.ts";
import { type TempDir, tempDir } from "../../support/temp-dir.ts";

/** Long after all files were written. */
const later = { now: () => new Date(Date.now() + 3_600_000) };

const placesIn = (dir: TempDir): GatePlaces => ({
  user: dir.join("home", "requirements.yaml"),
  root: dir.join("repo"),
  trusted: true,
});
const projectFile = (dir: TempDir) => dir.join("repo", ".claude", "requirements.yaml");
const cacheOf = (dir: TempDir) => dir.join("cache", "gates", "config.json");

async function compile(dir: TempDir, places = placesIn(dir)) {
  const read = await readGateConfig(places);
  return { read, isWritten: await writeCompiledConfig(cacheOf(dir), read, later) };
}

async function put(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}

describe("a compiled configuration", () => {
  it("is the configuration, whole", async () => {
    await using dir = await tempDir();
    await put(projectFile(dir), renderPreset("strict"));
    const { read, isWritten } = await compile(dir);
    expect(isWritten).toBe(true);
    expect(readWholeConfig(cacheOf(dir), placesIn(dir))?.problems).toEqual(read.problems);
    expect(read.config.gates).toHaveLength(7);
    expect(readCompiledConfig(cacheOf(dir), placesIn(dir))).toEqual(read.config);
  });

  it("is there also where no file is, and for its owner alone", async () => {
    await using dir = await tempDir();
    const { read } = await compile(dir);
    expect(readCompiledConfig(cacheOf(dir), placesIn(dir))).toEqual(read.config);
    expect(((await stat(cacheOf(dir))).mode & 0o777).toString(8)).toBe("600");
    expect(((await stat(dirname(cacheOf(dir)))).mode & 0o777).toString(8)).toBe("700");
  });

  it("is not that of another project, nor that of one that was trusted since", async () => {
    await using dir = await tempDir();
    await compile(dir, { ...placesIn(dir), trusted: false });
    expect(readCompiledConfig(cacheOf(dir), placesIn(dir))).toBeUndefined();
    expect(readCompiledConfig(cacheOf(dir), { ...placesIn(dir), trusted: false })).toBeDefined();
    expect(
      readCompiledConfig(cacheOf(dir), { ...placesIn(dir), root: dir.join("other"), trusted: false }),
    ).toBeUndefined();
  });

  it.each(["", "{", "[]", "null", '{"key":"x"}', "\0"])(
    "is none where something else was written: %j",
    async (text) => {
      await using dir = await tempDir();
      await put(cacheOf(dir), text);
      expect(readCompiledConfig(cacheOf(dir), placesIn(dir))).toBeUndefined();
    },
  );

  it("is none where a folder on the way is a file that came since", async () => {
    await using dir = await tempDir();
    const { read } = await compile(dir);
    await put(dir.join("repo"), "");
    const now = readCompiledConfig(cacheOf(dir), placesIn(dir));
    expect(now === undefined || JSON.stringify(now) === JSON.stringify(read.config)).toBe(true);
  });

  it("is not written while another change could have the same time", async () => {
    await using dir = await tempDir();
    await put(projectFile(dir), renderPreset("minimal"));
    const read = await readGateConfig(placesIn(dir));
    const { ctimeMs } = await stat(projectFile(dir));
    const writeAt = (moment: number) =>
      writeCompiledConfig(cacheOf(dir), read, { now: () => new Date(moment) });
    expect(await writeAt(ctimeMs + 1000)).toBe(false);
    expect(await writeAt(ctimeMs + 3000)).toBe(true);
  });

  it("is not made of files that change while they are read", async () => {
    await using dir = await tempDir();
    await put(projectFile(dir), renderPreset("minimal"));
    const reading = readGateConfig(placesIn(dir));
    writeFileSync(projectFile(dir), renderPreset("relaxed"));
    const read = await reading;
    expect(read.sources).toBeUndefined();
    expect(await writeCompiledConfig(cacheOf(dir), read, later)).toBe(false);
  });

  it("replaces one that is there, whole", async () => {
    await using dir = await tempDir();
    await compile(dir);
    await put(projectFile(dir), renderPreset("minimal"));
    const { read } = await compile(dir);
    expect(JSON.parse(await readFile(cacheOf(dir), "utf8"))).toEqual({
      key: expect.any(String),
      config: read.config,
      problems: [],
      notes: [],
    });
  });

  it.each(["write", "same-times", "rename", "link", "hard-link"] as const)(
    "is none after a change that keeps the size: %s",
    async (type) => {
      await using dir = await tempDir();
      await make(dir, { type: "same-times", file: "project", text: "requirements: {a: {}}\n" }, 1);
      await make(dir, { type: "compile" }, 2);
      await setTimeout(20);
      expect(readCompiledConfig(cacheOf(dir), placesIn(dir))).toBeDefined();
      await make(dir, { type, file: "project", text: "requirements: {b: {}}\n" }, 3);
      expect(readCompiledConfig(cacheOf(dir), placesIn(dir))).toBeUndefined();
    },
  );

  const file = fc.constantFrom("user", "project", "local");
  const text = fc.constantFrom(
    "requirements: {a: {enabled: true}}\n",
    "requirements: {b: {enabled: true}}\n",
    "requirements: {a: {enabled: off }}\n",
    "enabled: off\n",
    "[\n",
  );
  const change = fc.oneof(
    fc.record({ type: fc.constant("write" as const), file, text }),
    fc.record({ type: fc.constant("remove" as const), file }),
    fc.record({ type: fc.constant("rename" as const), file, text }),
    fc.record({ type: fc.constant("same-times" as const), file, text }),
    fc.record({ type: fc.constant("link" as const), file, text }),
    fc.record({ type: fc.constant("hard-link" as const), file, text }),
    fc.record({ type: fc.constant("compile" as const) }),
    fc.record({ type: fc.constant("no-folder" as const) }),
  );

  it("is never another one than the files say, whatever becomes of them", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 8 }), async (changes) => {
        await using dir = await tempDir();
        await compile(dir);
        for (const [step, each] of changes.entries()) {
          await make(dir, each, step);
          const { waiting: _, ...read } = await readGateConfig(placesIn(dir));
          const cached = readWholeConfig(cacheOf(dir), placesIn(dir));
          expect(cached ?? (each.type === "compile" ? "it was just written" : read)).toEqual(read);
          expect(readCompiledConfig(cacheOf(dir), placesIn(dir))).toEqual(cached?.config);
        }
      }),
      { numRuns: 15 },
    );
  });
});

/** Makes one of the changes that a project goes through. */
async function make(dir: TempDir, change: Change, step: number): Promise<void> {
  if (change.type === "compile") {
    // What has changed in the same tick of the clock has the same time: it would not be kept before the next.
    await setTimeout(20);
    await compile(dir);
    return;
  }
  const paths: Readonly<Record<string, string>> = {
    user: placesIn(dir).user,
    project: projectFile(dir),
    local: dir.join("repo", ".claude", "requirements.local.yaml"),
  };
  if (change.type === "no-folder") return rm(dirname(projectFile(dir)), { recursive: true, force: true });
  return apply(paths[change.file ?? ""] ?? "", change, dir.join(`spare-${step}`));
}

interface Change {
  readonly type:
    | "write"
    | "remove"
    | "rename"
    | "same-times"
    | "link"
    | "hard-link"
    | "compile"
    | "no-folder";
  readonly file?: string;
  readonly text?: string;
}

/** Changes a file in a way that editors, git and restored backups do. */
async function apply(path: string, { type, text = "" }: Change, spare: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  if (type === "remove") return rm(path, { force: true });
  if (type === "write") return writeFile(path, text);
  await writeFile(spare, text);
  if (type === "rename") return rename(spare, path);
  if (type === "same-times") {
    await writeFile(path, text);
    return utimes(path, 1_700_000_000, 1_700_000_000);
  }
  await rm(path, { force: true });
  if (type === "link") return symlink(spare, path);
  await link(spare, path);
  return unlink(spare);
}
