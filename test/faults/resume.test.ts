import { chmod, mkdir, realpath, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { recordPrompt as record } from "../support/record-prompt.ts";
import { openCarryon } from "../support/run-carryon.ts";
import { openTerminal } from "../support/terminal.ts";
import { launcher } from "../support/test-context.ts";

const first = "11111111-1111-4111-8111-111111111111";

describe("carryon resume on a terminal", () => {
  it("hands the terminal to the client and ends as it does", async () => {
    await using carryon = await openCarryon();
    await record(carryon, first, "first");
    const bin = join(carryon.folder, "bin");
    await mkdir(bin);
    await writeFile(
      join(bin, "claude"),
      '#!/bin/sh\necho "in $PWD with $*"; read -r line; echo "got $line"; exit 7\n',
    );
    await chmod(join(bin, "claude"), 0o755);
    const env = {
      ...{ HOME: carryon.folder, CARRYON_HOME: join(carryon.folder, "home"), TERM: "xterm" },
      PATH: `${bin}:${process.env.PATH}`,
    };
    const cwd = await realpath(join(carryon.folder, "work"));
    await using terminal = await openTerminal([process.execPath, launcher, "resume"], { cwd, env });
    await terminal.waitFor(`--resume=${first}`);
    await terminal.type("hello\r");
    await terminal.waitFor("got hello");
    expect(await terminal.ended()).toBe(7);
  });
});
