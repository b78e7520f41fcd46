import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { filesWith } from "../support/files-with.ts";
import { openCarryon } from "../support/run-carryon.ts";
import { tamper } from "../support/store-files.ts";

describe("what scrub says of what stays", () => {
  it("names no id that was made of the secret, whatever its case, and says that it stays there", async () => {
    await using carryon = await openCarryon();
    await carryon.ask(["append", "--title", "Use Hunter22 here"], [{ role: "user", text: "x" }]);
    await carryon.ask(["append", "--title", "HUNTER22"], [{ role: "user", text: "x" }]);
    const { code, stdout, stderr } = await carryon.call(["scrub", "Hunter22", "--yes"]);
    expect({ code, stdout, rest: stderr.split("\n").slice(-3) }).toEqual({
      code: 0,
      stdout: `SESSION                         ENTRIES  ALSO IN
session-00000000-000000-0001-…        0  title
`,
      rest: [
        "It stays in the names of 2 sessions: what things are known by cannot be changed.",
        "What describes 1 session holds it in another case: --ignore-case takes that out too.",
        "",
      ],
    });
  });

  it("goes on after a session whose record is damaged, and names it at the end", async () => {
    await using carryon = await openCarryon();
    const [first, , third] = [
      await carryon.record("tell them hunter22"),
      await carryon.record("nothing"),
      await carryon.record("another", "hunter22 again"),
    ];
    const home = join(carryon.folder, "home");
    tamper(home, "UPDATE session SET tag_facts = '[' WHERE id = ?", first);
    tamper(home, "UPDATE session SET title = NULL, opening = NULL, title_folded = '' WHERE id = ?", first);
    const answer = JSON.parse(await carryon.ask(["scrub", "hunter22", "--yes", "--json"]));
    expect(answer).toMatchObject({
      ...{ entries: 2, damaged: [first] },
      replaced: { entries: 2, sessions: 1, damaged: [first], wiped: true },
    });
    expect(await filesWith(home, ["hunter22"])).toEqual([]);
    expect(JSON.parse(await carryon.ask(["verify", third, "--json"])).ok).toBe(true);
    expect((await carryon.call(["scrub", "hunter22"])).stderr).toBe(`Nothing was found.
The records of these sessions are damaged, and may still hold it:
  session-00000000-000000-0001
`);
  });
});
