import { execFile } from "node:child_process";
import { cp, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { openHook, promptOf } from "../support/open-hook.ts";

/** Runs shell commands that may mount what they like; `$1` is a home, and `hook` gives a prompt to the hook in it. */
async function runWithMounts(commands: string, home: string): Promise<string> {
  const prompt = join(home, "..", "prompt.json");
  await writeFile(prompt, JSON.stringify(promptOf(`hello ${"word ".repeat(4000)}`)));
  const run = `"${process.execPath}" "$1/bin/carryon-hook.cjs" <"${prompt}"; echo "exit $?"`;
  const rights = process.getuid?.() === 0 ? [] : ["--map-root-user"];
  const shell = ["sh", "-ec", `hook() { ${run}; }; ${commands}`, "sh", home];
  const { stdout, stderr } = await promisify(execFile)("unshare", [...rights, "--mount", ...shell]);
  return stdout + stderr;
}

it("lets the client go on where nothing can be written", async () => {
  await using hook = await openHook();
  const readOnly = 'mount --bind "$1" "$1"; mount -o remount,bind,ro "$1"; hook "$1"';
  expect(await runWithMounts(readOnly, hook.home)).toBe("exit 0\n");
  expect(await hook.inbox()).toEqual([]);
});

it("lets the client go on when the disk is full, and records again when there is room", async () => {
  await using hook = await openHook();
  const copy = `${hook.home}-copy`;
  await cp(hook.home, copy, { recursive: true });
  const commands = `
    mount -t tmpfs -o size=2m,mode=700 tmpfs "$1"
    cp -a "${copy}/." "$1"
    dd if=/dev/zero of="$1/filler" bs=1k >/dev/null 2>&1 || true
    hook "$1"
    rm "$1/filler"
    hook "$1"
    rm -rf "${copy}"
    cp -a "$1" "${copy}"`;
  expect(await runWithMounts(commands, hook.home)).toBe("exit 0\nexit 0\n");
  await cp(copy, hook.home, { recursive: true, force: true });
  expect(await hook.inbox()).toHaveLength(1);
  expect((await readdir(hook.home)).filter((name) => name === "filler")).toEqual([]);
});
