import { readFile, stat, writeFile } from "node:fs/promises";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { HistoryBrowser, searchHistory } from "../../../src/cli/chat/history/history-browser.ts";
import { addToHistory, openHistory } from "../../../src/cli/chat/history/history-file.ts";
import { tempDir } from "../../support/temp-dir.ts";

describe("the history file", () => {
  it("gives back what was typed, in order, for its owner alone", async () => {
    await using dir = await tempDir();
    const path = dir.join("history");
    expect(await openHistory(path)).toEqual([]);
    const typed = ["one", "two\nlines", "/help", "ログイン 👩‍👧", '"quoted"'];
    for (const text of typed) await addToHistory(path, text);
    expect(await openHistory(path)).toEqual(typed);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  it("keeps no secret and no text that is only space or too long to look for", async () => {
    await using dir = await tempDir();
    const path = dir.join("history");
    await addToHistory(path, "use ghp_0123456789abcdefghijABCDEFGHIJ012345 for it");
    await addToHistory(path, " \n ");
    await addToHistory(path, "x".repeat(100_001));
    expect(await openHistory(path)).toEqual([expect.stringMatching(/^use \[redacted:[a-z-]+\] for it$/)]);
  });

  it("loses nothing of several chats that add and cut at once", async () => {
    await using dir = await tempDir();
    const path = dir.join("history");
    const limits = { kept: 60, most: 70 };
    const texts = (chat: number) => Array.from({ length: 20 }, (_, index) => `${chat} ${index}`);
    await writeFile(path, '"old"\n'.repeat(80));
    await Promise.all(
      [1, 2, 3].map(async (chat) => {
        for (const text of texts(chat)) {
          await addToHistory(path, text);
          await openHistory(path, limits);
        }
      }),
    );
    const kept = await openHistory(path, { kept: 100, most: 100 });
    for (const chat of [1, 2, 3]) {
      expect(kept.filter((text) => text.startsWith(`${chat} `))).toEqual(texts(chat));
    }
    expect(kept.length).toBeLessThanOrEqual(limits.most + 1);
  });

  it("leaves lines alone that hold no text", async () => {
    await using dir = await tempDir();
    const path = dir.join("history");
    await writeFile(path, '"one"\n{torn\n42\n"two"\n');
    expect(await openHistory(path)).toEqual(["one", "two"]);
    await addToHistory(path, "three");
    expect(await readFile(path, "utf8")).toBe('"one"\n{torn\n42\n"two"\n"three"\n');
  });
});

describe("going through the history", () => {
  it("shows what is older, and at the end what was being typed", () => {
    const browser = new HistoryBrowser(["one", "two", "three"]);
    expect(browser.older("typed")).toBe("three");
    expect(browser.older("three")).toBe("two");
    expect(browser.older("two")).toBe("one");
    expect(browser.older("one")).toBeUndefined();
    expect([browser.newer(), browser.newer(), browser.newer(), browser.newer()]).toEqual([
      ...["two", "three", "typed"],
      undefined,
    ]);
  });

  it("begins anew from what was changed, and shows nothing twice in a row", () => {
    const browser = new HistoryBrowser(["one", "two", "two"]);
    expect(browser.older("")).toBe("two");
    expect(browser.older("two")).toBe("one");
    expect(browser.older("one more")).toBe("two");
    browser.add("three");
    expect(browser.older("")).toBe("three");
  });

  it("comes back to what was typed, however far one went", () => {
    const anyEntries = fc.array(fc.string({ minLength: 1 }), { maxLength: 8 });
    fc.assert(
      fc.property(anyEntries, fc.string(), fc.nat(12), (entries, typed, steps) => {
        const browser = new HistoryBrowser(entries);
        let shown = typed;
        for (let step = 0; step < steps; step += 1) shown = browser.older(shown) ?? shown;
        for (let step = 0; step < entries.length + 1; step += 1) shown = browser.newer() ?? shown;
        expect(shown).toBe(typed);
      }),
    );
  });

  it("finds the newest before a place, whatever the case", () => {
    const entries = ["Fix the login", "run it", "fix the tests"];
    expect(searchHistory(entries, "FIX", entries.length)).toBe(2);
    expect(searchHistory(entries, "fix", 2)).toBe(0);
    expect(searchHistory(entries, "fix", 0)).toBe(-1);
  });
});
