import { appendFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { openClientFolder } from "../support/client-folder.ts";
import { row, session } from "../support/hooked-session.ts";

const said = (number: number, content: unknown, parent: string | null) =>
  row(number, { type: "user", message: { role: "user", content } }, parent);
const called = (number: number, name: string, input: object) =>
  row(
    number,
    {
      type: "assistant",
      message: {
        id: `m${number}`,
        role: "assistant",
        content: [{ type: "tool_use", id: `t${number}`, name, input }],
      },
    },
    `row-${number - 1}`,
  );
const answered = (number: number, content: string) =>
  said(number, [{ type: "tool_result", tool_use_id: `t${number - 1}`, content }], `row-${number - 1}`);

it("marks what asks Carryon for something and what it answers, however the transcript is read, and gives no title by it", async () => {
  const rows = [
    said(1, "/session:load", null),
    called(2, "Bash", { command: "carryon load" }),
    answered(3, "The limit is 30 days."),
    said(4, "Raise the limit.", "row-3"),
    called(5, "Bash", { command: "npm test" }),
    answered(6, "12 tests passed"),
    called(7, "mcp__carryon__session_search", { query: "limit" }),
    answered(8, "Nothing was found."),
  ];
  await using client = await openClientFolder();
  const path = await client.write(session, "");
  for (const each of rows) {
    await appendFile(path, each);
    await client.sync();
  }
  const stored = (await client.read())[session];
  expect(stored?.session.title).toBe("Raise the limit.");
  const marked = stored?.entries.flatMap((entry) =>
    entry.kind === "message" && entry.echo ? [entry.id] : [],
  );
  expect(marked).toEqual(["row-1", "row-2", "row-3", "row-7", "row-8"]);

  await using atOnce = await openClientFolder();
  await atOnce.write(session, rows.join(""));
  await atOnce.sync();
  expect((await atOnce.read())[session]?.entries).toEqual(stored?.entries);
});
