import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { installClient } from "../support/clients/install-client.ts";
import { git } from "../support/git-repo.ts";
import { readScenario } from "../support/model-server/scenario.ts";
import { openRecordedClaude } from "../support/recorded-claude.ts";
import { shopTools, toldAt, wrongSum } from "../support/shop.ts";

const version = "2.1.325";
const [first, second, third] = [
  "Add a discount of ten percent to the price list",
  "Go on, and round discounted prices to whole cents",
  "what is left to do",
];

beforeAll(() => installClient("claude-code", version));

it("begins the third session with the killed request, the commit and the check that fails, and says so to the user", async () => {
  await using shop = await openRecordedClaude(version, {
    scenario: (folder) => readScenario("third-start", { folder }),
  });
  const { claude, server } = shop;
  for (const [name, text] of Object.entries(wrongSum)) await writeFile(join(claude.cwd, name), text);
  await git(claude.cwd, "config", "user.name", "A");
  await git(claude.cwd, "config", "user.email", "a@example.invalid");

  await claude.run(first, shopTools);
  {
    await using killed = claude.start(second, shopTools);
    await server.waitFor(
      ({ rule, step }) => rule === "and round discounted prices to whole cents" && step === 1,
    );
    killed.kill("SIGKILL");
    await killed.ended();
  }
  const { result } = await claude.run(third, shopTools);
  const told = toldAt(server, third);
  const brief = told.slice(
    told.indexOf("This is a record of earlier sessions"),
    told.indexOf(" for a session."),
  );
  // The check of the syntax passed in the end, and the test that failed before the commit was not run again.
  expect(brief).not.toMatch(/^Blocker|node --check/m);
  for (const part of [
    "Next action (less than an hour old):\n  Go on with the interrupted request below",
    `Interrupted:\n  - Last request: "${second}"\n  - Last step: I will round in discount.mjs first, then mend sum.mjs.\n`,
    `Goal: ${first}\n`,
    "Last commit: ",
    " Add the discount to the price list (not pushed in this session)\n",
    "not committed: rounding.mjs, sum.mjs, sum.test.mjs\n",
    "Checks: node --test → failed: ✖ adds two numbers",
  ])
    expect(brief).toContain(part);
  const rows = await claude.readTranscript(result?.session_id ?? "");
  const attachments = rows.map((row) => row.attachment as { type: string; content: unknown } | undefined);
  expect(attachments.find((each) => each?.type === "hook_system_message")?.content).toMatch(
    /^Carryon restored "Add a discount of ten percent to the price list" \(interrupted, .*\)\. Other work: .*carryon status$/,
  );
});
