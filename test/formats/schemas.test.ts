import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { literalPattern } from "../../src/redaction/text-pattern.ts";
import { one, openWithSession, two } from "../contract/test-log.ts";
import { later, newFork, said } from "../support/entries.ts";
import { exportAll } from "../support/exchange.ts";
import { openSqliteTestLog } from "../support/test-log.ts";

const readerOf = (name: string) =>
  z.fromJSONSchema(JSON.parse(readFileSync(`docs/formats/schemas/${name}.json`, "utf8")));

async function exportIn(format: "carryon" | "json"): Promise<string> {
  await using test = await openWithSession(openSqliteTestLog);
  await test.log.append(one, [said("a", "a word"), said("b", "2")]);
  await test.log.fork(newFork("two"));
  await test.log.append(two, [said("c", "3")]);
  await test.scrubber.replace(literalPattern("a word"), later(1));
  return await exportAll(test, format);
}

describe("the published schemas of exports", () => {
  it("describe every line of the format carryon, and no other", async () => {
    const reader = readerOf("export-carryon");
    const lines = (await exportIn("carryon"))
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lines.filter((line) => !reader.safeParse(line).success)).toEqual([]);
    for (const line of lines) {
      expect(reader.safeParse({ ...line, more: 1 }).success).toBe(false);
      for (const key of Object.keys(line).filter((each) => each !== "scrubbedFrom")) {
        const { [key]: _gone, ...rest } = line;
        expect({ key, isRefused: !reader.safeParse(rest).success }).toEqual({ key, isRefused: true });
      }
    }
  });

  it("describe the document of the format json", async () => {
    const reader = readerOf("export-json");
    const document = JSON.parse(await exportIn("json"));
    expect(reader.safeParse(document).error?.issues ?? []).toEqual([]);
    for (const broken of [
      { ...document, version: 2 },
      { ...document, sessions: [{}] },
      { ...document, more: 1 },
    ])
      expect(reader.safeParse(broken).success).toBe(false);
  });
});
