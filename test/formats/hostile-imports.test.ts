import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { AppError } from "../../src/lib/app-error.ts";
import type { LinkedEntry } from "../../src/sessions/replica.ts";
import { one, openWithSession, type TestLog } from "../contract/test-log.ts";
import { newFork, said } from "../support/entries.ts";
import { exportAll, headsOf, importInto } from "../support/exchange.ts";
import { relink } from "../support/linked-entries.ts";
import { openSqliteTestLog } from "../support/test-log.ts";

let to: TestLog;
let text = "";
let lines: readonly string[] = [];

beforeAll(async () => {
  to = await openSqliteTestLog();
  await using from = await openWithSession(openSqliteTestLog);
  await from.log.append(one, [said("a", "grün"), said("b", "2")]);
  await from.log.fork(newFork("two"));
  text = await exportAll(from, "carryon");
  lines = text.trimEnd().split("\n");
});
afterAll(() => to[Symbol.asyncDispose]());

/** Replaces fields of one line, which counts from 1. */
function changed(line: number, change: (value: Record<string, unknown>) => unknown): string {
  return lines
    .map((each, index) => (index === line - 1 ? JSON.stringify(change(JSON.parse(each))) : each))
    .join("\n");
}

const withText = (line: number, change: (text: string) => string) =>
  lines.map((each, index) => (index === line - 1 ? change(each) : each)).join("\n");

async function refusalOf(content: string | Uint8Array): Promise<{ code: string; message: string }> {
  try {
    await importInto(to, content);
  } catch (error) {
    if (error instanceof AppError) return { code: error.code, message: error.message };
    throw error;
  }
  throw new Error("It was imported.");
}

describe("an import of a bad file", () => {
  const inHeader = (fields: object) => () =>
    changed(1, (value) => ({ ...value, session: { ...(value.session as object), ...fields } }));
  it.each([
    { what: "nothing", make: () => "", says: "It is empty." },
    { what: "other text", make: () => "hello", says: "It is no export that Carryon knows." },
    { what: "other JSON", make: () => '{"a":1}', says: "It is no export that Carryon knows." },
    {
      what: "gzip",
      make: () => gzipSync("x".repeat(1e6)),
      says: "It is compressed with gzip.",
    },
    {
      what: "no UTF-8",
      make: () => Buffer.concat([Buffer.from(text), Buffer.from([0xff, 10])]),
      says: "Line 9: it is not valid UTF-8.",
    },
    {
      what: "a newer version",
      make: () => changed(1, (value) => ({ ...value, version: 2 })),
      says: "Line 1: it was written by a newer Carryon (version 2 of the format).",
    },
    {
      what: "an id with a path",
      make: inHeader({ id: "../../etc/passwd" }),
      says: "Line 1: it is no header of a session: session.id must be 1 to 128 letters, digits, - and _.",
    },
    {
      what: "a client without a name",
      make: inHeader({ client: "../evil" }),
      says: /^Line 1: it is no header of a session: session.client must be 1 to 128 letters/,
    },
    {
      what: "a record of documents",
      make: inHeader({ client: "carryon-handover" }),
      says: "Line 1: what Carryon wrote down of a project's documents is not imported.",
    },
    {
      what: "a secret for a machine",
      make: inHeader({ machine: `ghp_${"a1B2".repeat(9)}` }),
      says: "Line 1: session.machine must not be a secret.",
    },
    {
      what: "NUL in a folder",
      make: inHeader({ cwd: "/a\0b" }),
      says: "Line 1: it is no header of a session: session.cwd: must hold no NUL and no half characters.",
    },
    {
      what: "a field too many",
      make: inHeader({ shell: "rm" }),
      says: "Line 1: it is no header of a session: session: there is no field shell.",
    },
    {
      what: "__proto__ in a header",
      make: () => withText(1, (line) => line.replace("{", '{"__proto__":{"a":1},')),
      says: "Line 1: it is no header of a session: there is no field __proto__.",
    },
    {
      what: "__proto__ in an entry",
      make: () => withText(2, (line) => line.replace("{", '{"__proto__":{"a":1},')),
      says: "Line 2: there is no field __proto__.",
    },
    {
      what: "a key twice",
      make: () => withText(2, (line) => line.replace("{", '{"seq":7,')),
      says: 'Line 2: it has the key "seq" twice.',
    },
    {
      what: "a key twice in a body, with escapes",
      make: () => withText(2, (line) => line.replace('"role"', '"\\u0072ole":"tool","role"')),
      says: 'Line 2: it has the key "role" twice.',
    },
    {
      what: "a list for an entry",
      make: () => withText(2, () => "[]"),
      says: "Line 2: it is not an object.",
    },
    {
      what: "a number for an id",
      make: () => changed(2, (value) => ({ ...value, id: 7 })),
      says: "Line 2: id must be 1 to 128 letters, digits, - and _.",
    },
    {
      what: "a text for a number",
      make: () => changed(2, (value) => ({ ...value, seq: "1" })),
      says: "Line 2: seq must be a whole number from 1 on.",
    },
    {
      what: "a time that is none",
      make: () => changed(2, (value) => ({ ...value, at: "yesterday" })),
      says: "Line 2: at must be a time such as 2026-11-15T14:30:22.000Z.",
    },
    {
      what: "a body of another kind",
      make: () => changed(2, (value) => ({ ...value, body: { role: "user", parts: 5 } })),
      says: "Line 2: body: parts must be a list.",
    },
    {
      what: "no body",
      make: () => changed(2, ({ body: _body, ...value }) => value),
      says: "Line 2: body is missing.",
    },
    {
      what: "another text",
      make: () => withText(2, (line) => line.replace("grün", "rot")),
      says: "Line 2: its content does not match its hash.",
    },
    {
      what: "an entry left out",
      make: () => lines.filter((_, index) => index !== 1).join("\n"),
      says: "Line 2: it is entry 2, and 1 must follow.",
    },
    {
      what: "another head",
      make: () => changed(4, (value) => ({ ...value, head: "0".repeat(64) })),
      says: "Line 4: it is not the hash of the last entry.",
    },
    {
      what: "another count",
      make: () => changed(4, (value) => ({ ...value, entries: 3 })),
      says: "Line 4: it ends after 3 entries, and 2 came.",
    },
    {
      what: "another fork point",
      make: () =>
        changed(5, (value) => ({
          ...value,
          session: { ...(value.session as object), forkedFrom: { session: "one", entry: "a", seq: 2 } },
        })),
      says: "Line 7: it is not the one at which the session says it was forked.",
    },
    {
      what: "a session that was announced and is missing",
      make: () => lines.slice(0, 4).join("\n"),
      says: "The end: the file was cut off: its last line, the head of the chain, is missing.",
    },
    {
      what: "a body that was replaced without a note",
      make: replacedWithoutNote,
      says: "Line 4: the content of entry 1 was replaced, and no entry says so.",
    },
    {
      what: "brackets without end",
      make: () => `${lines[0]}\n${"[".repeat(1_000_000)}`,
      says: "Line 2: it is nested deeper than 72 levels.",
    },
    {
      what: "a deep body",
      make: () =>
        changed(2, (value) => ({
          ...value,
          kind: "odd",
          body: { a: JSON.parse(`${"[".repeat(65)}${"]".repeat(65)}`) },
        })),
      says: "Line 2: it is nested deeper than 64 levels.",
    },
    {
      what: "a document with brackets without end",
      make: () => `{"a":${"[".repeat(1_000_000)}`,
      says: "Line 1: it is nested deeper than 72 levels.",
    },
    {
      what: "a document that was cut off",
      make: () => '{"format":"carryon-json",\n"version":1,\n"sess',
      says: "Line 3: it is not valid JSON.",
    },
    {
      what: "a document with a key twice",
      make: () => '{"format":"carryon-json",\n"version":1,"version":1}',
      says: 'Line 2: it has the key "version" twice.',
    },
    {
      what: "a list for a session in a document",
      make: () =>
        '{"format":"carryon-json","version":1,"exportedAt":"2026-11-15T14:30:22.000Z","machine":"m","sessions":[[]]}',
      says: "Session 1: it must be an object.",
    },
  ])("says where and why: $what", async ({ make, says }) => {
    const { code, message } = await refusalOf(make());
    expect({ code, message }).toEqual({
      code: "bad-import",
      message: says instanceof RegExp ? expect.stringMatching(says) : says,
    });
    expect(await headsOf(to)).toEqual({});
  });

  it.each([
    { what: "an id that comes twice", id: "a", parent: "a", reason: "its id is that of another entry" },
    { what: "a parent that is missing", id: "b", parent: "zz", reason: "its parent does not come before it" },
  ])("says where and why, although every hash is right: $what", async ({ id, parent, reason }) => {
    const made = forge((entry, index) => (index === 0 ? entry : { ...entry, id, parent }));
    expect(await refusalOf(made)).toEqual({ code: "bad-import", message: `Line 3: ${reason}.` });
    expect(await headsOf(to)).toEqual({});
  });

  function replacedWithoutNote(): string {
    return forge((entry, index) => (index === 0 ? { ...entry, scrubbedFrom: "0".repeat(64) } : entry));
  }

  /** Changes the two entries of the first session, and links them into a chain of their own. */
  function forge(change: (entry: Record<string, unknown>, index: number) => Record<string, unknown>): string {
    const entries = lines.slice(1, 3).map((line, index) => change(JSON.parse(line), index));
    const linked = relink(
      entries.map((entry) => {
        const { at, body, scrubbedFrom = null } = entry;
        const read = { at: new Date(String(at)), body: JSON.stringify(body), scrubbedFrom };
        return { ...entry, ...read } as unknown as LinkedEntry;
      }),
    );
    const header = changed(1, (value) => ({ ...value, part: { number: 1, of: 1 } })).split("\n")[0];
    const rendered = entries.map((entry, index) => JSON.stringify({ ...entry, hash: linked[index]?.hash }));
    return [header, ...rendered, JSON.stringify({ head: linked.at(-1)?.hash, entries: 2 })].join("\n");
  }

  it("refuses a file that was cut off at any byte", async () => {
    const bytes = Buffer.from(text);
    // Without its last newline the file is whole.
    for (let length = 0; length < bytes.length - 1; length += 1)
      expect({ length, ...(await refusalOf(bytes.subarray(0, length))) }).toMatchObject({
        length,
        code: "bad-import",
      });
    expect(await headsOf(to)).toEqual({});
  });

  it("stops reading a line that is too long, and a file that is too large", async () => {
    let pulled = 0;
    const endless = {
      open: async function* () {
        yield Buffer.from(`${lines[0]}\n`);
        for (;;) {
          pulled += 1_000_000;
          yield Buffer.alloc(1_000_000, "x");
        }
      },
    };
    await expect(importInto(to, endless)).rejects.toMatchObject({
      message: "Line 2: it is longer than 8 MB.",
    });
    expect(pulled).toBeLessThan(20_000_000);
    const limits = { lineBytes: 8_000_000, totalBytes: text.length - 10, documentBytes: 100 };
    await expect(importInto(to, text, { limits })).rejects.toMatchObject({
      message: expect.stringMatching(/^Line \d: the file is larger than \d+ bytes\.$/),
    });
    await expect(importInto(to, `{${" ".repeat(200)}}`, { limits })).rejects.toMatchObject({
      message: expect.stringContaining("It is larger than 100 bytes"),
    });
    expect(await headsOf(to)).toEqual({});
  });
});
