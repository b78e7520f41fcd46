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
  const local: (string | undefined)[] = [];
  for (const args of [["append"], ["show", "latest"], ["sessions"], ["doctor"]])
    local.push(await loaded("", ...args));
  const given = await loaded(url, "append");
  await writeFile(dir.join("home", "config.yaml"), "sddDir: docs\n", { mode: 0o600 });
  const withFolder = await loaded("", "append");
  await writeFile(dir.join("home", "config.yaml"), `store: ${url}\n`, { mode: 0o600 });
  expect([...local, given, withFolder, await loaded("", "append")]).toEqual([
    "zod",
    "",
    "string-width",
    "mdast-util-from-markdown",
    "pg zod",
    "yaml zod",
    "pg yaml zod",
  ]);
});

it("loads no package for who saves or looks at what was saved, but the parser of Markdown where there is some", async () => {
  await using dir = await tempDir();
  await mkdir(dir.join("home"), { mode: 0o700 });
  const loaded = (...args: readonly string[]) => loadedIn(dir.path, "", ...args);
  const plain = [await loaded("save", "-m", "it"), await loaded("load"), await loaded("status")];
  const change = dir.join("openspec", "changes", "add-it");
  await mkdir(change, { recursive: true });
  await writeFile(join(change, "tasks.md"), "- [ ] first\n");
  expect([...plain, await loaded("save")]).toEqual(["", "", "", "mdast-util-from-markdown"]);
});

it("loads what draws on a terminal for nobody in a pipe, and what speaks with models only for who is answered", async () => {
  await using dir = await tempDir();
  expect(await loadedIn(dir.path, "", "chat")).toBe("zod");
});

it("loads what speaks with agents only for who serves them, and nothing that serves a network", async () => {
  await using dir = await tempDir();
  const loaded = [await loadedIn(dir.path, "", "mcp"), await loadedIn(dir.path, "", "sessions")];
  expect(loaded).toEqual(["@modelcontextprotocol/sdk zod", ""]);
});
