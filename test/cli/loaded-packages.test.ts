import { mkdir, writeFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { startChild } from "../support/child.ts";
import { findClosedPort } from "../support/fake-server.ts";
import { tempDir } from "../support/temp-dir.ts";

it("loads the driver of PostgreSQL and the parser of YAML only for who uses them", async () => {
  await using dir = await tempDir();
  const loaded = async (store: string, ...args: readonly string[]) => {
    await using child = startChild("loaded-packages-child.ts", dir.path, store, ...args);
    return await child.next();
  };
  const url = `postgres://me@127.0.0.1:${await findClosedPort()}/x`;
  await mkdir(dir.join("home"), { mode: 0o700 });
  const local = [await loaded("", "append"), await loaded("", "show", "latest"), await loaded("", "doctor")];
  const given = await loaded(url, "append");
  await writeFile(dir.join("home", "config.yaml"), "sddDir: docs\n", { mode: 0o600 });
  const withFolder = await loaded("", "append");
  await writeFile(dir.join("home", "config.yaml"), `store: ${url}\n`, { mode: 0o600 });
  expect([...local, given, withFolder, await loaded("", "append")]).toEqual([
    "",
    "",
    "",
    "pg",
    "yaml",
    "pg yaml",
  ]);
});
