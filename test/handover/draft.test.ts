import { appendFile, mkdir, readFile, rm, symlink, utimes, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { describe, expect, it } from "vitest";
import { renderSession } from "../../src/handover/session/rewrite-session.ts";
import { emptySession } from "../../src/handover/session-doc.ts";
import { trust } from "../support/brief-of.ts";
import { git } from "../support/git-repo.ts";
import { noon, openTestHandover } from "../support/project-handover.ts";

describe("a draft", () => {
  // Seed 0: 3.4
  it("is made of git, the decisions of this session and the specs", async () => {
    await using test = await openTestHandover();
    await test.decide("USER_DECISION", "before");
    await test.decide("SESSION_START", "begin");
    await writeFile(test.join("committed.ts"), "");
    await git(test.root, "add", ".");
    await git(test.root, "commit", "--quiet", "--message", "second");
    await test.decide("USER_DECISION", "Use SQLite");
    await mkdir(test.join(".claude/sdd/project/specs/login"), { recursive: true });
    await mkdir(test.join(".claude/sdd/project/steering"), { recursive: true });
    await writeFile(test.join(".claude/sdd/project/specs/login/spec.yaml"), "phase: initialized\n");
    await writeFile(test.join(".claude/sdd/project/steering/tech.md"), "");
    const later = new Date(noon.getTime() + 5000);
    await utimes(test.join(".claude/sdd/project/steering/tech.md"), later, later);
    const { isChanged, problems, unlisted, text } = await test.handover.draft({ done: ["began"] });
    expect({ isChanged, problems, unlisted }).toEqual({ isChanged: true, problems: [], unlisted: 0 });
    expect(text).toBe(await test.read());
    expect(await test.doc()).toEqual({
      ...emptySession,
      ...{ generated: "2026-11-16", branch: "main", mode: "auto-draft", nextAction: "/sdd-design login" },
      added: "1. Use SQLite (D3)",
      warnings: "- steering/tech.md changed and no STEERING_UPDATE says why.",
      accomplished: "- began",
      modifiedFiles: [
        "- `.claude/sdd/project/specs/login/spec.yaml`",
        "- `.claude/sdd/project/steering/tech.md`",
        "- `committed.ts`",
      ].join("\n"),
      resume: "1. Read this file.\n2. /sdd-design login",
    });
  });

  it("lists what was committed since the session began, however much was decided since", async () => {
    await using test = await openTestHandover();
    await test.decide("USER_DECISION", "before");
    await test.decide("SESSION_START", "begin");
    await writeFile(test.join("committed.ts"), "");
    await git(test.root, "add", ".");
    await git(test.root, "commit", "--quiet", "--message", "second");
    for (let number = 0; number < 60; number += 1) await test.decide("USER_DECISION", `number ${number}`);
    await test.handover.draft();
    expect((await test.doc()).modifiedFiles).toBe("- `committed.ts`");
  });

  it("lists what is not committed when another hand wrote that the session began", async () => {
    await using test = await openTestHandover();
    await test.decide("SESSION_START", "begin");
    await writeFile(test.join("committed.ts"), "");
    await git(test.root, "add", ".");
    await git(test.root, "commit", "--quiet", "--message", "second");
    await appendFile(test.handover.paths.decisions, "\n[2026-11-16T12:00:00Z] D2: SESSION_START | again\n");
    await writeFile(test.join("new.ts"), "");
    await test.handover.draft();
    expect((await test.doc()).modifiedFiles).toBe("- `new.ts`");
  });

  it("changes nothing when nothing is new, and adds nothing to the log", async () => {
    await using test = await openTestHandover();
    await test.decide("SESSION_START", "begin");
    const request = { done: ["a"], next: "Ask Ada", goal: "Ship", files: ["x.ts"] };
    const { text } = await test.handover.draft(request);
    for (const again of [request, {}]) {
      expect(await test.handover.draft(again)).toEqual({ isChanged: false, text, problems: [], unlisted: 0 });
    }
    expect(await test.history()).toEqual([["written", text]]);
  });

  it("lists the last decisions where no session is known to have begun, however many ended", async () => {
    await using test = await openTestHandover();
    await test.decide("USER_DECISION", "one");
    for (let round = 1; round <= 25; round += 1) await test.decide("SESSION_END", "end");
    await test.handover.draft();
    expect((await test.doc()).added).toBe("1. one (D1)");
  });

  // Seed 0: 1.2
  it("begins anew in a new session, and keeps what holds on", async () => {
    await using test = await openTestHandover();
    await test.decide("SESSION_START", "begin");
    await test.decide("USER_DECISION", "one");
    await test.handover.draft({ done: ["a"], goal: "Ship", activeGoals: "- all", files: ["x.ts"] });
    await test.decide("SESSION_START", "again");
    await test.decide("USER_DECISION", "two");
    await test.handover.draft({ done: ["b"] });
    const { continuing, added, accomplished, modifiedFiles, goal, activeGoals } = await test.doc();
    expect({ continuing, added, accomplished, modifiedFiles, goal, activeGoals }).toEqual({
      ...{ continuing: "1. one (D2)", added: "1. two (D4)", accomplished: "- b", modifiedFiles: "" },
      ...{ goal: "Ship", activeGoals: "- all" },
    });
    expect((await test.handover.draft({})).isChanged).toBe(false);
  });

  // Seed 0: 1.6
  it("tells what to resolve when a spec of the pipeline is blocked", async () => {
    await using test = await openTestHandover({ inGit: false });
    await trust(test);
    await mkdir(test.join(".claude/sdd/project/specs/login"), { recursive: true });
    const spec = test.join(".claude/sdd/project/specs/login/spec.yaml");
    await writeFile(spec, "phase: design-generated\n");
    await test.handover.draft();
    expect((await test.doc()).nextAction).toBe("/sdd-impl login");
    await writeFile(spec, "phase: blocked\nblocked_info: {blocked_by: keys, reason: no schema}\n");
    await test.handover.draft();
    expect(await test.doc()).toMatchObject({
      ...{ mode: "auto-draft", nextAction: "Resolve what blocks login: keys, no schema" },
    });
  });

  it("keeps a text that another hand wrote in the log before it takes its place", async () => {
    await using test = await openTestHandover();
    const polished = renderSession({ ...emptySession, goal: "Ship", tone: "short", added: "1. one (D9)" });
    await test.write(polished);
    const { text, problems } = await test.handover.draft({ done: ["a"] });
    expect(problems).toMatchObject([{ code: "unknown-decision", message: "there is no decision D9" }]);
    const edited = text.replace("short", "shorter");
    await test.write(edited);
    const { text: last } = await test.handover.draft({ done: ["b"] });
    expect(await test.history()).toEqual([
      ["found", polished],
      ["written", text],
      ["found", edited],
      ["written", last],
    ]);
    expect((await test.doc()).tone).toBe("shorter");
  });

  it("takes a document that is younger than the last beginning for one of this session", async () => {
    await using test = await openTestHandover();
    await test.decide("SESSION_START", "begin");
    const own = renderSession({ ...emptySession, added: "1. one (D7)" });
    for (const { seconds, continuing } of [
      { seconds: 5, continuing: "" },
      { seconds: -5, continuing: "1. one (D7)" },
    ]) {
      await test.write(own);
      const at = new Date(noon.getTime() + seconds * 1000);
      await utimes(test.path, at, at);
      await test.handover.draft();
      expect((await test.doc()).continuing).toBe(continuing);
    }
  });

  // Seed 0: E.4, E.5
  it("needs no git and no specs", async () => {
    await using test = await openTestHandover({ inGit: false });
    await test.handover.draft({ done: ["a"], files: ["x.ts"] });
    expect(await test.doc()).toEqual({
      ...emptySession,
      ...{ generated: "2026-11-16", mode: "auto-draft", nextAction: "Wait for the user's instruction." },
      ...{ accomplished: "- a", modifiedFiles: "- `x.ts`" },
      resume: "1. Read this file.\n2. Wait for the user's instruction.",
    });
    expect((await test.handover.draft({})).isChanged).toBe(false);
  });

  it("does not list the documents of the handover, also where they are committed", async () => {
    await using test = await openTestHandover();
    await mkdir(dirname(test.path), { recursive: true });
    await writeFile(test.join("a.ts"), "");
    await test.decide("SESSION_START", "begin");
    expect(await git(test.root, "status", "--porcelain", "--untracked-files=all")).toContain("decisions.md");
    await test.handover.draft();
    expect((await test.doc()).modifiedFiles).toBe("- `a.ts`");
  });

  it("lists 500 files, and says how many there are besides", async () => {
    await using test = await openTestHandover();
    await Promise.all(Array.from({ length: 503 }, (_, index) => writeFile(test.join(`f${index}`), "")));
    expect((await test.handover.draft()).unlisted).toBe(3);
  });

  it.each([
    { case: "an unfinished merge", text: "<<<<<<< a\n=======\n>>>>>>> b\n", code: "unfinished-merge" },
    { case: "binary content", text: "a\0b", code: "document-unreadable" },
  ])("leaves $case as it is", async ({ text, code }) => {
    await using test = await openTestHandover();
    await test.write(text);
    await expect(test.handover.draft({ done: ["a"] })).rejects.toMatchObject({ code });
    expect(await test.read()).toBe(text);
  });

  it("refuses a symbolic link", async () => {
    await using test = await openTestHandover();
    await test.write("");
    await writeFile(test.join("victim"), "precious");
    await rm(test.path);
    await symlink(test.join("victim"), test.path);
    await expect(test.handover.draft()).rejects.toMatchObject({ code: "symlink-refused" });
    expect(await readFile(test.join("victim"), "utf8")).toBe("precious");
  });
});
