import { spawnSync } from "node:child_process";
import { chmod, mkdir, writeFile } from "node:fs/promises";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseHookCommand, renderHookCommand } from "../../src/install/programs.ts";
import { tempDir } from "../support/temp-dir.ts";

const run = (command: string) => {
  const { status, stdout, stderr } = spawnSync("/bin/sh", ["-c", command], { input: "" });
  return { code: status, stdout: String(stdout), stderr: String(stderr) };
};

describe("the command of a hook", () => {
  it("is read back as it was rendered, for any paths", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.string({ unit: "grapheme" }), (node, hook) => {
        expect(parseHookCommand(renderHookCommand({ node, hook }))).toEqual({ node, hook });
      }),
    );
  });

  it.each(["", "echo carryon-hook.cjs", "if [ -x 'a' ] && [ -f 'b' ]; then exec 'a' 'b'; fi; rm x"])(
    "is not read from another one: %s",
    (command) => {
      expect(parseHookCommand(command)).toBe(undefined);
    },
  );

  it.each([
    "plain",
    "with space",
    "it's",
    `a"b`,
    "$HOME",
    "`id`",
    "a;b",
    "back\\slash",
    "new\nline",
    "é 漢字",
    "*",
  ])("runs the very program and the very file in a folder called %s", async (name) => {
    await using dir = await tempDir();
    const folder = dir.join(name);
    await mkdir(folder);
    const node = `${folder}/node`;
    const hook = `${folder}/hook.cjs`;
    await writeFile(node, '#!/bin/sh\nprintf "%s" "$1"\n');
    await chmod(node, 0o755);
    await writeFile(hook, "");
    expect(run(renderHookCommand({ node, hook }))).toEqual({ code: 0, stdout: hook, stderr: "" });
  });

  it("does nothing and succeeds when Node or the hook has gone", async () => {
    await using dir = await tempDir();
    const nothing = { code: 0, stdout: "", stderr: "" };
    expect(run(renderHookCommand({ node: dir.join("no"), hook: dir.join("no") }))).toEqual(nothing);
    expect(run(renderHookCommand({ node: "/bin/echo", hook: dir.join("no") }))).toEqual(nothing);
    await writeFile(dir.join("hook.cjs"), "");
    expect(run(renderHookCommand({ node: dir.join("no"), hook: dir.join("hook.cjs") }))).toEqual(nothing);
  });
});
