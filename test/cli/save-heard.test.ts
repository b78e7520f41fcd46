import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { hook } from "../support/save-repo.ts";
import { openWork } from "../support/work-project.ts";

const refused = "A hook of this repository refused the commit. Nothing was committed";
const failed =
  "carryon: The state of the work is saved, but nothing was committed.\n" +
  "  Mend what the hook objects to, and save again; `carryon save --no-commit` wants no commit.\n";

describe("a hook that takes its time", () => {
  it("is heard on a terminal while it runs, and fit for it", async () => {
    await using work = await openWork();
    // It goes on only once it was heard, and gives up where nobody hears it.
    const wait = "for i in $(seq 400); do test -e .git/heard && exit 0; sleep 0.05; done; exit 1";
    await hook(work.root, "pre-commit", `printf 'tests \\033[31mrun\\033[0m \\007now\\n'; ${wait}`);
    await work.write({ "new.txt": "new\n" });
    const said: string[] = [];
    const { code, stdout } = await work.answer(
      ["save"],
      {},
      {
        err: (text) => {
          said.push(text);
          if (text.includes("tests")) writeFileSync(join(work.root, ".git/heard"), "");
        },
      },
    );
    expect([code, said]).toEqual([0, ["  tests run ^Gnow\n"]]);
    expect(stdout).toContain("1 file committed");
  });

  it("is heard on a terminal when it asks, before the line of its question ends", async () => {
    await using work = await openWork();
    const wait = "for i in $(seq 400); do test -e .git/heard && break; sleep 0.05; done; test -e .git/heard";
    await hook(work.root, "pre-commit", `printf 'Run all tests? ' >&2; ${wait} && echo yes >&2`);
    await work.write({ "new.txt": "new\n" });
    const said: string[] = [];
    const err = (text: string) => {
      said.push(text);
      if (text.includes("Run all tests?")) writeFileSync(join(work.root, ".git/heard"), "");
    };
    expect((await work.answer(["save"], {}, { err })).code).toBe(0);
    expect(said).toEqual(["  Run all tests? ", "yes\n"]);
  });

  it("that adds what would be left out is told of", async () => {
    await using work = await openWork();
    await hook(work.root, "pre-commit", "git add -A");
    await work.write({ "new.txt": "new\n", ".env": "A=1\n" });
    const { stdout, stderr } = await work.call(["save"]);
    expect(stderr).toBe(
      "A hook of yours has added what would have been left out, and the commit has it: .env.\n",
    );
    expect(stdout).not.toContain(".env");
  });

  it("that refuses is not quoted once more where it was heard", async () => {
    await using work = await openWork();
    await hook(work.root, "pre-commit", "echo no tests >&2; exit 1");
    await work.write({ "new.txt": "new\n" });
    expect((await work.answer(["save"], {})).stderr).toBe(`  no tests\n${refused}.\n${failed}`);
    expect((await work.call(["save"])).stderr).toBe(`${refused}:\n  no tests\n${failed}`);
  });
});
