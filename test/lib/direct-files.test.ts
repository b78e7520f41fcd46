import { globSync, readFileSync } from "node:fs";
import * as usual from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import * as direct from "../../src/lib/direct-files.ts";
import { tempDir } from "../support/temp-dir.ts";

type Files = typeof usual;

/** Does what Carryon does with files, and returns all that it is told. */
async function use(files: Files, root: string): Promise<readonly unknown[]> {
  const at = (name: string) => join(root, name);
  await files.mkdir(at("folder/deep"), { recursive: true });
  await files.writeFile(at("a"), "one\n", { mode: 0o600 });
  await files.appendFile(at("a"), "two\n");
  await files.link(at("a"), at("b"));
  await files.copyFile(at("a"), at("c"));
  await files.rename(at("c"), at("folder/c"));
  await files.chmod(at("folder/c"), 0o640);
  await files.utimes(at("folder/c"), 1, 2);
  const handle = await files.open(at("a"), "r+");
  const { bytesWritten } = await handle.write(Buffer.from("xyz"), 1, 2, null);
  const { bytesRead, buffer } = await handle.read(Buffer.alloc(3), 0, 3, 4);
  const { size } = await handle.stat();
  await handle.chmod(0o600);
  await handle.sync();
  await handle.datasync();
  await handle.truncate(6);
  await handle.close();
  const whole = await files.open(at("a"), "r");
  const bytes = await whole.readFile();
  await whole.close();
  const fresh = await files.open(at("fresh"), "wx", 0o600);
  await fresh.writeFile("new");
  await fresh.close();
  const { mode, mtimeMs } = await files.stat(at("folder/c"));
  const found = [
    [bytesWritten, bytesRead, buffer, size, bytes, mode & 0o777, mtimeMs],
    (await files.readdir(root, { recursive: true })).toSorted(),
    await files.readFile(at("b"), "utf8"),
    (await files.realpath(at("folder/../a"))).slice(root.length),
    (await files.lstat(at("folder"))).isDirectory(),
    (await files.statfs(root)).bsize > 0,
    await refusal(files.access(at("gone"))),
    await refusal(files.open(at("fresh"), "wx")),
    await refusal(files.readlink(at("a"))),
    await refusal(files.mkdir(at("folder"))),
    await refusal(files.rmdir(root)),
    await refusal(files.readFile(at("folder"))),
  ];
  await files.unlink(at("b"));
  await files.rm(await files.mkdtemp(at("temporary-")), { recursive: true });
  await files.rm(at("folder"), { recursive: true });
  return [...found, (await files.readdir(root)).toSorted()];
}

async function refusal(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => "none",
    ({ code, syscall }: NodeJS.ErrnoException) => ({ code, syscall }),
  );
}

describe("files that are looked at directly", () => {
  it("are what node:fs/promises says they are", async () => {
    await using one = await tempDir();
    await using other = await tempDir();
    expect(await use(direct as unknown as Files, other.path)).toEqual(await use(usual, one.path));
  });

  it("leave timers their turn, however many are looked at", async () => {
    await using dir = await tempDir();
    let isOver = false;
    const timer = sleep(30).then(() => {
      isOver = true;
    });
    while (!isOver) await direct.stat(dir.path);
    await timer;
    expect(isOver).toBe(true);
  });

  it("have all that the sources use", () => {
    const used = globSync("src/**/*.ts").flatMap((path) =>
      [...readFileSync(path, "utf8").matchAll(/^import \{([^}]*)\} from "node:fs\/promises";$/gm)].flatMap(
        ([, names = ""]) => names.split(",").map((name) => name.trim()),
      ),
    );
    const values = new Set(used.filter((name) => name !== "" && !name.startsWith("type ")));
    expect(values).toContain("lstat");
    expect([...values].filter((name) => !(name in direct))).toEqual([]);
  });
});
