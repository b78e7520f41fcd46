import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { childEnv, scriptPath, start } from "../child.ts";
import { type TempDir, tempDir } from "../temp-dir.ts";

const binary = "node_modules/@anthropic-ai/claude-code-linux-x64/claude";

/** Puts a program in the place of npm that notes how it was called and makes the files that npm would. */
async function standInForNpm(dir: TempDir, ending = "exit 0"): Promise<NodeJS.ProcessEnv> {
  const script = `#!/bin/sh
echo "$@" >>${dir.join("calls")}
mkdir -p node_modules/@anthropic-ai/claude-code-linux-x64
sleep 0.3
touch ${binary}
${ending}
`;
  await mkdir(dir.join("bin"));
  await writeFile(dir.join("bin", "npm"), script, { mode: 0o755 });
  return {
    ...childEnv,
    PATH: `${dir.join("bin")}:${process.env.PATH}`,
    CARRYON_CLIENTS: dir.join("clients"),
  };
}

const install = [scriptPath("install-client-child.ts"), "1.2.3"];

it("installs a client once, however many processes ask for it", async () => {
  await using dir = await tempDir();
  const env = await standInForNpm(dir);
  const program = dir.join("clients/claude-code-1.2.3", binary);
  await using one = start(process.execPath, install, env);
  await using other = start(process.execPath, install, env);
  expect(await Promise.all([one.next(), other.next()])).toEqual([program, program]);
  await using later = start(process.execPath, install, env);
  expect(await later.next()).toBe(program);
  expect(existsSync(program)).toBe(true);
  expect((await readFile(dir.join("calls"), "utf8")).split("\n")).toEqual([
    expect.stringMatching(/^install .*--ignore-scripts .*@anthropic-ai\/claude-code@1\.2\.3$/),
    "",
  ]);
});

it("installs a client anew after an install that was cut off", async () => {
  await using dir = await tempDir();
  const env = await standInForNpm(dir);
  await mkdir(dir.join("clients/claude-code-1.2.3.partial/half"), { recursive: true });
  await using child = start(process.execPath, install, env);
  expect(await child.next()).toBe(dir.join("clients/claude-code-1.2.3", binary));
  expect(await readdir(dir.join("clients/claude-code-1.2.3"))).toEqual(["node_modules"]);
});

it("says what npm said when it failed, and takes nothing for installed", async () => {
  await using dir = await tempDir();
  const env = await standInForNpm(dir, "echo 'npm error 404' >&2; exit 1");
  await expect(promisify(execFile)(process.execPath, install, { env })).rejects.toMatchObject({
    stderr: expect.stringContaining("npm could not install @anthropic-ai/claude-code@1.2.3:\nnpm error 404"),
  });
  expect(existsSync(dir.join("clients/claude-code-1.2.3"))).toBe(false);
});
