import { randomBytes } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openCarryon } from "../support/run-carryon.ts";

it("leaves a secret that was recorded in no byte of any file, not even when the writer was told it twice", async () => {
  await using carryon = await openCarryon();
  const canary = randomBytes(64)
    .toString("base64")
    .replaceAll(/[^A-Za-z0-9]/g, "")
    .slice(0, 36);
  const lines = [
    { role: "user", text: `export GITHUB_TOKEN=ghp_${canary}` },
    {
      kind: "message",
      role: "tool",
      parts: [{ type: "tool-result", call: "c", output: { stdout: `ghp_${canary}\n` } }],
    },
    { kind: "other", raw: { kind: "x", deep: [{ text: `postgres://me:ghp_${canary}@db.example.com/x` }] } },
  ];
  await carryon.ask(["append", "--title", `token ghp_${canary}`], lines);
  await carryon.ask(["rename", "latest", `ghp_${canary}`]);
  await carryon.ask(["backup", join(carryon.folder, "copy.db")]);
  const shown = await carryon.ask(["show", "latest", "--json"]);
  expect(shown).toContain("[redacted:");
  const files = (await readdir(carryon.folder, { recursive: true, withFileTypes: true })).filter((each) =>
    each.isFile(),
  );
  const found = await Promise.all(
    files.map(async ({ parentPath, name }) => {
      const bytes = await readFile(join(parentPath, name));
      return bytes.includes(canary) || name.includes(canary.toLowerCase()) ? [name] : [];
    }),
  );
  expect(files.map((each) => each.name)).toContain("store.db");
  expect(found.flat()).toEqual([]);
  expect(shown.toLowerCase()).not.toContain(canary.slice(0, 12).toLowerCase());
});
