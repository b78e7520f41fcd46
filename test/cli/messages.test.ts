import { expect, it } from "vitest";
import { openCarryon } from "../support/run-carryon.ts";

it.each([
  { args: ["trust", "--list"], stdout: "", stderr: "No project is trusted.\n" },
  { args: ["sync"], stdout: "No transcripts of Claude Code were found.\n", stderr: "" },
  { args: ["import", "claude-code"], stdout: "No transcripts of Claude Code were found.\n", stderr: "" },
])("says in words that there is nothing for $args", async ({ args, stdout, stderr }) => {
  await using carryon = await openCarryon();
  expect(await carryon.run(args)).toEqual({ code: 0, stdout, stderr });
});

it("says how to get a session that could be resumed", async () => {
  await using carryon = await openCarryon();
  await carryon.record("hello");
  expect(await carryon.call(["resume"])).toMatchInlineSnapshot(`
    {
      "code": 2,
      "stderr": "carryon: There is no session of Claude Code, of a chat or of a run in this project in this store.
      \`carryon import claude-code --project .\` takes in what it has kept, \`carryon chat\` begins one; \`carryon sessions --all\` lists other projects.
    ",
      "stdout": "",
    }
  `);
});
