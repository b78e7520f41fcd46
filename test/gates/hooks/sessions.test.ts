import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeGatedRepo, nothing, plan, readJson, refused } from "../../support/gates/gated-repo.ts";
import { configOf } from "../../support/gates/gates.ts";
import { tempDir } from "../../support/temp-dir.ts";

describe("a session that begins", () => {
  const id = (letter: string) => `${letter.repeat(8)}-3933-45ad-9a1c-14aec05bb940`;

  it("is told how the gates stand, and is known to live until it ends", async () => {
    await using dir = await tempDir();
    const repo = await makeGatedRepo(dir.path, configOf([plan]));
    const session = repo.session(id("a"));
    expect(await session.tell("SessionStart", { source: "startup" })).toEqual({
      type: "tell",
      text: "0 of 1 gates on feature/plan are satisfied.\n- [ ] commit_plan: The gate commit_plan is not satisfied. Do what it asks for, and then run `carryon gate satisfy commit_plan`.",
    });
    const registry = dir.join("client", "sessions.json");
    expect(Object.keys(readJson(registry).sessions)).toEqual(["aaaaaaaa"]);
    await session.tell("SessionEnd", {});
    expect(readJson(registry).sessions).toEqual({});
  });

  it("does not begin with what another has satisfied", async () => {
    await using dir = await tempDir();
    const repo = await makeGatedRepo(dir.path, configOf([plan]));
    await repo.session(id("a")).tell("SessionStart", { source: "startup" });
    await repo.session(id("a")).use("Skill", { skill: "plan-review" });
    await repo.session(id("a")).tell("SessionEnd", {});
    await repo.session(id("b")).tell("SessionStart", { source: "startup" });
    expect(await repo.session(id("b")).use("Edit", { file_path: "a" })).toEqual(refused);
  });

  it.each([
    { source: "clear", seconds: 299, client: 100, edit: "nothing" },
    { source: "clear", seconds: 302, client: 100, edit: "deny" },
    { source: "resume", seconds: 1, client: 100, edit: "deny" },
  ])("goes on after $source within $seconds seconds: $edit", async ({ source, seconds, client, edit }) => {
    await using dir = await tempDir();
    const repo = await makeGatedRepo(dir.path, configOf([plan]));
    const [old, fresh] = [repo.session(id("a"), { client: 100 }), repo.session(id("b"), { client })];
    await old.tell("SessionStart", { source: "startup" });
    await old.use("Skill", { skill: "plan-review" });
    await old.tell("SessionEnd", {});
    repo.wait(seconds);
    await fresh.tell("SessionStart", { source });
    expect((await fresh.use("Edit", { file_path: "a" })).type).toBe(edit);
  });

  it("goes on with the session of its own client, when others end at the same time", async () => {
    await using dir = await tempDir();
    const repo = await makeGatedRepo(dir.path, configOf([plan]));
    for (const { letter, client } of [
      { letter: "a", client: 100 },
      { letter: "b", client: 200 },
      { letter: "c", client: 300 },
    ]) {
      const session = repo.session(id(letter), { client });
      await session.tell("SessionStart", { source: "startup" });
      if (letter === "b") await session.use("Skill", { skill: "plan-review" });
      await session.tell("SessionEnd", {});
    }
    const ask = async (letter: string, client: number) => {
      const session = repo.session(id(letter), { client });
      await session.tell("SessionStart", { source: "clear" });
      return (await session.use("Edit", { file_path: "a" })).type;
    };
    expect([await ask("d", 100), await ask("e", 200), await ask("f", 400)]).toEqual([
      "deny",
      "nothing",
      "deny",
    ]);
  });

  it("forgets what it satisfied when it ends, where the configuration says so, and nothing of others", async () => {
    await using dir = await tempDir();
    const repo = await makeGatedRepo(dir.path, configOf([plan], { clearAtEnd: true }));
    for (const letter of ["a", "b"]) await repo.session(id(letter)).use("Skill", { skill: "plan-review" });
    await repo.session(id("a")).tell("SessionEnd", {});
    const { requirements } = readJson(join(repo.folder, "feature-plan.json"));
    expect(Object.keys(requirements.commit_plan.sessions)).toEqual(["bbbbbbbb"]);
  });
});

describe("branches", () => {
  it("have gates of their own, also where their files would have the same name", async () => {
    await using dir = await tempDir();
    const repo = await makeGatedRepo(dir.path, configOf([plan]));
    await repo.session("s-1", { branch: "feature/auth" }).use("Skill", { skill: "plan-review" });
    const other = repo.session("s-1", { branch: "feature-auth" });
    expect(await other.use("Edit", { file_path: "a" })).toEqual(refused);
    await other.use("Skill", { skill: "plan-review" });
    const files = readdirSync(repo.folder).filter((name) => name.endsWith(".json"));
    expect(files.map((name) => readJson(join(repo.folder, name)).branch).sort()).toEqual([
      "feature-auth",
      "feature/auth",
    ]);
  });
});

describe("ids that begin alike", () => {
  it("do not share what was satisfied", async () => {
    await using dir = await tempDir();
    const repo = await makeGatedRepo(dir.path, configOf([plan]));
    const [one, other] = ["1111", "2222"].map((part) =>
      repo.session(`cad0ac4d-${part}-45ad-9a1c-14aec05bb940`),
    );
    await one?.use("Skill", { skill: "plan-review" });
    expect(await other?.use("Edit", { file_path: "a" })).toEqual(refused);
    expect(await one?.use("Edit", { file_path: "a" })).toEqual(nothing);
  });
});
