import { mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { readGateState } from "../../../src/gates/read-gate-state.ts";
import { changeGateState } from "../../../src/gates/state/change-gate-state.ts";
import { untouched } from "../../../src/gates/state/gate-state.ts";
import { ownersIn } from "../../../src/gates/state/parse-gate-document.ts";
import { AppError } from "../../../src/lib/app-error.ts";
import { makeTempName } from "../../../src/lib/atomic-file.ts";
import { acquireLock } from "../../../src/lib/file-lock.ts";
import { readOwnIdentity } from "../../../src/lib/process-identity.ts";
import { systemRandom } from "../../../src/lib/uuid-v7.ts";
import { collectAcknowledged } from "../../support/acknowledged.ts";
import { startChild } from "../../support/child.ts";
import {
  gatePlace,
  gateSeconds,
  readyPlace,
  satisfied,
  satisfy,
  sessionKey,
  tellState,
} from "../../support/gate-states.ts";
import { tempDir } from "../../support/temp-dir.ts";

const readJson = async (path: string) => JSON.parse(await readFile(path, "utf8")) as unknown;
const modeOf = async (path: string) => (await stat(path)).mode & 0o777;

describe("changeGateState", () => {
  // Seed 2: 3.5, 10.1
  it("writes the file in the format that it is known for, for its owner alone, and leaves nothing else", async () => {
    await using dir = await tempDir();
    const place = gatePlace(dir);
    const { failure, problems } = await changeGateState(place, "feature/test", () => [
      satisfy("plan", "cad0ac4d", { metadata: { full_id: "cad0ac4d-1" } }),
      { ...satisfy("review", "all"), scope: "branch" },
    ]);
    expect({ failure, problems }).toEqual({ failure: undefined, problems: [] });
    const standing = {
      ...{ triggered: false, triggered_at: null, satisfied: true, satisfied_at: gateSeconds },
      ...{ satisfied_by: "cli", metadata: {}, expires_at: null },
    };
    expect(await readJson(dir.join("requirements", "feature-test.json"))).toEqual({
      version: "1.0",
      branch: "feature/test",
      project: "/project",
      created_at: gateSeconds,
      updated_at: gateSeconds,
      requirements: {
        plan: {
          scope: "session",
          sessions: { cad0ac4d: { ...standing, metadata: { full_id: "cad0ac4d-1" } } },
        },
        review: { scope: "branch", ...standing, sessions: {} },
      },
    });
    expect(await readdir(place.folder)).toEqual(["feature-test.json"]);
    expect([await modeOf(place.folder), await modeOf(dir.join("requirements", "feature-test.json"))]).toEqual(
      [0o700, 0o600],
    );
  });

  // Seed 2: 2.3
  it("gives what it wrote to the next reader and the next change", async () => {
    await using dir = await tempDir();
    const place = gatePlace(dir);
    const changed = await changeGateState(place, "main", () => [satisfy("plan", "a")]);
    const told = { plan: { all: untouched, a: satisfied } };
    expect(tellState(changed.state)).toEqual(told);
    expect(tellState(readGateState(place, "main").state)).toEqual(told);
    await changeGateState(place, "main", (state) => {
      expect(tellState(state)).toEqual(told);
      return [];
    });
    expect(ownersIn(changed.state)(sessionKey("a"))).toEqual(new Set());
  });

  it("keeps fields that it does not know, at every level", async () => {
    await using dir = await tempDir();
    const place = readyPlace(dir);
    const file = {
      version: "1.1",
      branch: "main",
      project: "/elsewhere",
      created_at: 1.5,
      updated_at: "2020-01-01T00:00:00Z",
      future: [1],
      requirements: {
        plan: {
          scope: "session",
          note: "x",
          sessions: { a: { satisfied: true, extra: { deep: 1 } }, b: { triggered: true } },
        },
        other: { scope: "new-scope", satisfied: true },
      },
    };
    await writeFile(dir.join("requirements", "main.json"), JSON.stringify(file));
    await changeGateState(place, "main", () => [satisfy("plan", "a")]);
    expect(await readJson(dir.join("requirements", "main.json"))).toEqual({
      ...file,
      updated_at: gateSeconds,
      requirements: {
        plan: {
          ...file.requirements.plan,
          sessions: {
            a: {
              ...{ satisfied: true, extra: { deep: 1 }, triggered: false, triggered_at: null },
              ...{ satisfied_at: gateSeconds, satisfied_by: "cli", metadata: {}, expires_at: null },
            },
            b: { triggered: true },
          },
        },
        other: { ...file.requirements.other, sessions: {} },
      },
    });
  });

  it("forgets what it is told to and nothing else", async () => {
    await using dir = await tempDir();
    const place = gatePlace(dir);
    const all = ["a", "b", "all"].map((session) => satisfy("plan", session));
    await changeGateState(place, "main", () => [...all, satisfy("other", "a")]);
    const forget = async (session: string) => {
      const change = { type: "forget", gate: "plan", session: sessionKey(session) } as const;
      const { state } = await changeGateState(place, "main", () => [change]);
      return Object.entries(tellState(state)).map(([gate, told]) => [
        gate,
        Object.keys(told).filter((key) => told[key]?.satisfied),
      ]);
    };
    expect(await forget("a")).toEqual([
      ["plan", ["all", "b"]],
      ["other", ["a"]],
    ]);
    expect(await forget("all")).toEqual([
      ["plan", ["b"]],
      ["other", ["a"]],
    ]);
    expect(await forget("every-session")).toEqual([
      ["plan", []],
      ["other", ["a"]],
    ]);
  });

  it("writes nothing when nothing changes", async () => {
    await using dir = await tempDir();
    const place = gatePlace(dir);
    await changeGateState(place, "main", () => [{ type: "forget", gate: "plan", session: "all" }]);
    expect(await readdir(place.folder)).toEqual([]);
    await changeGateState(place, "main", () => [satisfy("plan", "a")]);
    const fileOf = async () => (await stat(dir.join("requirements", "main.json"))).ino;
    const before = await fileOf();
    await changeGateState(place, "main", () => [satisfy("plan", "a")]);
    expect(await fileOf()).toBe(before);
  });

  it.each([
    "__proto__",
    "constructor",
    "../x",
    "x".repeat(10_000),
    "a\0b",
    "🙂",
    "\ud800",
    "",
    "toString",
    "7",
  ])("takes %j for a gate and for a session like any other", async (text) => {
    const name = typeof text === "number" ? "x".repeat(text) : text;
    await using dir = await tempDir();
    const place = gatePlace(dir);
    expect(tellState(readGateState(place, "main").state)).toEqual({});
    expect(readGateState(place, "main").state.standing(name, sessionKey(name))).toEqual(untouched);
    await changeGateState(place, "main", () => [satisfy(name, name), satisfy(name, "other")]);
    const { state, problems } = readGateState(place, "main");
    expect([problems, state.gates(), state.sessions(name).toSorted()]).toEqual([
      [],
      [name],
      ["other", name].toSorted(),
    ]);
    expect(state.standing(name, sessionKey(name))).toEqual(satisfied);
    expect(state.standing("constructor", sessionKey("valueOf"))).toEqual(untouched);
    expect(({} as { satisfied?: unknown }).satisfied).toBeUndefined();
    await changeGateState(place, "main", () => [{ type: "forget", gate: name, session: sessionKey(name) }]);
    expect(readGateState(place, "main").state.sessions(name)).toEqual(["other"]);
  });

  it("says that another holds the lock, and changes nothing", async () => {
    await using dir = await tempDir();
    const place = { ...readyPlace(dir), wait: 0 };
    await using _lock = await acquireLock(dir.join("requirements", "state"), { leave: "nothing" });
    const { failure, problems } = await changeGateState(place, "main", () => [satisfy("plan", "a")]);
    expect(failure?.code).toBe("lock-busy");
    expect(problems).toEqual([
      {
        path: place.folder,
        problem: `was not changed: ${dir.join("requirements", "state")} is being changed by another process.`,
        hint: "Try again in a moment.",
      },
    ]);
  });

  it("returns an error of the change on purpose, and throws any other", async () => {
    await using dir = await tempDir();
    const usage = new AppError("No such gate.", { kind: "usage", code: "no-gate" });
    const refuse = (error: Error) =>
      changeGateState(gatePlace(dir), "main", () => {
        throw error;
      });
    expect((await refuse(usage)).failure).toBe(usage);
    await expect(refuse(new TypeError("bug"))).rejects.toThrow(new TypeError("bug"));
    expect(await readdir(dir.join("requirements"))).toEqual([]);
  });

  it("removes what a killed writer has left", async () => {
    await using dir = await tempDir();
    const place = readyPlace(dir);
    await using child = startChild("identity-child.ts");
    const identity = { ...(await readOwnIdentity()), ...JSON.parse((await child.next()) ?? "") };
    child.kill("SIGKILL");
    await child.ended();
    await writeFile(dir.join("requirements", makeTempName("main.json", identity, systemRandom)), "{");
    await writeFile(dir.join("requirements", ".state.carryon-lock"), "");
    await changeGateState(place, "main", () => [satisfy("plan", "a")]);
    expect(await readdir(place.folder)).toEqual(["main.json"]);
  });
});

describe("state files of branches with like names", () => {
  it("are never shared, and who came second keeps its name for good", async () => {
    await using dir = await tempDir();
    const place = gatePlace(dir);
    const branches = ["feature/auth", "feature-auth", "Feature/auth", "feature_auth"];
    for (const branch of branches) await changeGateState(place, branch, () => [satisfy("plan", branch)]);
    const told = branches.map((branch) => readGateState(place, branch).state.sessions("plan"));
    expect(told).toEqual(branches.map((branch) => [branch]));
    expect(await readdir(place.folder)).toEqual([
      expect.stringMatching(/^Feature-auth-[0-9a-f]{8}\.json$/),
      expect.stringMatching(/^feature-auth-[0-9a-f]{8}\.json$/),
      "feature-auth.json",
      "feature_auth.json",
    ]);
    await rm(dir.join("requirements", "feature-auth.json"));
    await changeGateState(place, "feature-auth", () => [satisfy("plan", "more")]);
    expect(readGateState(place, "feature-auth").state.sessions("plan")).toEqual(["feature-auth", "more"]);
    expect(await readdir(place.folder)).toHaveLength(3);
    await changeGateState(place, "feature/auth", () => [satisfy("plan", "again")]);
    expect(readGateState(place, "feature/auth").state.sessions("plan")).toEqual(["again"]);
  });

  it("are told apart by the branch inside, whoever wrote them", async () => {
    await using dir = await tempDir();
    const place = readyPlace(dir);
    const other = JSON.stringify({
      version: "1.0",
      branch: "a-b",
      requirements: { plan: { satisfied: true } },
    });
    await writeFile(dir.join("requirements", "a-b.json"), other);
    expect(readGateState(place, "a/b").state.gates()).toEqual([]);
    await changeGateState(place, "a/b", () => [satisfy("plan", "x")]);
    expect(await readFile(dir.join("requirements", "a-b.json"), "utf8")).toBe(other);
    await mkdir(dir.join("requirements", "sessions"));
    expect(readGateState(place, "a/b").state.sessions("plan")).toEqual(["x"]);
  });
});

describe("many processes that change one state", () => {
  // Seed 2: 10.3
  it("lose no update, and leave nothing", async () => {
    await using dir = await tempDir();
    const place = gatePlace(dir);
    const args = (index: number) => [place.folder, "main", `p${index}`, "8"];
    const done = await collectAcknowledged(6, "gate-state-child.ts", args);
    expect(done).toHaveLength(48);
    expect(readGateState(place, "main").state.sessions("plan").toSorted()).toEqual(done.toSorted());
    expect(await readdir(place.folder)).toEqual(["main.json"]);
  });
});
