import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { literalPattern } from "../../src/redaction/text-pattern.ts";
import { parseEntryId } from "../../src/sessions/ids.ts";
import { one, openWithSession, two } from "../contract/test-log.ts";
import { anyNewEntry, collect, later, newFork, newSession, said } from "../support/entries.ts";
import { exportAll, headsOf, importInto } from "../support/exchange.ts";
import { openSqliteTestLog } from "../support/test-log.ts";
import { verifyAll } from "../support/verify-all.ts";

const formats = ["carryon", "json"] as const;

describe.each(formats)("an export in the format %s", (format) => {
  it("gives the same chain heads elsewhere for any session, its forks included, and nothing new the second time", async () => {
    const anyTalk = fc.uniqueArray(anyNewEntry, { selector: ({ id }) => id, minLength: 1, maxLength: 10 });
    await fc.assert(
      fc.asyncProperty(anyTalk, fc.nat({ max: 30 }), fc.nat({ max: 10 }), async (talk, place, cut) => {
        await using from = await openWithSession(openSqliteTestLog);
        await using to = await openSqliteTestLog();
        const [first, rest] = [talk.slice(0, cut + 1), talk.slice(cut + 1)];
        await from.log.append(one, first);
        const at = first[place % first.length]?.id;
        await from.log.fork({ ...newFork("two"), ...(at === undefined ? {} : { at }) });
        await from.log.append(two, rest);
        const text = await exportAll(from, format);
        await importInto(to, text);
        expect(await headsOf(to)).toEqual(await headsOf(from));
        for (const id of [one, two])
          expect(await collect(to.log.read(id))).toEqual(await collect(from.log.read(id)));
        expect((await importInto(to, text)).sessions.map(({ type }) => type)).toEqual(["known", "known"]);
        expect(await exportAll(to, format)).toBe(text);
      }),
      { numRuns: 10 },
    );
  });

  it("lets a fork come alone, and the origin later", async () => {
    await using from = await openWithSession(openSqliteTestLog);
    await using to = await openSqliteTestLog();
    await from.log.append(one, [said("a", "1"), said("b", "2"), said("c", "3")]);
    await from.log.fork({ ...newFork("two"), at: parseEntryId("b") });
    await from.log.append(two, [said("d", "4")]);
    await importInto(to, await exportAll(from, format, "two"));
    expect(await headsOf(to)).toEqual({ two: (await headsOf(from)).two });
    await importInto(to, await exportAll(from, format, "one"));
    expect(await headsOf(to)).toEqual(await headsOf(from));
    expect((await to.log.list({ id: two })).sessions[0]?.forkedFrom).toEqual({ session: "one", entry: "b" });
  });

  it("carries what was scrubbed", async () => {
    await using from = await openWithSession(openSqliteTestLog);
    await using to = await openSqliteTestLog();
    await from.log.append(one, [said("a", "correct horse"), said("b", "2")]);
    await from.scrubber.replace(literalPattern("correct horse"), later(1));
    const text = await exportAll(from, format);
    expect(text).not.toContain("correct horse");
    await importInto(to, text);
    expect(await headsOf(to)).toEqual(await headsOf(from));
    expect(await verifyAll(to)).toEqual({ one: { scrubbed: 1, problem: null } });
  });
});

describe("an export in the format carryon", () => {
  it("may be joined with others, as cat does", async () => {
    await using from = await openWithSession(openSqliteTestLog);
    await using to = await openSqliteTestLog();
    await from.log.append(one, [said("a", "1")]);
    await from.log.open(newSession("two", from.project));
    await from.log.append(two, [said("b", "2")]);
    const [first, second] = [
      await exportAll(from, "carryon", "one"),
      await exportAll(from, "carryon", "two"),
    ];
    expect((await importInto(to, first + second)).sessions.map(({ type }) => type)).toEqual([
      "added",
      "added",
    ]);
    expect(await headsOf(to)).toEqual(await headsOf(from));
  });

  it("may be written by others, with white space, escapes and keys in another order", async () => {
    await using from = await openWithSession(openSqliteTestLog);
    await using to = await openSqliteTestLog();
    await from.log.append(one, [said("a", "grün 日本")]);
    const lines = (await exportAll(from, "carryon")).trim().split("\n");
    const spaced = lines.map((line) => {
      const value = Object.fromEntries(Object.entries(JSON.parse(line)).toReversed());
      const text = JSON.stringify(value, null, 1).replaceAll("\n", " ");
      return text.replace(
        /[^\x20-\x7e]/g,
        (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
      );
    });
    await importInto(to, `\uFEFF${spaced.join("\r\n\r\n")}`);
    expect(await headsOf(to)).toEqual(await headsOf(from));
  });

  it("refuses to pass a damaged session on", async () => {
    await using from = await openWithSession(openSqliteTestLog);
    await from.log.append(one, [said("a", "1")]);
    const { sessions } = await from.log.list();
    const damaged = {
      log: from.log,
      replica: {
        ...from.replica,
        read: async function* () {
          for await (const batch of from.replica.read(one))
            yield batch.map((entry) => ({ ...entry, body: '{"role":"user","parts":[]}' }));
        },
      },
    };
    const { exportSessions } = await import("../../src/formats/export-sessions.ts");
    const request = { format: "carryon", sessions, machine: "m", now: later(1) } as const;
    await expect(collect(exportSessions(damaged, request))).rejects.toMatchObject({ code: "export-damaged" });
  });

  it("keeps what comes before a bad line with --partial, and goes on from it when the whole file comes", async () => {
    await using from = await openWithSession(openSqliteTestLog);
    await using to = await openSqliteTestLog();
    await from.log.append(one, [said("a", "1"), said("b", "2"), said("c", "3")]);
    await from.log.fork({ ...newFork("two"), at: parseEntryId("b") });
    const text = await exportAll(from, "carryon", "two");
    const [header, first] = text.split("\n");
    const partial = { whenBad: "keep-whole-lines" } as const;
    const kept = await importInto(to, `${header}\n${first}\n{"seq":2`, partial);
    expect(kept).toMatchObject({ sessions: [{ type: "added", added: 1 }], problem: { where: "Line 3" } });
    expect(await verifyAll(to)).toEqual({ two: { scrubbed: 0, problem: null } });
    expect((await importInto(to, text)).sessions).toMatchObject([{ type: "extended", added: 1 }]);
    expect(await headsOf(to)).toEqual({ two: (await headsOf(from)).two });
    await expect(importInto(to, "{}", partial)).rejects.toMatchObject({ code: "bad-import" });
  });
});
