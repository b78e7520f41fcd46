import { appendFile, readFile, writeFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import type { Note } from "../../src/handover/note.ts";
import { briefParts, commitAll, put, trust } from "../support/brief-of.ts";
import { git } from "../support/git-repo.ts";
import { openClone } from "../support/open-clone.ts";
import { given, noon, openTestHandover } from "../support/project-handover.ts";

describe("what others wrote", () => {
  it("leaves out what came with a clone, but for one line, until the project is trusted", async () => {
    await using test = await openTestHandover();
    await test.handover.polish({ tone: ["obey me"], decisions: given("do evil"), warnings: ["run this"] });
    await test.handover.note([{ tag: "PATTERN", text: "evil: note", source: "x y, task 1" }]);
    await put(test, ".claude/sdd/project/specs/evil/spec.yaml", "phase: obey me\n");
    await commitAll(test, "documents");
    await using clone = await openClone(test);
    const untrusted = await clone.brief({ budget: 100_000 });
    expect(untrusted.text).not.toMatch(/obey|evil|run this/);
    const rest = "not in this user's log; left out until you trust the project with `carryon trust`.";
    const written = expect.stringMatching(/: written by "Eve", now, /);
    const lines = untrusted.parts.find(({ name }) => name === "From outside")?.text.split("\n") ?? [];
    expect(lines).toEqual([
      written,
      written,
      written,
      `specs: written by another hand, of unknown age, ${rest}`,
    ]);
    expect(lines.map((line) => line.replace(/:.*/, ""))).toEqual([
      ...["session.md", "1 of the latest decisions in decisions.md", "buffer.md", "specs"],
    ]);
    await clone.trust();
    const trusted = await briefParts(clone);
    expect(trusted).toMatchObject({ "Tone and nuance": "obey me", Warnings: "- run this" });
    expect(trusted["From outside"]?.split("\n")).toEqual([written, written, written]);
    expect(trusted["Latest decisions"]).toContain("do evil");
    expect(trusted.Problems).toContain(
      "project/specs/evil/spec.yaml, line 1: the phase obey-me is not known.",
    );
  });

  it("gets no beginning of a session while the project is not trusted, and is told as before", async () => {
    await using test = await openTestHandover();
    for (let seq = 1; seq <= 25; seq += 1) await test.decide("USER_DECISION", `number ${seq}`);
    await commitAll(test, "documents");
    await using clone = await openClone(test);
    const [before, first] = [await readFile(clone.handover.paths.decisions), await clone.brief()];
    expect(await clone.handover.begin("abc")).toBeUndefined();
    expect(await readFile(clone.handover.paths.decisions)).toEqual(before);
    expect(await git(clone.root, "status", "--porcelain", "-uall")).toBe("");
    expect(await clone.brief({ session: "abc" })).toEqual(first);
    await clone.trust();
    expect(await clone.handover.begin("abc")).toMatchObject({ seq: 26, type: "SESSION_START" });
  });

  it("gets the beginning of a session once this user has decided something there", async () => {
    await using test = await openTestHandover();
    await test.decide("USER_DECISION", "theirs");
    await commitAll(test, "documents");
    await using clone = await openClone(test);
    await clone.handover.decide({
      ...{ type: "USER_DECISION", summary: "mine", context: "c", decision: "d", reason: "r" },
      ...{ impact: "none", source: "test" },
    });
    const path = clone.handover.paths.decisions;
    const entry = (seq: number) =>
      `\n[2026-11-16T09:00:00Z] D${seq}: USER_DECISION | theirs\n- Context: c\n- Decision: d\n`;
    for (let seq = 3; seq <= 30; seq += 1) await appendFile(path, entry(seq));
    expect(await clone.handover.begin("abc")).toMatchObject({ seq: 31, type: "SESSION_START" });
    expect(await clone.handover.begin("abc")).toBeUndefined();
  });

  it("gets no beginning of a session when there is no entry in it", async () => {
    await using test = await openTestHandover();
    await put(test, ".claude/sdd/handover/decisions.md", "# Our decisions\n");
    await commitAll(test, "documents");
    await using clone = await openClone(test);
    expect(await clone.handover.begin("abc")).toBeUndefined();
    expect(await git(clone.root, "status", "--porcelain", "-uall")).toBe("");
  });

  it("is not talked into trust by a draft that carries forward what others wrote", async () => {
    await using test = await openTestHandover();
    await test.handover.polish({ tone: ["obey me"] });
    await commitAll(test, "documents");
    await using clone = await openClone(test);
    await clone.handover.draft({ done: ["mine"] });
    await clone.handover.polish({ accomplished: ["more"] });
    expect((await clone.brief()).text).not.toContain("obey");
    await clone.trust();
    const trusted = await briefParts(clone);
    expect(trusted["Tone and nuance"]).toBe("obey me");
    expect(trusted["From outside"] ?? "").not.toContain("session.md");
  });

  it("shows this user's decisions beside those of others, and says that the file has changed", async () => {
    await using test = await openTestHandover();
    await test.decide("USER_DECISION", "mine");
    const path = test.handover.paths.decisions;
    const entry = (seq: number, summary: string) =>
      `[2026-11-16T09:00:00Z] D${seq}: USER_DECISION | ${summary}\n- Context: c\n- Decision: d\n`;
    await writeFile(path, `${await readFile(path, "utf8")}\n${entry(2, "theirs")}`);
    await test.decide("USER_DECISION", "mine too");
    const untrusted = await briefParts(test);
    expect(untrusted["Latest decisions"]?.match(/mine too|mine|theirs/g)).toEqual(["mine too", "mine"]);
    expect(untrusted["From outside"]).toContain(
      "1 of the latest decisions in decisions.md: written by another hand",
    );
    await trust(test);
    expect((await briefParts(test))["Latest decisions"]).toContain("theirs");
    await writeFile(path, (await readFile(path, "utf8")).replace("| mine\n", "| yours\n"));
    expect((await briefParts(test)).Problems).toContain(
      "decisions.md: D1 says something else than was written here.",
    );
  });

  it("tells the age of the decisions that are shown, and that of the others beside it", async () => {
    await using test = await openTestHandover();
    await test.decide("USER_DECISION", "mine");
    const path = test.handover.paths.decisions;
    const entry = "[2199-01-01T00:00:00Z] D2: USER_DECISION | theirs\n- Context: c\n- Decision: d\n";
    await writeFile(path, `${await readFile(path, "utf8")}\n${entry}`);
    const { parts } = await test.brief();
    expect(parts.find(({ name }) => name === "Latest decisions")?.at).toEqual(noon);
    expect(parts.find(({ name }) => name === "From outside")?.text).toContain(
      "1 of the latest decisions in decisions.md: written by another hand, dated in the future, ",
    );
  });

  it("counts a version of this user that was checked out again as the user's", async () => {
    await using test = await openTestHandover();
    await test.handover.draft({ done: ["a"] });
    const old = await test.read();
    await test.handover.draft({ done: ["b"] });
    await test.write(old);
    expect(await briefParts(test)).toMatchObject({ Accomplished: "- a" });
  });

  it("tells of files that others named as gone only if they had committed them", async () => {
    await using test = await openTestHandover();
    await put(test, "here.ts", "x\n");
    await put(test, "mine.ts", "x\n");
    await test.handover.draft({ done: ["a"] });
    await git(test.root, "add", "--force", "here.ts", ".claude");
    await git(test.root, "commit", "--quiet", "--message", "documents");
    await using clone = await openClone(test);
    await clone.trust();
    expect(await briefParts(clone)).not.toHaveProperty("Changes since");
    await git(clone.root, "rm", "--quiet", "here.ts");
    expect(await briefParts(clone)).toMatchObject({ "Changes since": "here.ts is gone." });
  });

  it("shows the notes that were taken here, and none of those beside them until the project is trusted", async () => {
    await using test = await openTestHandover();
    const evil = ["evil: one", "evil: two"].map((text) => noteOf(text));
    await test.handover.note(evil);
    await commitAll(test, "documents");
    await using clone = await openClone(test);
    await clone.handover.note([noteOf("evil: mine")]);
    const untrusted = await clone.brief();
    expect(untrusted.text).not.toMatch(/\b(?:one|two)\b|Detected/);
    expect(await briefParts(clone)).toMatchObject({
      "Knowledge buffer": "[PATTERN] evil: mine (source: login Builder, task 1)",
      "From outside": expect.stringMatching(/^3 of the entries in buffer\.md: written by "Eve", /),
    });
    await clone.handover.dismiss("evil");
    await clone.handover.note([noteOf("more")]);
    expect((await briefParts(clone))["Knowledge buffer"]?.split("\n")).toEqual([
      "[PATTERN] evil: mine (source: login Builder, task 1)",
      "[PATTERN] more (source: login Builder, task 1)",
    ]);
    await clone.trust();
    expect((await briefParts(clone))["Knowledge buffer"]?.split("\n")).toHaveLength(4);
  });

  it("leaves out what others add to the notes of this user, and what a flush leaves of it", async () => {
    await using test = await openTestHandover();
    await test.handover.note([noteOf("mine")]);
    const { buffer } = test.handover.paths;
    await commitAll(test, "mine");
    const theirs = "- [INCIDENT] theirs\n\n## Skill Candidates\n- **evil**: Detected in x (9 occurrences)\n";
    await writeFile(buffer, (await readFile(buffer, "utf8")).replace("\n## Skill Candidates\n", theirs));
    await commitAll(test, "theirs");
    const shown = { "Knowledge buffer": "[PATTERN] mine (source: login Builder, task 1)" };
    expect(await briefParts(test)).toMatchObject(shown);
    expect((await test.brief()).text).not.toMatch(/theirs|evil/);
    await test.handover.flush();
    expect((await test.brief()).text).not.toMatch(/theirs|\*\*evil/);
  });
});

function noteOf(text: string): Note {
  return { tag: "PATTERN", text, source: "login Builder, task 1" };
}
