import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { listSessions, registerSession, unregisterSession } from "../../src/gates/registry.ts";
import { readOwnIdentity } from "../../src/lib/process-identity.ts";
import { collectAcknowledged } from "../support/acknowledged.ts";
import { startChild } from "../support/child.ts";
import { gateSeconds, gateTime } from "../support/gate-states.ts";
import { type TempDir, tempDir } from "../support/temp-dir.ts";

const uuid = "cad0ac4d-3933-45ad-9a1c-14aec05bb940";
const twin = "cad0ac4d-3933-45ad-9a1c-14aec05bb941";
const placeIn = (dir: TempDir, now = gateTime) => ({
  path: dir.join("home", "sessions.json"),
  clock: { now: () => now },
});
const facts = { pid: 7, ppid: process.pid, projectDir: "/project", branch: "main" };
const readJson = async (path: string) =>
  JSON.parse(await readFile(path, "utf8")) as { sessions: Record<string, unknown> };
const keysOf = async (path: string) => Object.keys((await readJson(path)).sessions);

async function deadPid(): Promise<number> {
  await using child = startChild("identity-child.ts");
  await child.next();
  return child.pid;
}

describe("the registry", () => {
  // Seed 2: 2.2
  it("is written in its format, for its owner alone, with what tells its client from a later process", async () => {
    await using dir = await tempDir();
    const place = placeIn(dir);
    const { key, failure } = await registerSession(place, { id: uuid, ...facts });
    expect([key, failure]).toEqual(["cad0ac4d", undefined]);
    const { started, boot, host, machine, pidNamespace } = await readOwnIdentity();
    expect(await readJson(place.path)).toEqual({
      version: "1.0",
      sessions: {
        cad0ac4d: {
          ...{ pid: 7, ppid: process.pid, project_dir: "/project", branch: "main" },
          ...{ started_at: gateSeconds, last_active: gateSeconds, full_id: uuid },
          client: { started, boot, host, machine, pid_namespace: pidNamespace },
        },
      },
    });
    expect([await readdir(dir.join("home")), (await stat(place.path)).mode & 0o777]).toEqual([
      ["sessions.json"],
      0o600,
    ]);
  });

  it("lists, renews and lets go of sessions", async () => {
    await using dir = await tempDir();
    const later = new Date(gateTime.getTime() + 60_000);
    await registerSession(placeIn(dir), { id: uuid, ...facts });
    await registerSession(placeIn(dir, later), { id: uuid, ...facts, branch: "other" });
    const { sessions, problems } = await listSessions(placeIn(dir));
    expect([sessions, problems]).toEqual([
      [
        {
          ...{ key: "cad0ac4d", fullId: uuid, ...facts, branch: "other" },
          ...{ startedAt: gateTime, lastActive: later, liveness: "alive" },
        },
      ],
      [],
    ]);
    await registerSession(placeIn(dir, later), { id: uuid, ...facts });
    expect((await listSessions(placeIn(dir))).sessions[0]?.startedAt).toEqual(gateTime);
    await unregisterSession(placeIn(dir), "unknown");
    expect(await keysOf(placeIn(dir).path)).toEqual(["cad0ac4d"]);
    expect((await unregisterSession(placeIn(dir), uuid)).sessions).toEqual([]);
    expect(await keysOf(placeIn(dir).path)).toEqual([]);
  });

  it("gives two sessions that begin alike two keys", async () => {
    await using dir = await tempDir();
    await registerSession(placeIn(dir), { id: uuid, ...facts });
    await registerSession(placeIn(dir), { id: twin, ...facts });
    await unregisterSession(placeIn(dir), uuid);
    expect((await registerSession(placeIn(dir), { id: twin, ...facts })).key).toBe("cad0ac4d3933");
    expect(await keysOf(placeIn(dir).path)).toEqual(["cad0ac4d3933"]);
  });

  it("has no key for an empty id, and any other id is a safe one", async () => {
    await using dir = await tempDir();
    expect((await registerSession(placeIn(dir), { id: "", ...facts })).key).toBeUndefined();
    for (const id of ["__proto__", "constructor", "a\0🙂"])
      await registerSession(placeIn(dir), { id, ...facts });
    expect(await keysOf(placeIn(dir).path)).toEqual(["__proto__", "constructor", "a\0🙂"]);
    expect(({} as { ppid?: unknown }).ppid).toBeUndefined();
  });

  // Seed 2: 1.10
  it("drops the sessions of dead clients at each update, and keeps those of which that cannot be told", async () => {
    await using dir = await tempDir();
    const place = placeIn(dir);
    await registerSession(place, { id: "mine", ...facts });
    const file = await readJson(place.path);
    const { client, ...bare } = file.sessions.mine as { client: object };
    const dead = await deadPid();
    const reused = { ...bare, client: { ...client, started: "1" } };
    const elsewhere = { ...bare, ppid: dead, client: { ...client, host: "elsewhere" }, note: "x" };
    const old = { ...bare, ppid: dead };
    await writeFile(
      place.path,
      JSON.stringify({ ...file, more: 1, sessions: { ...file.sessions, old, reused, elsewhere, bare } }),
    );
    const listed = (await listSessions(place)).sessions.map(({ key, liveness }) => [key, liveness]);
    expect(listed).toEqual([
      ["mine", "alive"],
      ["old", "gone"],
      ["reused", "gone"],
      ["elsewhere", "unknown"],
      ["bare", "alive"],
    ]);
    await registerSession(place, { id: "mine", ...facts });
    const { sessions, ...rest } = (await readJson(place.path)) as { sessions: Record<string, unknown> };
    expect([Object.keys(sessions), sessions.elsewhere, rest]).toEqual([
      ["mine", "elsewhere", "bare"],
      elsewhere,
      { version: "1.0", more: 1 },
    ]);
  });

  it("moves a broken file aside, leaves a newer one, and keeps the good entries beside wrong ones", async () => {
    await using dir = await tempDir();
    const place = placeIn(dir);
    await registerSession(place, { id: "a", ...facts });
    const entry = (await readJson(place.path)).sessions.a;
    await writeFile(place.path, JSON.stringify({ sessions: { a: entry, b: { ppid: "x" }, c: 1 } }));
    const later = new Date(gateTime.getTime() + 1000);
    const { problems } = await registerSession(
      { ...place, clock: { now: () => later } },
      { id: "a", ...facts },
    );
    expect(problems.map(({ problem }) => problem)).toEqual([
      "is wrong in a part: sessions.b ppid is not a process id",
      "is wrong in a part: sessions.c is not an object",
    ]);
    expect(await keysOf(place.path)).toEqual(["a"]);
    await writeFile(place.path, "oops");
    await registerSession(place, { id: "d", ...facts });
    expect(await keysOf(place.path)).toEqual(["d"]);
    expect(await readdir(dir.join("home"))).toEqual([
      "sessions.broken-2026-11-16T12-00-00-000Z.json",
      "sessions.broken-2026-11-16T12-00-01-000Z.json",
      "sessions.json",
    ]);
    await writeFile(place.path, '{"version":"2.0","sessions":{}}');
    expect((await registerSession(place, { id: "e", ...facts })).failure?.code).toBe("newer-state");
    expect(await readFile(place.path, "utf8")).toBe('{"version":"2.0","sessions":{}}');
  });

  it("loses no session that many processes register at once, and leaves nothing", async () => {
    await using dir = await tempDir();
    const { path } = placeIn(dir);
    const args = (index: number) => [path, String(process.pid), `p${index}`, "6"];
    const done = await collectAcknowledged(5, "registry-child.ts", args);
    expect(done).toHaveLength(30);
    expect(new Set(await keysOf(path))).toEqual(new Set(done));
    expect(await readdir(dir.join("home"))).toEqual(["sessions.json"]);
  });
});
