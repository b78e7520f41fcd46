import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  implementer,
  makeSeedWorld,
  planner,
  planning,
  type SeedWorld,
} from "../support/gates/seed-world.ts";
import { tempDir } from "../support/temp-dir.ts";

const sessionsOf = ".requirements.commit_plan.sessions";
const keysAt = (world: SeedWorld, path: string, file?: string) =>
  Object.keys(Object(world.jq(path, file))).toSorted((one, other) => (one < other ? -1 : 1));
const listLive = (world: SeedWorld) => keysAt(world, ".sessions", world.registryFile);

describe("the findings of the seed", () => {
  // Seed 2: 1.1, 5.1, 10.5
  it("1: the registry names the sessions that run, and the state of the branch keeps those that ended", async () => {
    await using dir = await tempDir();
    const world = await makeSeedWorld(dir.path, planning);
    for (const id of [planner, implementer]) {
      await world.session(id).start();
      await world.session(id).skill("arch-review");
    }
    expect(listLive(world)).toEqual(["abc123ab", "def456de"]);
    await world.session(planner).end();
    expect(listLive(world)).toEqual(["def456de"]);
    expect(keysAt(world, sessionsOf)).toEqual(["abc123ab", "def456de"]);
  });

  // Seed 2: 1.2, 5.4, 7.1
  it("2: what a session satisfied survives its end, and does not count for the next one", async () => {
    await using dir = await tempDir();
    const world = await makeSeedWorld(dir.path, planning);
    await world.session(planner).start();
    await world.session(planner).skill("arch-review");
    const before = world.jq(sessionsOf);
    await world.session(planner).end();
    const told = await world.session(implementer).start();
    expect(world.jq(sessionsOf)).toEqual(before);
    expect(told).toContain("`carryon gate satisfy commit_plan`");
    expect([await world.session(implementer).edit(), await world.session(planner).edit()]).toEqual([
      "deny",
      "nothing",
    ]);
  });

  // Seed 2: 1.3
  it.each(["arch-review", "plan-review"])(
    "3: the four requirements of planning are asked for in each session, and satisfied by /%s",
    async (skill) => {
      await using dir = await tempDir();
      const world = await makeSeedWorld(dir.path, planning);
      const stand = async (id: string) => (await world.session(id).start("resume")).split(" gates")[0];
      await world.session(planner).skill(skill);
      expect([await stand(planner), await stand(implementer)]).toEqual(["4 of 4", "0 of 4"]);
      await world.session(implementer).skill(skill);
      expect([await stand(planner), await stand(implementer)]).toEqual(["4 of 4", "4 of 4"]);
    },
  );

  // Seed 2: 1.4
  it("4: each session sees its own entry, and one without an entry is not satisfied", async () => {
    await using dir = await tempDir();
    const world = await makeSeedWorld(dir.path, planning);
    for (const id of ["abc123", "def456"]) await world.session(id).skill("arch-review");
    expect(keysAt(world, sessionsOf)).toEqual(["abc123", "def456"]);
    const edits = ["abc123", "def456", "ghi789"].map((id) => world.session(id).edit());
    expect(await Promise.all(edits)).toEqual(["nothing", "nothing", "deny"]);
  });

  // Seed 2: 1.5, 2.1, 2.4, 7.2, 10.7
  it("5: a UUID and its first 8 characters are one session, also in a file with the old keys", async () => {
    await using dir = await tempDir();
    const world = await makeSeedWorld(dir.path, "requirements:\n  commit_plan: {enabled: true}\n");
    const uuid = "cad0ac4d-3933-45ad-9a1c-14aec05bb940";
    const sessions = { [uuid]: { satisfied: true, satisfied_at: 1767225600, satisfied_by: "skill" } };
    const old = {
      version: "1.0",
      branch: "feature/test",
      requirements: { commit_plan: { scope: "session", sessions } },
    };
    mkdirSync(dirname(world.stateFile), { recursive: true });
    writeFileSync(world.stateFile, JSON.stringify(old));
    const edits = ["cad0ac4d", uuid, "cad0ac4d", uuid].map((id) => () => world.session(id).edit());
    for (const edit of edits) expect(await edit()).toBe("nothing");
    expect(keysAt(world, sessionsOf)).toEqual(["cad0ac4d"]);
    await world.session("cad0ac4d").skill("arch-review");
    await world.session(uuid).skill("arch-review");
    await world.session("cad0ac4d").skill("arch-review");
    expect(world.jq(`${sessionsOf}.cad0ac4d.metadata.full_id`)).toBe(uuid);
  });

  // Seed 2: 1.6, 10.2
  it.each([
    { file: "the registry", path: ["client", "sessions.json"], edit: "deny" },
    { file: "the state", path: ["project", ".git", "requirements", "feature-test.json"], edit: "nothing" },
    { file: "the configuration", path: ["project", ".claude", "requirements.yaml"], edit: "nothing" },
  ])("6: $file that cannot be read counts as none, is told, and stops nobody", async ({ path, edit }) => {
    await using dir = await tempDir();
    const world = await makeSeedWorld(dir.path, planning);
    mkdirSync(dirname(dir.join(...path)), { recursive: true });
    writeFileSync(dir.join(...path), "{ [");
    const session = world.session(planner);
    await session.start();
    expect(await session.edit()).toBe(edit);
    expect(world.told.length).toBeGreaterThan(0);
    await session.skill("arch-review");
    expect([await session.edit(), await session.stop()]).toEqual(["nothing", { type: "nothing" }]);
  });

  // Seed 2: 1.6
  it("6: a state that cannot be written is told, and the session may stop and end", async () => {
    await using dir = await tempDir();
    const world = await makeSeedWorld(dir.path, planning);
    writeFileSync(join(world.root, ".git", "requirements"), "a file in the place of the folder");
    const session = world.session(planner);
    await session.start();
    await session.skill("arch-review");
    expect(await session.stop()).toEqual({ type: "nothing" });
    await session.end();
    expect(world.told.length).toBeGreaterThan(0);
  });

  // Seed 2: 1.7, 4.1, 4.2, 4.4, 7.3
  it("7: each stop is held for what was triggered and is not satisfied, unless stop_hook_active", async () => {
    await using dir = await tempDir();
    const world = await makeSeedWorld(
      dir.path,
      "requirements:\n  reviewed: {enabled: true, stop_only: true, auto_resolve_skill: review}\n",
    );
    const session = world.session(planner);
    const stop = async (isActive = false) => (await session.stop({ stop_hook_active: isActive })).type;
    expect(await stop()).toBe("nothing");
    await session.edit();
    expect([await stop(true), await stop(), await stop(true), await stop()]).toEqual([
      "nothing",
      "hold",
      "nothing",
      "hold",
    ]);
    await session.skill("review");
    expect(await stop()).toBe("nothing");
  });

  // Seed 2: 1.8, 3.4, 10.6
  it.each([
    { scope: "session", again: "nothing", other: "deny", at: "sessions" },
    { scope: "branch", again: "nothing", other: "nothing", at: "root" },
    { scope: "single_use", again: "deny", other: "deny", at: "sessions" },
    { scope: "permanent", again: "nothing", other: "nothing", at: "root" },
  ])("8: the scope $scope says where it is kept and when it is asked for again", async (row) => {
    await using dir = await tempDir();
    const world = await makeSeedWorld(
      dir.path,
      `requirements:\n  reviewed: {enabled: true, scope: ${row.scope}, satisfied_by_skill: review}\n`,
    );
    const [own, other] = [world.session(planner), world.session(implementer)];
    await own.skill("review");
    const kept = {
      sessions: world.jq(".requirements.reviewed.sessions.abc123ab.satisfied"),
      root: world.jq(".requirements.reviewed.satisfied"),
    };
    expect([kept[row.at as "root"], await other.edit()]).toEqual([true, row.other]);
    expect([await own.edit(), await own.edit()]).toEqual(["nothing", row.again]);
  });

  // Seed 2: 1.9, 3.3, 3.6
  it("9: a skill satisfies all that it is mapped to, for its session alone, and is counted", async () => {
    await using dir = await tempDir();
    const world = await makeSeedWorld(
      dir.path,
      `${planning}  ours: {enabled: true, satisfied_by_skill: arch-review}\n  others: {enabled: true}\n`,
    );
    await world.session(planner).skill("framework:arch-review");
    const satisfied = keysAt(world, ".requirements");
    expect(satisfied).toEqual(["adr_reviewed", "commit_plan", "ours", "solid_reviewed", "tdd_planned"]);
    expect(satisfied.map((name) => keysAt(world, `.requirements.${name}.sessions`))).toEqual(
      satisfied.map(() => ["abc123ab"]),
    );
    const metrics = join(dirname(world.stateFile), "sessions", "abc123ab.json");
    expect(world.jq(".skills", metrics)).toEqual({ "framework:arch-review": 1 });
    expect(keysAt(world, ".requirements", metrics)).toEqual(satisfied);
  });

  // Seed 2: 1.10, 7.4
  it("10: the state keeps every session, while the registry stays as small as what runs", async () => {
    await using dir = await tempDir();
    const world = await makeSeedWorld(dir.path, "requirements:\n  commit_plan: {enabled: true}\n");
    const ids = Array.from({ length: 8 }, (_, index) => `session-${index}`);
    for (const id of ids) {
      await world.session(id).start();
      await world.session(id).skill("arch-review");
      await world.session(id).end();
    }
    expect(listLive(world)).toEqual([]);
    expect(keysAt(world, sessionsOf)).toEqual(ids);
  });
});
