import { readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { expect, it } from "vitest";
import type { JsonObject } from "../../../src/gates/json-object.ts";
import { noteUse } from "../../../src/gates/pass.ts";
import { changeMetrics } from "../../../src/gates/state/change-metrics.ts";
import type { GatePlace } from "../../../src/gates/state/gate-state.ts";
import { readMetrics } from "../../../src/gates/state/read-metrics.ts";
import { gatePlace, gateSeconds, gateTime } from "../../support/gate-states.ts";
import { tempDir } from "../../support/temp-dir.ts";

const readNotes = (place: GatePlace, session: string) => readMetrics(place, session).metrics.notes;

const changeNotes = (place: GatePlace, session: string, change: (notes: JsonObject) => JsonObject) =>
  changeMetrics(place, session, (metrics) => ({ ...metrics, notes: change(metrics.notes) }));

// Seed 2: 3.6
it("writes the metrics of a session in their format, and keeps fields that it does not know", async () => {
  await using dir = await tempDir();
  const place = gatePlace(dir);
  await changeMetrics(place, "cad0ac4d", (metrics) => ({
    ...metrics,
    branch: "main",
    startedAt: gateTime,
    tools: { Edit: 1 },
  }));
  const path = dir.join("requirements", "sessions", "cad0ac4d.json");
  const file = {
    ...{ version: "1.0", session_id: "cad0ac4d", branch: "main", started_at: gateSeconds, ended_at: null },
    ...{ tools: { Edit: 1 }, skills: {}, requirements: {}, carryon: {} },
  };
  expect(JSON.parse(await readFile(path, "utf8"))).toEqual(file);
  await writeFile(path, JSON.stringify({ ...file, git: { commits: 2 } }));
  await changeMetrics(place, "cad0ac4d", (metrics) => ({ ...metrics, tools: { ...metrics.tools, Bash: 2 } }));
  expect(JSON.parse(await readFile(path, "utf8"))).toEqual({
    ...file,
    git: { commits: 2 },
    tools: { Edit: 1, Bash: 2 },
  });
  expect(await readdir(dir.join("requirements", "sessions"))).toEqual(["cad0ac4d.json"]);
});

it("remembers notes between events", async () => {
  await using dir = await tempDir();
  const place = gatePlace(dir);
  expect(readNotes(place, "a")).toEqual({});
  await changeNotes(place, "a", (notes) => ({ ...notes, refusedAt: 7 }));
  await changeMetrics(place, "a", (metrics) => metrics);
  const { metrics, problems } = readMetrics(place, "a");
  expect([metrics.notes, problems]).toEqual([{ refusedAt: 7 }, []]);
});

it.each(["__proto__", "../x", "a/b\0c", "🙂", "A", "constructor", ""])(
  "keeps the notes of session %j",
  async (id) => {
    await using dir = await tempDir();
    const place = gatePlace(dir);
    for (const session of ["a", "___", id]) await changeNotes(place, session, () => ({ of: session }));
    const told = ["a", "___", id].map((session) => readNotes(place, session));
    expect(told).toEqual([{ of: "a" }, { of: "___" }, { of: id }]);
    const names = await readdir(dir.join("requirements", "sessions"));
    expect(
      names.map((name) => name.toLowerCase()).filter((name) => !/^[a-z0-9_-]+\.json$/.test(name)),
    ).toEqual([]);
    expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(3);
  },
);

it("starts anew beside a broken file, drops wrong parts, and leaves a newer file alone", async () => {
  await using dir = await tempDir();
  const place = gatePlace(dir);
  const path = dir.join("requirements", "sessions", "a.json");
  await changeNotes(place, "a", () => ({ one: 1 }));
  await writeFile(path, "{");
  expect(readMetrics(place, "a").problems).toHaveLength(1);
  expect((await changeNotes(place, "a", () => ({ two: 2 }))).failure).toBeUndefined();
  await writeFile(path, JSON.stringify({ session_id: "a", tools: 1, carryon: { two: 2 } }));
  expect(readMetrics(place, "a").problems.map(({ problem }) => problem)).toEqual([
    "is wrong in a part: tools is not an object",
  ]);
  await changeNotes(place, "a", (notes) => ({ ...notes, three: 3 }));
  const { metrics, problems } = readMetrics(place, "a");
  expect([metrics.notes, problems]).toEqual([{ two: 2, three: 3 }, []]);
  expect(await readdir(dir.join("requirements", "sessions"))).toEqual([
    "a.broken-2026-11-16T12-00-00-000Z-2.json",
    "a.broken-2026-11-16T12-00-00-000Z.json",
    "a.json",
  ]);
  await writeFile(path, '{"version":"2.0"}');
  expect((await changeNotes(place, "a", () => ({ four: 4 }))).failure?.code).toBe("newer-state");
  expect(await readFile(path, "utf8")).toBe('{"version":"2.0"}');
});

it("notes no use through a link", async () => {
  await using dir = await tempDir();
  const place = gatePlace(dir);
  const metrics = dir.join("requirements", "sessions", "a.json");
  await changeMetrics(place, "a", (before) => ({ ...before, branch: "main" }));
  await writeFile(dir.join("victim"), "mine");
  await symlink(dir.join("victim"), `${metrics}.uses`);
  noteUse(metrics, "Edit");
  expect(await readFile(dir.join("victim"), "utf8")).toBe("mine");
});

it("counts uses of tools that were noted since, once, whoever was killed while he counted them", async () => {
  await using dir = await tempDir();
  const place = gatePlace(dir);
  const path = dir.join("requirements", "sessions", "a.json");
  const toolsIn = () => readMetrics(place, "a").metrics.tools;
  noteUse(path, "Edit");
  noteUse(path, 'Wr"ite\n');
  expect(toolsIn()).toEqual({ Edit: 1, 'Wr"ite\n': 1 });
  await changeMetrics(place, "a", (metrics) => metrics);
  noteUse(path, "Edit");
  expect(toolsIn()).toEqual({ Edit: 2, 'Wr"ite\n': 1 });
  await changeNotes(place, "a", () => ({ one: 1 }));
  // Those that were taken come first, and those that came since with the next change.
  await changeNotes(place, "a", () => ({ two: 2 }));
  expect(JSON.parse(await readFile(path, "utf8")).tools).toEqual({ Edit: 2, 'Wr"ite\n': 1 });
  expect(await readdir(dir.join("requirements", "sessions"))).toEqual(["a.json"]);
});
