import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { startChild } from "../support/child.ts";
import { findClosedPort } from "../support/fake-server.ts";
import { tempDir } from "../support/temp-dir.ts";

async function loadedIn(folder: string, store: string, ...args: readonly string[]) {
  await using child = startChild("loaded-packages-child.ts", folder, store, ...args);
  return await child.next();
}

it("loads the driver of PostgreSQL, the parsers and the widths of characters only for who uses them", async () => {
  await using dir = await tempDir();
  const loaded = (store: string, ...args: readonly string[]) => loadedIn(dir.path, store, ...args);
  const url = `postgres://me@127.0.0.1:${await findClosedPort()}/x`;
  await mkdir(dir.join("home"), { mode: 0o700 });
  const local = [await loaded("", "append"), await loaded("", "show", "latest"), await loaded("", "doctor")];
  const given = await loaded(url, "append");
  await writeFile(dir.join("home", "config.yaml"), "sddDir: docs\n", { mode: 0o600 });
  const withFolder = await loaded("", "append");
  await writeFile(dir.join("home", "config.yaml"), `store: ${url}\n`, { mode: 0o600 });
  expect([...local, given, withFolder, await loaded("", "append")]).toEqual([
    "",
    "string-width",
    "mdast-util-from-markdown",
    "pg",
    "yaml",
    "pg yaml",
  ]);
});

it("loads the parser of Markdown and the widths of characters only for a save that meets them", async () => {
  await using dir = await tempDir();
  await mkdir(dir.join("home"), { mode: 0o700 });
  const plain = await loadedIn(dir.path, "", "save", "-m", "it");
  const change = dir.join("openspec", "changes", "add-it");
  await mkdir(change, { recursive: true });
  await writeFile(join(change, "tasks.md"), "- [ ] first\n");
  expect([plain, await loadedIn(dir.path, "", "save")]).toEqual(["", "mdast-util-from-markdown"]);
});
