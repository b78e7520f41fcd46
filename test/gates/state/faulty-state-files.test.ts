import { execFile } from "node:child_process";
import { chmod, lstat, mkdir, open, readdir, readFile, rename, symlink, writeFile } from "node:fs/promises";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { readGateState } from "../../../src/gates/read-gate-state.ts";
import { changeGateState } from "../../../src/gates/state/change-gate-state.ts";
import {
  gatePlace,
  readyPlace,
  satisfied,
  satisfy,
  sessionKey,
  tellState,
} from "../../support/gate-states.ts";
import { tempDir } from "../../support/temp-dir.ts";

const aside = "main.broken-2026-11-16T12-00-00-000Z.json";
const write = (text: string) => (path: string) => writeFile(path, text);
const whole = { version: "1.0", branch: "main", requirements: { plan: { scope: "session", sessions: {} } } };

const faults: readonly { fault: string; make: (path: string) => unknown; problem: unknown }[] = [
  { fault: "an empty file", make: write(""), problem: "is empty" },
  { fault: "white space", make: write(" \n"), problem: "is empty" },
  {
    fault: "a truncated file",
    make: write(JSON.stringify(whole).slice(0, 40)),
    problem: "is not JSON, or only the beginning of it",
  },
  {
    fault: "what is not JSON",
    make: write("<<<<<<< HEAD"),
    problem: "is not JSON, or only the beginning of it",
  },
  { fault: "a list", make: write("[]"), problem: "is not an object" },
  { fault: "null", make: write("null"), problem: "is not an object" },
  {
    fault: "deep nesting",
    make: write(`{"a":${"[".repeat(100_000)}${"]".repeat(100_000)}}`),
    problem: "is nested deeper than 64 levels",
  },
  {
    fault: "bytes that are no text",
    make: (path) => writeFile(path, Buffer.from([0x7b, 0xff, 0x7d])),
    problem: "is not UTF-8",
  },
  {
    fault: "a file of 65 MB",
    make: async (path) => {
      await using file = await open(path, "w");
      await file.truncate(65 << 20);
    },
    problem: `is too large: ${65 << 20} bytes`,
  },
  { fault: "a folder", make: (path) => mkdir(path), problem: "is not a regular file" },
  {
    fault: "a pipe",
    make: (path) => promisify(execFile)("mkfifo", [path]),
    problem: "is not a regular file",
  },
  { fault: "a link to nothing", make: (path) => symlink("nothing", path), problem: "is a symbolic link" },
  { fault: "a link to a file", make: (path) => symlink("/etc/passwd", path), problem: "is a symbolic link" },
];

describe.each(faults)("$fault in the place of a state file", ({ make, problem }) => {
  // Seed 2: 10.2
  it("counts as none, is told, and is moved aside by the next change, never over an older one", async () => {
    await using dir = await tempDir();
    const place = readyPlace(dir);
    const path = dir.join("requirements", "main.json");
    await make(path);
    const before = await lstat(path);
    await writeFile(dir.join("requirements", aside), "older");
    const hint = "Nothing in it counts; the next change moves it aside.";
    const { state, problems } = readGateState(place, "main");
    expect([tellState(state), problems]).toEqual([{}, [{ path, problem, hint }]]);
    const changed = await changeGateState(place, "main", () => [satisfy("plan", "a")]);
    expect([changed.failure, changed.problems]).toEqual([undefined, problems]);
    const moved = aside.replace(".json", "-2.json");
    expect(await readdir(place.folder)).toEqual([moved, aside, "main.json"].toSorted());
    expect((await lstat(dir.join("requirements", moved))).ino).toBe(before.ino);
    expect(await readFile(dir.join("requirements", aside), "utf8")).toBe("older");
    expect(readGateState(place, "main").problems).toEqual([]);
    expect(readGateState(place, "main").state.standing("plan", sessionKey("a"))).toEqual(satisfied);
  });
});

it("leaves a broken file where it is when nothing changes", async () => {
  await using dir = await tempDir();
  const place = readyPlace(dir);
  await writeFile(dir.join("requirements", "main.json"), "{");
  await changeGateState(place, "main", () => []);
  expect(await readFile(dir.join("requirements", "main.json"), "utf8")).toBe("{");
});

it.each(["2.0", "10.1", 2])("never touches a file of version %j", async (version) => {
  await using dir = await tempDir();
  const place = readyPlace(dir);
  const text = JSON.stringify({ ...whole, version });
  const path = dir.join("requirements", "main.json");
  await writeFile(path, text);
  const remedy =
    "Update Carryon; or give the file another name, and the next change begins a new one without what it says.";
  const problem = `is of version ${version}, which a newer Carryon wrote, and is left as it is`;
  const newer = { path, problem, hint: `Gates refuse nothing meanwhile. ${remedy}` };
  const { state, problems } = readGateState(place, "main");
  expect([tellState(state), problems]).toEqual([{}, [newer]]);
  const changed = await changeGateState(place, "main", () => [satisfy("plan", "a")]);
  expect(changed.failure?.code).toBe("newer-state");
  expect(changed.problems).toEqual([
    newer,
    {
      path: place.folder,
      problem: `was not changed: ${path} ${problem}.`,
      hint: remedy,
    },
  ]);
  expect(await readFile(path, "utf8")).toBe(text);
  expect(await readdir(place.folder)).toEqual(["main.json"]);
});

const good = { satisfied: true, satisfied_at: 1_794_830_400, satisfied_by: "cli" };

describe("a state file that is wrong in single parts", () => {
  it.each([
    { part: "a standing that is none", sessions: { bad: 7 }, problem: "sessions.bad is not an object" },
    {
      part: "a flag",
      sessions: { bad: { satisfied: "yes" } },
      problem: "sessions.bad.satisfied is neither true nor false",
    },
    {
      part: "a time",
      sessions: { bad: { ...good, expires_at: "soon" } },
      problem: "sessions.bad.expires_at is not a time",
    },
    {
      part: "a time out of range",
      sessions: { bad: { triggered_at: 1e300 } },
      problem: "sessions.bad.triggered_at is not a time",
    },
    {
      part: "metadata",
      sessions: { bad: { metadata: [] } },
      problem: "sessions.bad.metadata is not an object",
    },
    {
      part: "a word",
      sessions: { bad: { satisfied_by: 1 } },
      problem: "sessions.bad.satisfied_by is not a text",
    },
  ])(
    "drops only the standing with $part, tells it, and keeps the old file at the next change",
    async ({ sessions, problem }) => {
      await using dir = await tempDir();
      const place = readyPlace(dir);
      const path = dir.join("requirements", "main.json");
      const text = JSON.stringify({
        ...whole,
        requirements: { plan: { sessions: { ...sessions, a: good } } },
      });
      await writeFile(path, text);
      const { state, problems } = readGateState(place, "main");
      expect([state.sessions("plan"), state.standing("plan", sessionKey("a"))]).toEqual([["a"], satisfied]);
      expect(problems).toEqual([
        {
          path,
          problem: `is wrong in a part: requirements.plan.${problem}`,
          hint: "That part does not count; the next change keeps the file aside and leaves it out.",
        },
      ]);
      await changeGateState(place, "main", () => [satisfy("plan", "b")]);
      expect(await readFile(dir.join("requirements", aside), "utf8")).toBe(text);
      expect(readGateState(place, "main").problems).toEqual([]);
      expect(readGateState(place, "main").state.sessions("plan")).toEqual(["a", "b"]);
    },
  );

  it.each([
    { requirements: [], problems: ["requirements is not an object"] },
    { requirements: { plan: "x" }, problems: ["requirements.plan is not an object"] },
    { requirements: { plan: { sessions: [] } }, problems: ["requirements.plan.sessions is not an object"] },
    { requirements: { plan: { scope: 1 } }, problems: ["requirements.plan.scope is not a text"] },
    {
      requirements: { plan: { satisfied: 1 } },
      problems: ["requirements.plan.satisfied is neither true nor false"],
    },
    {
      requirements: {},
      version: [],
      project: 1,
      problems: ["version is not a text", "project is not a text"],
    },
  ])("tells of $problems, and keeps the rest", async ({ problems, requirements, ...more }) => {
    await using dir = await tempDir();
    const place = readyPlace(dir);
    const rest = { other: { sessions: { a: good } } };
    const all = Array.isArray(requirements) ? requirements : { ...requirements, ...rest };
    await writeFile(
      dir.join("requirements", "main.json"),
      JSON.stringify({ ...whole, ...more, requirements: all }),
    );
    const reading = readGateState(place, "main");
    expect(reading.problems.map(({ problem }) => problem)).toEqual(
      problems.map((problem) => `is wrong in a part: ${problem}`),
    );
    expect(reading.state.sessions("other")).toEqual(Array.isArray(requirements) ? [] : ["a"]);
    await changeGateState(place, "main", () => [satisfy("plan", "b")]);
    expect(readGateState(place, "main").problems).toEqual([]);
    expect(readGateState(place, "main").state.sessions("plan")).toEqual(["b"]);
  });

  it("tells of the first twenty of many", async () => {
    await using dir = await tempDir();
    const place = readyPlace(dir);
    const sessions = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`s${index}`, 1]));
    await writeFile(
      dir.join("requirements", "main.json"),
      JSON.stringify({ ...whole, requirements: { plan: { sessions } } }),
    );
    const { problems } = readGateState(place, "main");
    expect([problems.length, problems.at(-1)?.problem]).toEqual([
      21,
      "is wrong in a part: 10 other parts are not what they should be",
    ]);
  });
});

describe("times in a state file", () => {
  it.each([
    { time: 1_794_830_400 },
    { time: 1_794_830_400.25 },
    { time: "2026-11-16T12:00:00Z" },
    { time: "2026-11-16T13:00:00.250+01:00" },
  ])("are read from $time", async ({ time }) => {
    await using dir = await tempDir();
    const place = readyPlace(dir);
    const sessions = { a: { satisfied: true, expires_at: time } };
    await writeFile(
      dir.join("requirements", "main.json"),
      JSON.stringify({ ...whole, requirements: { plan: { sessions } } }),
    );
    const { expiresAt } = readGateState(place, "main").state.standing("plan", sessionKey("a"));
    expect(Math.floor((expiresAt?.getTime() ?? 0) / 1000)).toBe(1_794_830_400);
  });
});

it("says that the folder is none, and throws nothing", async () => {
  await using dir = await tempDir();
  const place = gatePlace(dir);
  await writeFile(place.folder, "");
  expect(readGateState(place, "main").problems.map(({ path }) => path)).toEqual([place.folder]);
  const { failure } = await changeGateState(place, "main", () => [satisfy("plan", "a")]);
  expect(failure?.code).toBe("not-a-folder");
});

it("neither reads nor changes through a link in the place of the folder", async () => {
  await using dir = await tempDir();
  const place = gatePlace(dir);
  await changeGateState(place, "main", () => [satisfy("plan", "a")]);
  await rename(place.folder, dir.join("moved"));
  await symlink(dir.join("moved"), place.folder);
  const { state, isReadable, problems } = readGateState(place, "main");
  expect([tellState(state), isReadable, problems]).toEqual([
    {},
    false,
    [
      {
        path: place.folder,
        problem: "is a symbolic link, and is not followed",
        hint: "Nothing is read or kept there, and no tool and no stop is refused; move it away, and the folder is made anew.",
      },
    ],
  ]);
  const before = await readFile(dir.join("moved", "main.json"), "utf8");
  const { failure } = await changeGateState(place, "main", () => [satisfy("plan", "b")]);
  expect([failure?.code, await readFile(dir.join("moved", "main.json"), "utf8")]).toEqual([
    "symlink-refused",
    before,
  ]);
});

it("says that a file may not be read, and moves it aside", async () => {
  await using dir = await tempDir();
  const place = readyPlace(dir);
  const path = dir.join("requirements", "main.json");
  await writeFile(path, JSON.stringify(whole));
  await chmod(path, 0);
  const isRoot = process.getuid?.() === 0;
  const problems = isRoot ? [] : ["may not be read"];
  expect(readGateState(place, "main").problems.map(({ problem }) => problem)).toEqual(problems);
  await changeGateState(place, "main", () => [satisfy("plan", "a")]);
  expect(await readdir(place.folder)).toEqual(isRoot ? ["main.json"] : [aside, "main.json"]);
});
