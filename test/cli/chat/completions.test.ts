import { writeFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { chatCommands } from "../../../src/cli/chat/commands/chat-commands.ts";
import { makeCompletions } from "../../../src/cli/chat/terminal/completions.ts";
import { tempDir } from "../../support/temp-dir.ts";

const sessions = [
  { value: "session-20261115-143022-ab12", description: "Fix\u001B[2J" },
  { value: "session-20261116-101500-cd34", description: "Other" },
];

/** Completes what is typed, and returns the choices and what the first of them makes of it. */
async function complete(cwd: string, typed: string, force = false) {
  const provider = makeCompletions({
    ...{ cwd, commands: chatCommands },
    valuesOf: async (command) => (command === "load" ? sessions : []),
  });
  const options = { signal: new AbortController().signal, force };
  const found = await provider.getSuggestions([typed], 0, typed.length, options);
  const [first] = found?.items ?? [];
  if (found === null || first === undefined) return undefined;
  const { lines, cursorCol } = provider.applyCompletion([typed], 0, typed.length, first, found.prefix);
  return { labels: found.items.map(({ label }) => label), lines, cursorCol, about: first.description };
}

it.each([
  { typed: "/ti", labels: ["/title"], line: "/title " },
  { typed: "/s", labels: ["/sessions", "/save"], line: "/sessions" },
  {
    typed: "/load session-2026111",
    labels: sessions.map(({ value }) => value),
    line: "/load session-20261115-143022-ab12",
  },
])("completes $typed", async ({ typed, labels, line }) => {
  await using dir = await tempDir();
  expect(await complete(dir.path, typed)).toMatchObject({ labels, lines: [line], cursorCol: line.length });
});

it.each(["/title", "/tmp", "/load session-20261116-101500-cd34", "/title x", "hello /s", "/sessions now"])(
  "offers nothing for %s, so that Return sends it",
  async (typed) => {
    await using dir = await tempDir();
    expect(await complete(dir.path, typed)).toBeUndefined();
  },
);

it("shows a title without what acts on a terminal", async () => {
  await using dir = await tempDir();
  expect((await complete(dir.path, "/load s"))?.about).toBe("Fix^[[2J");
});

it("completes the names of files on Tab, but none that acts on a terminal", async () => {
  await using dir = await tempDir();
  for (const name of ["notes.md", "no\u001B[2J.md", "other.md"]) await writeFile(dir.join(name), "");
  expect(await complete(dir.path, "read no", true)).toMatchObject({ labels: ["notes.md"] });
  expect(await complete(dir.path, "read no")).toBeUndefined();
});
