import { readFile, rename, rm } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { briefParts, commitAll, put, trust } from "../support/brief-of.ts";
import { git } from "../support/git-repo.ts";
import { openTestHandover } from "../support/project-handover.ts";

describe("the brief", () => {
  it("names the next action of another branch as that branch's, and finds the own one in the log", async () => {
    await using test = await openTestHandover();
    const nextOf = async () =>
      Object.entries(await briefParts(test)).filter(([name]) => name.startsWith("Next action"));
    await test.handover.polish({ next: ["Ask Ada"] });
    await git(test.root, "switch", "--quiet", "--create", "feat");
    expect(await nextOf()).toEqual([["Next action on main", "Ask Ada"]]);
    // What is carried forward is still for the branch that it was given for.
    await test.handover.draft({ done: ["A first step"] });
    expect(await nextOf()).toEqual([["Next action on main", "Ask Ada"]]);
    await test.handover.draft({ next: "Write the parser" });
    expect(await nextOf()).toEqual([["Next action", "Write the parser"]]);
    await git(test.root, "switch", "--quiet", "main");
    expect(await nextOf()).toEqual([
      ["Next action", "Ask Ada"],
      ["Next action on feat", "Write the parser"],
    ]);
    await test.handover.draft({ next: "Ship it" });
    expect(await nextOf()).toEqual([["Next action", "Ship it"]]);
  });

  // Seed 0: 6.1, 6.8, E.1
  it("tells of a first session when there is no session.md, and writes nothing", async () => {
    await using test = await openTestHandover();
    const text = "There is no session.md: wait for the user's instruction.";
    expect(await briefParts(test)).toEqual({ "First session": text });
    await expect(readFile(test.handover.paths.decisions)).rejects.toMatchObject({ code: "ENOENT" });
  });

  // Seed 0: 6.2, 6.3, 6.5
  it("has all that the documents, the specs and their reviews say", async () => {
    await using test = await openTestHandover();
    await trust(test);
    const specs = ".claude/sdd/project/specs";
    await put(test, `${specs}/roadmap.md`, "# Roadmap\n");
    await put(
      test,
      `${specs}/login/spec.yaml`,
      "phase: blocked\nblocked_info: {blocked_by: keys, reason: none yet, blocked_at_phase: design}\nroadmap: {wave: 1}\n",
    );
    await put(test, `${specs}/shop/spec.yaml`, "phase: implementation-complete\nroadmap: {wave: 1}\n");
    await put(
      test,
      `${specs}/shop/verdicts.md`,
      "## [B1] design | 2026-11-15 | v1 | runs:1 | threshold:1/1\n### Tracked\n- F1: the old one\n\n## [B2] impl | 2026-11-16 | v1 | runs:1 | threshold:1/1\n### Tracked\n- F2: no index\n",
    );
    await test.decide("USER_DECISION", "Use SQLite");
    await test.handover.note([
      { tag: "PATTERN", text: "api: retry", source: "login Builder, task 1" },
      { tag: "PATTERN", text: "api: back off", source: "shop Builder, task 2" },
    ]);
    await test.handover.polish({ goal: "Ship", next: ["Ask Ada"], tone: ["calm"], warnings: ["beware"] });
    expect(await briefParts(test)).toEqual({
      "Next action": "Ask Ada",
      "What the specs call for": "Resolve what blocks login: keys, none yet",
      "Session goal": "Ship",
      Warnings: "- beware",
      "Open reviews": "shop [B2]: F2: no index",
      Specs: "login, wave 1: blocked by keys: none yet\nshop, wave 1: implementation-complete",
      "Decisions added in the last session": "1. Use SQLite (D1)",
      "Tone and nuance": "calm",
      "Latest decisions": "D1 2026-11-16T12:00:00+00:00 USER_DECISION: Use SQLite -- d",
      "Skill candidates": "**api**: Detected in login, shop (2 occurrences)",
      "Knowledge buffer":
        "[PATTERN] api: retry (source: login Builder, task 1)\n[PATTERN] api: back off (source: shop Builder, task 2)",
      "Modified files": ["login/spec.yaml", "roadmap.md", "shop/spec.yaml", "shop/verdicts.md"]
        .map((file) => `- \`${specs}/${file}\``)
        .join("\n"),
    });
  });

  // Seed 0: 6.6
  it("lists the specs only while a roadmap is active", async () => {
    await using test = await openTestHandover({ inGit: false });
    await trust(test);
    const specs = ".claude/sdd/project/specs";
    await put(test, `${specs}/login/spec.yaml`, "phase: initialized\nroadmap: {wave: 1}\n");
    expect(await briefParts(test)).not.toHaveProperty("Specs");
    await put(test, `${specs}/roadmap.md`, "# Roadmap\n");
    expect((await briefParts(test)).Specs).toBe("login, wave 1: initialized");
    await put(test, `${specs}/login/spec.yaml`, "phase: implementation-complete\nroadmap: {wave: 1}\n");
    expect(await briefParts(test)).not.toHaveProperty("Specs");
  });

  // Seed 0: 6.7, E.2
  it("begins a session once, and is the same before and after that", async () => {
    await using test = await openTestHandover();
    await test.handover.draft({ done: ["a"] });
    const first = await test.brief({ session: "abc" });
    expect(await test.handover.begin("abc")).toMatchObject({ seq: 1, type: "SESSION_START" });
    // The decision that it began gives decisions.md another stamp.
    expect({ ...(await test.brief({ session: "abc" })), stamp: first.stamp }).toEqual(first);
    expect(await test.handover.begin("abc")).toBeUndefined();
    expect(await test.handover.begin("other")).toMatchObject({ seq: 2 });
    expect((await test.handover.decisions()).map(({ context }) => context)).toEqual([
      "session abc",
      "session other",
    ]);
    await expect(test.handover.begin("no such\nid")).rejects.toMatchObject({ code: "invalid-id" });
  });

  // Seed 0: 6.4
  it("shows the last 20 decisions, the newest first", async () => {
    await using test = await openTestHandover();
    for (let seq = 1; seq <= 25; seq += 1) await test.decide("USER_DECISION", `number ${seq}`);
    const { "Latest decisions": latest = "" } = await briefParts(test);
    const shown = latest.split("\n").map((line) => Number(/^D(\d+)/.exec(line)?.[1]));
    expect(shown).toEqual(Array.from({ length: 20 }, (_, index) => 25 - index));
  });

  // Seed 0: 6.4
  it("shows decisions, however many sessions began and ended since, and knows that they are this user's", async () => {
    await using test = await openTestHandover();
    await test.decide("USER_DECISION", "Passkeys");
    // The log has two notes of each.
    for (let round = 1; round <= 60; round += 1) {
      await test.decide("SESSION_START", "begin");
      await test.decide("SESSION_END", "end");
    }
    await test.decide("DIRECTION_CHANGE", "Smaller");
    await test.handover.begin("abc");
    const { "Latest decisions": latest, ...others } = await briefParts(test);
    expect(latest?.split("\n")).toEqual([
      "D122 2026-11-16T12:00:00+00:00 DIRECTION_CHANGE: Smaller -- d",
      "D1 2026-11-16T12:00:00+00:00 USER_DECISION: Passkeys -- d",
    ]);
    expect(others).not.toHaveProperty("From outside");
  });

  it("does not show beginnings and ends of sessions as decisions, and keeps the numbers of the document", async () => {
    await using test = await openTestHandover();
    await test.decide("SESSION_START", "begin");
    expect(await briefParts(test)).not.toHaveProperty("Latest decisions");
    await test.decide("USER_DECISION", "Use SQLite");
    await test.decide("SESSION_END", "end");
    expect((await briefParts(test))["Latest decisions"]).toBe(
      "D2 2026-11-16T12:00:00+00:00 USER_DECISION: Use SQLite -- d",
    );
  });

  it("tells what changed in the repository since", async () => {
    await using test = await openTestHandover();
    for (const file of ["src/kept.ts", "src/gone.ts", "docs/named.md"]) await put(test, file, "x\n");
    await commitAll(test, "files");
    await put(test, "new.ts", "x\n");
    await put(test, "deleted.ts", "x\n");
    await git(test.root, "add", "deleted.ts");
    await rm(test.join("deleted.ts"));
    const warnings = ["see `docs/named.md` and `npm test`, `/etc/passwd`, `../x`, `src/never.ts`"];
    await test.handover.polish({ warnings, tone: ["`src/gone.ts` is ugly"] });
    expect(await briefParts(test)).not.toHaveProperty("Changes since");
    await rm(test.join("src/gone.ts"));
    await rename(test.join("docs/named.md"), test.join("docs/renamed.md"));
    await rm(test.join("new.ts"));
    await commitAll(test, "one");
    await put(test, "two", "");
    await commitAll(test, "two");
    await git(test.root, "checkout", "--quiet", "-b", "feature/x");
    expect((await briefParts(test))["Changes since"]).toBe(
      [
        "2 commits since session.md was written.",
        "The branch is `feature/x` now.",
        "new.ts is gone.",
        "docs/named.md is gone.",
        "src/gone.ts is gone.",
      ].join("\n"),
    );
    await git(test.root, "checkout", "--quiet", "--detach");
    expect((await briefParts(test))["Changes since"]).toContain("HEAD is detached now.");
  });

  it("takes a detached HEAD for no change when it was one before", async () => {
    await using test = await openTestHandover();
    await git(test.root, "checkout", "--quiet", "--detach");
    const { summary } = await test.handover.polish();
    expect([summary.branch, (await test.doc()).branch]).toEqual([undefined, "(detached HEAD)"]);
    expect(await briefParts(test)).not.toHaveProperty("Changes since");
    await git(test.root, "checkout", "--quiet", "main");
    expect((await briefParts(test))["Changes since"]).toBe("The branch is `main` now.");
    await test.handover.draft();
    expect((await test.doc()).branch).toBe("main");
  });

  it("finds files again whose names have line ends and escapes", async () => {
    await using test = await openTestHandover();
    const names = ["two\nlines", "red\u001b[31m", '"quoted"', "x`y"];
    for (const name of names) await put(test, name, "x\n");
    await test.handover.draft({ done: ["a"] });
    expect(await briefParts(test)).not.toHaveProperty("Changes since");
    for (const name of names) await rm(test.join(name));
    expect((await briefParts(test))["Changes since"]?.split("\n").sort()).toEqual([
      '"\\"quoted\\"" is gone.',
      '"red\\u001b[31m" is gone.',
      '"two\\nlines" is gone.',
      "x`y is gone.",
    ]);
  });

  it("goes on from a session's own draft while another's stands in session.md", async () => {
    await using test = await openTestHandover();
    await test.handover.draft({ session: "one", done: ["a"] });
    await test.handover.draft({ session: "two", done: ["b"] });
    expect((await briefParts(test, "one")).Accomplished).toBe("- a");
    expect((await briefParts(test, "two")).Accomplished).toBe("- a\n- b");
    expect((await briefParts(test, "three")).Accomplished).toBe("- a\n- b");
    expect((await briefParts(test)).Accomplished).toBe("- a\n- b");
  });

  it("names the marks of a merge, and numbers that there are not", async () => {
    await using test = await openTestHandover();
    await trust(test);
    await test.handover.polish({ decisions: [{ text: "see D9" }] });
    await test.write(`${await test.read()}<<<<<<< ours\n=======\n>>>>>>> theirs\n`);
    const { Problems = "" } = await briefParts(test);
    expect(Problems).toContain("session.md, line 41: a git merge left its mark here.");
    expect(Problems).toContain("there is no decision D9.");
  });

  it("keeps to its budget, most important first", async () => {
    await using test = await openTestHandover();
    await test.handover.polish({
      next: ["Do this first"],
      warnings: ["word ".repeat(5000)],
      tone: ["calm ".repeat(2000)],
    });
    for (const budget of [400, 1000, 2000]) {
      const { tokens, parts: shown } = await test.brief({ budget });
      expect(tokens).toBeLessThanOrEqual(budget);
      expect(shown[0]).toMatchObject({ name: "Next action", text: "Do this first" });
    }
    expect((await test.brief()).tokens).toBeLessThanOrEqual(2000);
  });
});
