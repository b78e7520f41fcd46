import { once } from "node:events";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { runCli } from "../../src/cli/run-cli.ts";
import { openCarryon } from "../support/run-carryon.ts";
import { tempDir } from "../support/temp-dir.ts";
import { launcher, testContext } from "../support/test-context.ts";

// Seed 3: 12.5
it("shows six things with real commands, and a run that is killed goes on without doing anything twice", async () => {
  await using carryon = await openCarryon();
  const TMPDIR = join(carryon.folder, "scratch");
  await mkdir(TMPDIR);
  const { code, stdout, stderr } = await carryon.run(["tour"], { env: { TMPDIR } });
  const shown = stdout.split("\n").filter((line) => /^(?:\d\.|\$) /.test(line));
  expect({ code, stderr, shown, left: await readdir(TMPDIR) }).toMatchInlineSnapshot(`
    {
      "code": 0,
      "left": [],
      "shown": [
        "1. Killed and resumed: kill -9 loses no message that was acknowledged.",
        "$ agent | carryon append --title "Logout bug" > ~/acknowledged.jsonl",
        "$ tail -n 1 ~/acknowledged.jsonl",
        "$ carryon sessions",
        "$ tail -n 2 ~/messages.jsonl | carryon append --session latest",
        "2. Remembered: a new session is told what happened; nobody wrote notes.",
        "$ carryon brief",
        "3. Found: everything that was said and done can be searched.",
        "$ carryon search lifetime role:assistant",
        "4. Saved: a checkpoint keeps the files, the tasks and the failing test.",
        "$ carryon save",
        "$ carryon load",
        "5. Gated: an agent must say its plan before it may change a file.",
        "$ carryon init --yes && carryon gate init --preset minimal",
        "$ sh ~/.carryon/bin/carryon-hook < ~/write-call.json",
        "$ carryon gate satisfy commit_plan --branch",
        "$ sh ~/.carryon/bin/carryon-hook < ~/write-call.json && echo allowed",
        "6. Run: a task that is killed goes on, and nothing is done twice.",
        "$ carryon run "Fix the logout bug" --yes",
        "$ carryon run --resume --yes",
        "$ cat CHANGES.md",
      ],
      "stderr": "",
    }
  `);
  expect(stdout).toContain("I did not add it again.");
});

it("fails and names the command when one of its commands fails", async () => {
  await using dir = await tempDir();
  const program = dir.join("launcher.cjs");
  const broken = `if (process.argv[2] === "search") process.exit(7); else require(${JSON.stringify(launcher)});`;
  await writeFile(program, broken);
  const env = { PATH: process.env.PATH };
  const context = testContext(dir.path, { env, program: [process.execPath, program] });
  const code = await runCli(["tour"], context);
  expect({ code, stderr: context.said.err }).toMatchInlineSnapshot(`
    {
      "code": 1,
      "stderr": "carryon: The tour found a fault in Carryon: \`carryon search lifetime role:assistant\` ended with 7: 
      Please report it, with the output of \`carryon doctor\`.
    ",
    }
  `);
});

it("leaves nothing behind when it is interrupted", async () => {
  await using carryon = await openCarryon();
  const TMPDIR = join(carryon.folder, "scratch");
  await mkdir(TMPDIR);
  const tour = carryon.start(["tour"], { env: { TMPDIR } });
  const closed = once(tour, "close");
  await once(tour.stdout, "data");
  tour.kill("SIGINT");
  expect([await closed, await readdir(TMPDIR)]).toEqual([[130, null], []]);
});
