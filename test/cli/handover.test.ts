import { appendFile, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { recordPrompt } from "../support/record-prompt.ts";
import { type Carryon, openCarryon } from "../support/run-carryon.ts";

const path = "<folder>/work/.claude/sdd/handover/session.md";
const read = (carryon: Carryon) => readFile(path.replace("<folder>", carryon.folder), "utf8");
const withoutDay = (text: string) => text.replace(/(?<=\*\*Generated\*\*: )[\d-]{10}/g, "<day>");

const drafted = `# Session Handover
**Generated**: <day>
**Session Goal**: Ship
**Mode**: auto-draft

## Direction
### Immediate Next Action
Ask Ada

### Active Goals
- all of it

### Key Decisions
**Continuing from previous sessions:**
None

**Added this session:**
None

### Warnings
None

## Session Context
### Tone and Nuance
None

### Steering Exceptions
None

## Accomplished
- one
- two

### Modified Files
- \`a.ts\`
- \`src/b.ts\`

## Resume Instructions
1. Read this file.
2. Ask Ada
`;
const draft = [
  ...["handover", "draft", "--command", "design", "--done", "one", "--done", "two", "--next", "Ask Ada"],
  ...["--goal", "Ship", "--goals", "- all of it", "--file", "./a.ts", "--file", "src/b.ts"],
];

describe("carryon handover", () => {
  it.each([{ args: ["draft"] }, { args: ["--no-ask"] }])(
    "knows what the client has written since the last sync: $args",
    async ({ args }) => {
      await using carryon = await openCarryon();
      const session = "11111111-1111-4111-8111-111111111111";
      const transcript = await recordPrompt(carryon, session, "Add a discount to the basket");
      await mkdir(join(carryon.folder, "home", "bin"), { recursive: true, mode: 0o700 });
      await writeFile(join(carryon.folder, "home", "bin", "carryon.json"), "{}");
      const [first = ""] = (await readFile(transcript, "utf8")).split("\n");
      const row = (type: string, number: number, content: readonly object[]) => ({
        ...{ ...JSON.parse(first), type, uuid: `row-${number}`, parentUuid: `row-${number - 1}` },
        ...{ timestamp: `2026-11-15T12:0${number}:00.000Z`, message: { role: type, content } },
      });
      const call = { type: "tool_use", id: "toolu_1", name: "Edit", input: { file_path: "a.ts" } };
      const rows = [
        row("assistant", 2, [call]),
        row("user", 3, [{ type: "tool_result", tool_use_id: "toolu_1", content: "Updated." }]),
        row("assistant", 4, [{ type: "text", text: "It is in. Shall it be rounded?" }]),
      ];
      await appendFile(transcript, rows.map((each) => `${JSON.stringify(each)}\n`).join(""));
      expect((await carryon.call(["handover", ...args])).code).toBe(0);
      expect(await read(carryon)).toContain("Shall it be rounded?");
    },
  );
});

describe("carryon handover draft", () => {
  // Seed 0: 1.5
  it("writes session.md, and leaves it as it is when there is nothing new", async () => {
    await using carryon = await openCarryon();
    expect(await carryon.run(draft)).toEqual({ code: 0, stdout: `${path}\n`, stderr: "" });
    expect(withoutDay(await read(carryon))).toBe(drafted);
    expect(await carryon.call(["handover", "draft"])).toEqual({
      code: 0,
      stdout: `${path}\n`,
      stderr: "Nothing new; it was left as it is.\n",
    });
    expect(withoutDay(await read(carryon))).toBe(drafted);
  });

  it("names the command where nobody says what was done, and what is wrong with the document", async () => {
    await using carryon = await openCarryon();
    await carryon.ask(["handover", "draft", "--command", "impl"]);
    const before = await read(carryon);
    expect(before).toContain("## Accomplished\n- /sdd-impl\n");
    await writeFile(
      join(carryon.folder, "work", ".claude", "sdd", "handover", "session.md"),
      before.replace("session:**\nNone", "session:**\n1. gone (D9)"),
    );
    const stderr = "Line 18: there is no decision D9.\n";
    expect(await carryon.call(["handover", "draft", "--done", "x"])).toEqual({
      ...{ code: 0, stdout: `${path}\n`, stderr },
    });
    const { stdout } = await carryon.call(["handover", "draft", "--json"]);
    expect(JSON.parse(stdout)).toEqual({
      ...{ path, changed: false, unlistedFiles: 0 },
      problems: [{ code: "unknown-decision", line: 18, message: "there is no decision D9" }],
    });
  });

  // Seed 0: 1.1, 1.4, 7.1
  it.each(["design", "impl", "review", "roadmap", "steering"])(
    "tells that the command %s has completed, and archives nothing",
    async (name) => {
      await using carryon = await openCarryon();
      await carryon.ask(["handover", "draft", "--done", "before"]);
      await carryon.ask(["handover", "draft", "--command", name]);
      const text = await read(carryon);
      expect(text).toContain("**Mode**: auto-draft\n");
      expect(text).toContain(`## Accomplished\n- before\n- /sdd-${name}\n`);
      const files = await readdir(join(carryon.folder, "work", ".claude", "sdd", "handover"));
      expect(files.filter((each) => !each.startsWith("."))).toEqual(["session.md"]);
    },
  );

  it("refuses the name of another command", async () => {
    await using carryon = await openCarryon();
    const { code, stderr } = await carryon.call(["handover", "draft", "--command", "deploy"]);
    expect([code, stderr]).toEqual([2, expect.stringContaining("design, impl, review, roadmap, steering")]);
    expect(await readdir(join(carryon.folder, "work"))).toEqual([]);
  });
});

describe("carryon handover --history", () => {
  it("shows every version, the newest first", async () => {
    await using carryon = await openCarryon();
    const nothing = { code: 0, stdout: "", stderr: "No version of session.md is in the log.\n" };
    expect(await carryon.call(["handover", "--history"])).toEqual(nothing);
    expect(await readdir(carryon.folder)).not.toContain("home");
    await carryon.ask(draft);
    await carryon.ask(["handover", "draft", "--goal", "Ship it"]);
    const { code, stdout, stderr } = await carryon.call(["handover", "--history"]);
    const newer = drafted.replace("Goal**: Ship", "Goal**: Ship it");
    const head = "<time>  written  <short>\n";
    expect({ code, stderr, text: withoutDay(stdout).replace(/\b[0-9a-f]{12}$/gm, "<short>") }).toEqual({
      ...{ code: 0, stderr: "", text: `${head}${newer}\n${head}${drafted}` },
    });
    const { stdout: json } = await carryon.call(["handover", "--history", "--json"]);
    const version = { at: "<time>", origin: "written", sha256: "<hash>" };
    expect(JSON.parse(withoutDay(json))).toEqual({
      versions: [newer, drafted].map((text) => ({ ...version, text })),
    });
  });
});
