import { realpath } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { putSeen } from "../support/client-folder.ts";
import { openCarryon } from "../support/run-carryon.ts";

const session = "11111111-1111-4111-8111-111111111111";

it("tells what is known of a session that was killed before its client wrote it", async () => {
  await using carryon = await openCarryon();
  const cwd = await realpath(join(carryon.folder, "work"));
  const see = (event: string, payload: object) =>
    putSeen(join(carryon.folder, "home"), {
      ...{ event, session, at: new Date("2026-11-15T12:00:00.000Z") },
      payload: { cwd, prompt_id: "p", ...payload },
    });
  await see("UserPromptSubmit", { prompt: "Fix the login." });
  const call = { tool_use_id: "t", tool_name: "Bash", tool_input: { command: "npm test" } };
  await see("PreToolUse", call);
  await see("PostToolUseFailure", { ...call, error: "exit code 1" });
  await carryon.ask(["sync"]);
  const { sessions } = JSON.parse(await carryon.ask(["sessions", "--json"]));
  expect(sessions).toMatchObject([{ title: "Fix the login.", status: "interrupted", messages: 0 }]);
  const shown = await carryon.ask(["show", session]);
  expect(
    shown
      .replaceAll(/\d\d:\d\d/g, "--:--")
      .split("\n")
      .slice(4),
  ).toMatchInlineSnapshot(`
    [
      "user #1 · seen by a hook · --:--:00",
      "  Fix the login.",
      "",
      "assistant #2 · seen by a hook · --:--:00",
      "  → Bash  command: npm test",
      "",
      "tool #3 · seen by a hook · --:--:00",
      "  ✗ exit code 1",
      "",
      "interrupted #4 · hooks · --:--:00",
      "",
      "",
    ]
  `);
  const { code, stderr } = await carryon.run(["resume", session]);
  expect({ code, stderr: stderr.replaceAll(carryon.folder, "<folder>") }).toMatchInlineSnapshot(`
    {
      "code": 0,
      "stderr": "Claude Code has no transcript of this session: it was written from the store. Kept: 1 prompt, 1 call, 1 result.
    ",
    }
  `);
});
