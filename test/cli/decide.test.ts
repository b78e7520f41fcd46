import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Carryon, openCarryon } from "../support/run-carryon.ts";

const said = ["--context", "choosing", "--decision", "SQLite", "--reason", "nothing to set up"];
const full = [...said, "--impact", "none"];
const pathIn = (carryon: Carryon) =>
  join(carryon.folder, "work", ".claude", "sdd", "handover", "decisions.md");
/** Times are those of the machine, to the second. */
const withoutTime = (text: string) =>
  text.replace(/\d{4}-\d\d-\d\dT(?:\d\d:\d\d:\d\d|<clock>)\+00:00/g, "<when>");

describe("carryon decide", () => {
  // Seed 0: 4.1, 4.2, 4.3
  it("writes a decision down and answers with its number", async () => {
    await using carryon = await openCarryon();
    expect(await carryon.call(["decide", "user-decision", "Use\nSQLite", ...full])).toEqual({
      code: 0,
      stdout: "D1\n",
      stderr: "Written to <folder>/work/.claude/sdd/handover/decisions.md\n",
    });
    const { stdout, ...rest } = await carryon.call([
      ...["decide", "STEERING_EXCEPTION", "No tests", ...full, "--source", "lead"],
      ...["--steering-ref", "tech.md", "--json"],
    ]);
    expect(rest).toEqual({ code: 0, stderr: "" });
    expect(JSON.parse(withoutTime(stdout))).toEqual({
      decision: {
        ...{ seq: 2, at: "<when>", type: "STEERING_EXCEPTION", summary: "No tests", context: "choosing" },
        ...{ decision: "SQLite", reason: "nothing to set up", impact: "none", source: "lead" },
        steering_ref: "tech.md",
      },
    });
    expect(withoutTime(await readFile(pathIn(carryon), "utf8"))).toBe(
      [
        "[<when>] D1: USER_DECISION | Use SQLite",
        "- Context: choosing",
        "- Decision: SQLite",
        "- Reason: nothing to set up",
        "- Impact: none",
        "- Source: user",
        "",
        "[<when>] D2: STEERING_EXCEPTION | No tests",
        "- Context: choosing",
        "- Decision: SQLite",
        "- Reason: nothing to set up",
        "- Impact: none",
        "- Source: lead",
        "- Steering-ref: tech.md",
        "",
      ].join("\n"),
    );
  });

  // Seed 0: 4.5, 4.6, 7.3
  it("writes each of the eight types down, and leaves out what only beginnings and ends may lack", async () => {
    await using carryon = await openCarryon();
    const types = [
      ...["USER_DECISION", "STEERING_UPDATE", "DIRECTION_CHANGE", "ESCALATION_RESOLVED"],
      ...["STEERING_EXCEPTION", "REVISION_INITIATED", "SESSION_START", "SESSION_END"],
    ];
    for (const type of types) {
      const fields = type.startsWith("SESSION_") ? said.slice(0, 4) : full;
      const more = type === "STEERING_EXCEPTION" ? ["--steering-ref", "tech.md"] : [];
      await carryon.ask(["decide", type, `a ${type}`, ...fields, ...more]);
    }
    const entries = types.map((type, index) => {
      const isShort = type.startsWith("SESSION_");
      return [
        ...[`[<when>] D${index + 1}: ${type} | a ${type}`, "- Context: choosing", "- Decision: SQLite"],
        ...(isShort ? [] : ["- Reason: nothing to set up", "- Impact: none"]),
        "- Source: user",
        ...(type === "STEERING_EXCEPTION" ? ["- Steering-ref: tech.md"] : []),
      ];
    });
    expect(withoutTime(await readFile(pathIn(carryon), "utf8"))).toBe(
      entries.map((lines) => `${lines.join("\n")}\n`).join("\n"),
    );
  });

  // Seed 0: 4.3
  it.each([
    {
      case: "a field is missing",
      args: ["user-decision", "x", ...said],
      message: "A USER_DECISION needs the field Impact.",
      hint: "Say it with `--impact`.",
    },
    {
      case: "a field is blank",
      args: ["user-decision", "x", ...said, "--impact", " \n"],
      message: "A USER_DECISION needs the field Impact.",
      hint: "Say it with `--impact`.",
    },
    {
      case: "an exception names no steering",
      args: ["steering-exception", "x", ...full],
      message: "A STEERING_EXCEPTION needs the field Steering-ref.",
      hint: "Say it with `--steering-ref`.",
    },
    {
      case: "the summary is empty",
      args: ["user-decision", "", ...full],
      message: "A USER_DECISION needs the field Summary.",
      hint: "Say it in a few words.",
    },
    {
      case: "the type is not known",
      args: ["user-decison", "x", ...full],
      message: '"user-decison" is no type of decision.',
      hint: "Did you mean USER_DECISION?",
    },
  ])("makes nothing on disk when $case", async ({ args, message, hint }) => {
    await using carryon = await openCarryon();
    expect(await carryon.call(["decide", ...args])).toEqual({
      ...{ code: 2, stdout: "" },
      stderr: `carryon: ${message}\n  ${hint}\n`,
    });
    expect(await readdir(join(carryon.folder, "work"))).toEqual([]);
    expect(await readdir(carryon.folder)).not.toContain("home");
  });
});

describe("carryon decisions", () => {
  it("says that there are none", async () => {
    await using carryon = await openCarryon();
    expect(await carryon.call(["decisions"])).toEqual({
      ...{ code: 0, stdout: "" },
      stderr: "No decisions were found.\n",
    });
    expect((await carryon.call(["decisions", "--json"])).stdout).toBe('{"decisions":[],"elsewhere":[]}\n');
  });

  it("shows those that were asked for, in the order of the document", async () => {
    await using carryon = await openCarryon();
    await carryon.ask(["decide", "user-decision", "Use SQLite", ...full]);
    await carryon.ask(["decide", "session-start", "Begin", "--context", "c", "--decision", "d"]);
    await carryon.ask(["decide", "user-decision", "Use \u001b[31mred", ...full]);
    const { stdout } = await carryon.call(["decisions", "--last", "2"]);
    expect(withoutTime(stdout)).toBe(
      [
        "D2  Begin",
        "  SESSION_START  <when>",
        "  Context: c",
        "  Decision: d",
        "  Source: user",
        "",
        "D3  Use ^[[31mred",
        "  USER_DECISION  <when>",
        "  Context: choosing",
        "  Decision: SQLite",
        "  Reason: nothing to set up",
        "  Impact: none",
        "  Source: user",
        "",
      ].join("\n"),
    );
    const find = async (...args: readonly string[]) =>
      JSON.parse(await carryon.ask(["decisions", "--json", ...args])).decisions.map(
        ({ seq }: { seq: number }) => seq,
      );
    expect(await find()).toEqual([1, 2, 3]);
    expect(await find("--type", "user-decision")).toEqual([1, 3]);
    expect(await find("--grep", "sqlITE")).toEqual([1, 3]);
    expect(await find("--grep", "use sqlite", "--type", "user-decision", "--last", "1")).toEqual([1]);
    const { stdout: json } = await carryon.call([
      "decisions",
      "--last",
      "1",
      "--type",
      "session-start",
      "--json",
    ]);
    expect(JSON.parse(withoutTime(json))).toEqual({
      elsewhere: [],
      decisions: [
        {
          ...{ seq: 2, at: "<when>", type: "SESSION_START", summary: "Begin", context: "c", decision: "d" },
          ...{ reason: null, impact: null, source: "user", steering_ref: null },
        },
      ],
    });
  });
});

describe("what doctor says of decisions.md", () => {
  const examine = async (carryon: Carryon) => {
    const { code, stdout } = await carryon.call(["doctor", "--json"]);
    const { problems, notes } = JSON.parse(stdout);
    return { code, problems, notes };
  };
  const path = "<folder>/work/.claude/sdd/handover/decisions.md";
  const fine = { code: 0, problems: [], notes: [] };

  async function openWithTwo(): Promise<Carryon> {
    const carryon = await openCarryon();
    for (const summary of ["one", "two"]) await carryon.ask(["decide", "user-decision", summary, ...full]);
    return carryon;
  }

  it("is nothing while it only grew", async () => {
    await using carryon = await openWithTwo();
    expect(await examine(carryon)).toEqual(fine);
    await writeFile(
      pathIn(carryon),
      "\n[2026-01-01T00:00:00Z] D9: USER_DECISION | from elsewhere\n- Context: x\n",
      {
        flag: "a",
      },
    );
    expect(await examine(carryon)).toEqual(fine);
  });

  // Seed 0: 4.7
  it("names what was altered, until a later decision explains it", async () => {
    await using carryon = await openWithTwo();
    const text = await readFile(pathIn(carryon), "utf8");
    await writeFile(pathIn(carryon), text.replace("| one", "| other"));
    const hint =
      "Nothing was rewritten. Compare it with an older copy, such as one in git, and bring the old lines back; " +
      "or append a decision that names D1 and says what counts, with `carryon decide`.";
    expect(await examine(carryon)).toEqual({
      ...{ code: 74, notes: [] },
      problems: [{ what: `${path}: D1 says something else than was written here.`, hint }],
    });
    await carryon.ask(["decide", "user-decision", "D1 was made clearer", ...full]);
    expect(await examine(carryon)).toEqual(fine);
    await writeFile(pathIn(carryon), text);
    const { problems } = await examine(carryon);
    expect(await carryon.call(["decisions", "--restore"])).toEqual({ code: 0, stdout: "D3\n", stderr: "" });
    expect(await examine(carryon)).toEqual(fine);
    expect(await carryon.call(["decisions", "--restore", "--json"])).toMatchObject({
      stdout: '{"restored":[]}\n',
    });
    expect(problems).toEqual([
      {
        what: `${path}: D3 is gone after being written here.`,
        hint: "Nothing was rewritten. `carryon decisions --restore` appends them again from the log; or append a decision that names D3 and says what counts, with `carryon decide`.",
      },
    ]);
  });

  it("is only a note where other bytes changed than those of decisions", async () => {
    await using carryon = await openWithTwo();
    await writeFile(pathIn(carryon), `# Decisions\n\n${await readFile(pathIn(carryon), "utf8")}`);
    expect(await examine(carryon)).toEqual({
      ...{ code: 0, problems: [] },
      notes: [
        {
          what: `${path}: bytes before its end are not those that were written here.`,
          hint: "A git merge or another hand has changed it; `carryon decisions` shows it as it is.",
        },
      ],
    });
  });

  it("names marks and numbers that a git merge left, also where nothing was recorded", async () => {
    await using carryon = await openCarryon();
    await carryon.ask(["decide", "user-decision", "one", ...full]);
    const own = await readFile(pathIn(carryon), "utf8");
    const other = "[2026-01-01T00:00:00Z] D1: USER_DECISION | theirs\n- Context: x";
    await writeFile(pathIn(carryon), `<<<<<<< HEAD\n${own}=======\n${other}\n>>>>>>> them\n`);
    const repeated = {
      what: `${path}: more than one entry is D1, as after a git merge.`,
      hint: "Leave the numbers, because other documents refer to them: append a decision that names D1 and says what counts, with `carryon decide`.",
    };
    const merged = {
      what: `${path}: a git merge left its marks in line 1, 8, 11.`,
      hint: "Delete the lines of the marks, and keep the entries of both sides, each with its own fields below its first line: where git shows the fields once, write them below both. No number has to change.",
    };
    const elsewhere = { env: { CARRYON_HOME: join(carryon.folder, "other") } };
    const { stdout } = await carryon.call(["doctor", "--json"], elsewhere);
    expect(JSON.parse(stdout).problems).toEqual([merged, repeated]);
    await writeFile(pathIn(carryon), `${own}\n${other}\n`);
    expect(await examine(carryon)).toEqual({ code: 74, problems: [repeated], notes: [] });
    await carryon.ask(["decide", "user-decision", "Of D1, ours counts", ...full]);
    expect(await examine(carryon)).toEqual(fine);
  });

  it("names a document that is no text, and `carryon decisions` refuses to show it", async () => {
    await using carryon = await openCarryon();
    await carryon.ask(["decide", "user-decision", "one", ...full]);
    await writeFile(pathIn(carryon), Buffer.from("PK\0\u0001"));
    const what = `${path} cannot be read as a document: it is binary, or not UTF-8.`;
    const hint = "Move it away, or repair it; it was left as it is.";
    expect(await examine(carryon)).toEqual({ code: 74, problems: [{ what, hint }], notes: [] });
    expect(await carryon.call(["decisions"])).toEqual({
      ...{ code: 74, stdout: "" },
      stderr: `carryon: ${what}\n  ${hint}\n`,
    });
  });
});
