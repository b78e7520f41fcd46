import { mkdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { describe, expect, it } from "vitest";
import { parseDecisions } from "../../../src/handover/decisions/parse-decisions.ts";
import { locateHandover } from "../../../src/handover/handover-folder.ts";
import { startChild } from "../../support/child.ts";
import { tempDir } from "../../support/temp-dir.ts";
import { clock, decide, given, pathIn, start } from "./decide.ts";

describe("appendDecision", () => {
  it("makes the file, and numbers from 1", async () => {
    await using dir = await tempDir();
    const { decision } = await decide(dir);
    await decide(dir, { ...start, type: "SESSION_END", summary: "the\nend" });
    const time = decision.at;
    expect(new Date(time)).toEqual(clock.now());
    expect(await readFile(pathIn(dir), "utf8")).toBe(
      [
        `[${time}] D1: SESSION_START | a session`,
        "- Context: it begins",
        "- Decision: go on",
        "- Source: test",
        "",
        `[${time}] D2: SESSION_END | the end`,
        "- Context: it begins",
        "- Decision: go on",
        "- Source: test",
        "",
      ].join("\n"),
    );
    expect((await stat(pathIn(dir))).mode & 0o777).toBe(0o600);
  });

  it.each([
    {
      case: "after the highest number, wherever it stands",
      content: "[x] D9: A | b\n\n[x] D3: A | b\n",
      seq: 10,
      lead: "\n",
    },
    {
      case: "after an entry that was cut off, on a line of its own",
      content: "[x] D4: USER_DEC",
      seq: 5,
      lead: "\n\n",
    },
    { case: "after a blank line that is there", content: "[x] D4: A | b\n\n", seq: 5, lead: "" },
    { case: "after a blank line alone", content: "\n", seq: 1, lead: "" },
    { case: "after text that is no entry", content: "# Decisions", seq: 1, lead: "\n\n" },
    { case: "inside of an open fence", content: "```\n[x] D2: A | b\n", seq: 3, lead: "\n" },
  ])("appends $case", async ({ content, seq, lead }) => {
    await using dir = await tempDir();
    await given(dir, content);
    const { decision } = await decide(dir);
    expect(decision.seq).toBe(seq);
    const text = await readFile(pathIn(dir), "utf8");
    expect(text.startsWith(`${content}${lead}[${decision.at}] D${seq}: `)).toBe(true);
  });

  it("goes on in the line endings of the file", async () => {
    await using dir = await tempDir();
    await given(dir, "[x] D1: A | b\r\n- Context: c\r\n");
    await decide(dir);
    const text = await readFile(pathIn(dir), "utf8");
    expect(text.match(/(?<!\r)\n/g)).toBeNull();
    expect(parseDecisions(text).decisions.map(({ seq, context }) => [seq, context])).toEqual([
      [1, "c"],
      [2, "it begins"],
    ]);
  });

  it("writes nothing when a field is missing", async () => {
    await using dir = await tempDir();
    await expect(decide(dir, { ...start, type: "USER_DECISION" })).rejects.toMatchObject({
      code: "missing-field",
    });
    await expect(readFile(pathIn(dir))).rejects.toMatchObject({ code: "ENOENT" });
  });

  it.each([
    { case: "binary content", content: Uint8Array.of(0x50, 0x4b, 0, 1) },
    { case: "text that is not UTF-8", content: Uint8Array.of(0x63, 0x61, 0x66, 0xe9, 0x0a) },
    { case: "half a character at its end", content: Buffer.from("あ").subarray(0, 2) },
  ])("refuses $case and leaves it as it is", async ({ content }) => {
    await using dir = await tempDir();
    await given(dir, content);
    await expect(decide(dir)).rejects.toMatchObject({ kind: "io", code: "document-unreadable" });
    expect(new Uint8Array(await readFile(pathIn(dir)))).toEqual(new Uint8Array(content));
  });

  it("refuses a symbolic link, and leaves its target alone", async () => {
    await using dir = await tempDir();
    await given(dir, "");
    await writeFile(dir.join("victim"), "precious");
    await using other = await tempDir();
    await mkdir(dirname(pathIn(other)), { recursive: true });
    await symlink(dir.join("victim"), pathIn(other));
    await expect(decide(other)).rejects.toMatchObject({ code: "symlink-refused" });
    expect(await readFile(dir.join("victim"), "utf8")).toBe("precious");
  });

  it("refuses a folder on the way that is a symbolic link", async () => {
    await using dir = await tempDir();
    await using outside = await tempDir();
    await symlink(outside.path, dir.join(".claude"));
    await expect(decide(dir)).rejects.toMatchObject({ code: "symlink-refused", path: dir.join(".claude") });
  });

  it("refuses a file on the way where a folder should be", async () => {
    await using dir = await tempDir();
    await writeFile(dir.join(".claude"), "");
    await expect(decide(dir)).rejects.toMatchObject({ code: "not-a-folder", path: dir.join(".claude") });
  });

  it("gives processes that append at once consecutive numbers", async () => {
    await using dir = await tempDir();
    const children = Array.from({ length: 8 }, (_, index) =>
      startChild("decide-child.ts", dir.path, "1", `child-${index}`),
    );
    const numbers = await Promise.all(children.map(async (child) => Number(await child.next())));
    for (const child of children) expect(await child.ended()).toBe(0);
    expect(numbers.toSorted((one, other) => one - other)).toEqual(
      Array.from({ length: 8 }, (_, index) => index + 1),
    );
    const text = await readFile(locateHandover({ root: dir.path, sddDir: ".sdd" }).decisions, "utf8");
    const { decisions, problems } = parseDecisions(text);
    expect(problems).toEqual([]);
    expect(decisions.map(({ seq }) => seq)).toEqual(Array.from({ length: 8 }, (_, index) => index + 1));
  });
});
