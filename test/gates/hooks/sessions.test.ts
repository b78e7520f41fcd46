import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeGatedRepo, nothing, plan, readJson, refused } from "../../support/gates/gated-repo.ts";
import { configOf } from "../../support/gates/gates.ts";
import { tempDir } from "../../support/temp-dir.ts";

const id = (letter: string) => `${letter.repeat(8)}-3933-45ad-9a1c-14aec05bb940`;

describe("a session that begins", () => {
  // Seed 2: 2.2, 2.6, 5.1
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

  // Seed 2: 1.2, 2.5
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

  // Seed 2: 5.2, 5.3
  it("forgets what it satisfied when it ends, where the configuration says so, and nothing of others", async () => {
    await using dir = await tempDir();
    const repo = await makeGatedRepo(dir.path, configOf([plan], { clearAtEnd: true }));
    for (const letter of ["a", "b"]) await repo.session(id(letter)).use("Skill", { skill: "plan-review" });
    await repo.session(id("a")).tell("SessionEnd", {});
    const { requirements } = readJson(join(repo.folder, "feature-plan.json"));
    expect(Object.keys(requirements.commit_plan.sessions)).toEqual(["bbbbbbbb"]);
  });

  it("forgets it at a /clear only once the session that goes on has taken it over", async () => {
    await using dir = await tempDir();
    const repo = await makeGatedRepo(dir.path, configOf([plan], { clearAtEnd: true }));
    const keys = () =>
      Object.keys(readJson(join(repo.folder, "feature-plan.json")).requirements.commit_plan.sessions);
    await repo.session(id("a")).use("Skill", { skill: "plan-review" });
    await repo.session(id("a")).tell("SessionEnd", { reason: "clear" });
    expect(keys()).toEqual(["aaaaaaaa"]);
    await repo.session(id("b")).tell("SessionStart", { source: "clear" });
    expect(keys()).toEqual(["bbbbbbbb"]);
    expect(await repo.session(id("b")).use("Edit", { file_path: "a" })).toEqual(nothing);
    await repo.session(id("b")).tell("SessionEnd", { reason: "logout" });
    expect(keys()).toEqual([]);
  });

  it("forgets it at a /clear at once where nothing is carried over", async () => {
    await using dir = await tempDir();
    const carryOver = { enabled: false, windowSeconds: 300, sources: ["clear"] };
    const repo = await makeGatedRepo(dir.path, configOf([plan], { clearAtEnd: true, carryOver }));
    await repo.session(id("a")).use("Skill", { skill: "plan-review" });
    await repo.session(id("a")).tell("SessionEnd", { reason: "clear" });
    expect(readJson(join(repo.folder, "feature-plan.json")).requirements.commit_plan.sessions).toEqual({});
  });
});

describe("branches", () => {
  it("keep what a session satisfied on them while it works on others, also under a new id", async () => {
    await using dir = await tempDir();
    const repo = await makeGatedRepo(dir.path, configOf([plan]));
    const edit = async (letter: string, branch: string) =>
      (await repo.session(id(letter), { branch }).use("Edit", { file_path: "a" })).type;
    const one = (branch: string) => repo.session(id("a"), { branch });
    await one("feature/plan").tell("SessionStart", { source: "startup" });
    await one("feature/plan").use("Skill", { skill: "plan-review" });
    expect([await edit("a", "fix/typo"), await edit("a", "feature/plan")]).toEqual(["deny", "nothing"]);
    // After /clear on the other branch, and back.
    await one("fix/typo").tell("SessionEnd", { reason: "clear" });
    await repo.session(id("b"), { branch: "fix/typo" }).tell("SessionStart", { source: "clear" });
    expect([await edit("b", "fix/typo"), await edit("b", "feature/plan")]).toEqual(["deny", "nothing"]);
    // A new start takes nothing over, on no branch.
    await repo.session(id("c"), { branch: "fix/typo" }).tell("SessionStart", { source: "startup" });
    expect(await edit("c", "feature/plan")).toBe("deny");
  });

  it("keep apart two sessions that share a key on one of them", async () => {
    await using dir = await tempDir();
    const repo = await makeGatedRepo(dir.path, configOf([plan]));
    const [other, own, next] = ["1111", "2222", "3333"].map(
      (part) => `cad0ac4d-${part}-45ad-9a1c-14aec05bb940`,
    );
    await repo.session(`${other}`).use("Skill", { skill: "plan-review" });
    const elsewhere = { branch: "fix/typo" };
    await repo.session(`${own}`, elsewhere).tell("SessionStart", { source: "startup" });
    await repo.session(`${own}`, elsewhere).tell("SessionEnd", { reason: "clear" });
    await repo.session(`${next}`, elsewhere).tell("SessionStart", { source: "clear" });
    expect(await repo.session(`${next}`).use("Edit", { file_path: "a" })).toEqual(refused);
  });

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
  // Seed 2: 1.5
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
