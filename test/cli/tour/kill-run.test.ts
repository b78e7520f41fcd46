import { expect, it } from "vitest";
import { killRun } from "../../../src/cli/tour/run/kill-run.ts";
import { openScratch } from "../../../src/cli/tour/scratch.ts";
import { makeTeller } from "../../../src/cli/tour/teller.ts";
import { git } from "../../support/git-repo.ts";
import { tempDir } from "../../support/temp-dir.ts";
import { testContext } from "../../support/test-context.ts";

it("the tour shows a run that is killed in the middle of a command and goes on without doing it twice", async () => {
  await using dir = await tempDir();
  const context = testContext(dir.path, { env: { PATH: process.env.PATH } });
  const scratch = await openScratch(context);
  try {
    await git(scratch.cwd, "init", "--quiet");
    const session = await killRun(scratch, makeTeller(context));
    const told = context.said.out
      .replaceAll(session, "<session>")
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "<time>")
      .replaceAll(/[\d,]+ tokens, \d+ s/g, "N tokens, N s");
    expect(told).toMatchInlineSnapshot(`
      "
      1. An instructor directs a worker, and the run is killed in the middle of a command
         $ carryon run "Renew sessions that are in use, and note it in CHANGES.md" --yes
         Session <session>
         Round 1: Write renew.mjs, which renews a session up to 30 days.
           → write renew.mjs (1 line)
           renew.mjs is written.
         Round 1 is saved: N tokens, N s.
         Round 2: Add one line to CHANGES.md that says so.
           → bash echo 'Sessions that are in use are renewed.' >> CHANGES.md; sleep 3
         SIGKILL, with the line just written.

      2. The run goes on where it was: no round is repeated, and no effect comes twice
         $ carryon run --resume --yes
         Resuming session from <time>
           Round: 1
           Remaining: without a limit
         Session <session>
           1 call had no result when the run was cut off; the worker is told so.
           → bash cat CHANGES.md
           The command was cut off, but the line is there: I did not add it again.
         Round 2 is saved: N tokens, N s.
         Round 3: Show that the line is there once.
           → bash cat CHANGES.md
           The line is there once.
         Round 3 is saved: N tokens, N s.
         Sessions are renewed, and CHANGES.md says so once.
      "
    `);
  } finally {
    await scratch.remove();
  }
});
