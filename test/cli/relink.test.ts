import { mkdir, realpath, rename } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeSlug } from "../../src/clients/claude-code/locate.ts";
import { recordPrompt as record } from "../support/record-prompt.ts";
import { openCarryon } from "../support/run-carryon.ts";

const first = "11111111-1111-4111-8111-111111111111";

describe("carryon relink", () => {
  it("makes the sessions of a folder that has moved those of this one, and resume says what is left to do", async () => {
    await using carryon = await openCarryon();
    const [old, now] = [join(carryon.folder, "old"), join(carryon.folder, "now")];
    await mkdir(old);
    const path = await record(carryon, first, "first", old);
    await rename(old, now);
    const run = (...args: readonly string[]) => carryon.run(args, { cwd: now });
    expect(await run("resume", first)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("is gone"),
    });
    expect(await run("relink", "../old")).toMatchInlineSnapshot(`
      {
        "code": 0,
        "stderr": "What was recorded in <folder>/old belongs to now now.
      ",
        "stdout": "",
      }
    `);
    const listed = await carryon.call(["sessions", "--json"], { cwd: now });
    expect(JSON.parse(listed.stdout)).toMatchObject({ sessions: [{ id: first }] });
    expect(await run("resume", first)).toMatchObject({
      ...{ code: 0, stdout: `cd <folder>/now && claude --resume=${first}\n` },
      stderr: expect.stringMatching(
        /^Older versions of Claude Code do not find the session from <folder>\/now\. .*\n$/,
      ),
    });
    const copy = join(dirname(dirname(path)), makeSlug(await realpath(now)), `${first}.jsonl`);
    await mkdir(dirname(copy));
    await rename(path, copy);
    expect(await run("resume", first)).toEqual({
      ...{ code: 0, stderr: "", stdout: `cd <folder>/now && claude --resume=${first}\n` },
    });
  });

  it("refuses a folder that is still there, and one where nothing was recorded", async () => {
    await using carryon = await openCarryon();
    await carryon.record("hello");
    expect(await carryon.call(["relink", ".."])).toMatchInlineSnapshot(`
      {
        "code": 2,
        "stderr": "carryon: <folder> is still there, so that its project has not moved.
        Give the folder that the project was in before.
      ",
        "stdout": "",
      }
    `);
    expect(await carryon.call(["relink", "../never"])).toMatchInlineSnapshot(`
      {
        "code": 2,
        "stderr": "carryon: Nothing was recorded in <folder>/never.
        Give the whole path of the folder; \`carryon sessions --all --json\` shows where sessions began.
      ",
        "stdout": "",
      }
    `);
  });
});
