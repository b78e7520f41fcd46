import { readdir, readFile, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readGateState } from "../../../src/gates/read-gate-state.ts";
import { changeGateState } from "../../../src/gates/state/change-gate-state.ts";
import type { GateChange, GatePlace } from "../../../src/gates/state/gate-state.ts";
import { gatePlace, satisfied, satisfy, sessionKey, tellState } from "../../support/gate-states.ts";
import { type TempDir, tempDir } from "../../support/temp-dir.ts";

const viewed = (dir: TempDir, viewFrom = 0) => gatePlace(dir, { cache: dir.join("cache"), viewFrom });
const at = (seconds: number) => ({ satisfiedAt: new Date(seconds * 1000) });
const many = (count: number) =>
  Array.from({ length: count }, (_, index) => satisfy("plan", `s${index}`, at(1000 + index)));

/** Changes a view so that whoever reads it can be told from whoever reads the file. */
async function markView(path: string): Promise<void> {
  await writeFile(path, (await readFile(path, "utf8")).replaceAll('"cli"', '"view"'));
}

const wayOf = (place: GatePlace, session: string) =>
  readGateState(place, "main").state.standing("plan", sessionKey(session)).satisfiedBy;

describe("a view of a large state file", () => {
  it("answers for the newest sessions and for those that are not there, and the file for older ones", async () => {
    await using dir = await tempDir();
    const place = viewed(dir);
    await changeGateState(place, "main", () => [...many(60), satisfy("plan", "all")]);
    await markView(dir.join("cache", "main.view"));
    const sessions = ["s59", "s10", "nobody", "all", "s9"];
    expect(sessions.map((session) => wayOf(place, session))).toEqual(["view", "view", null, "view", "cli"]);
    expect(readGateState(place, "main").state.sessions("plan")).toHaveLength(60);
  });

  it("is made by a reader where there is none, and is for its owner alone", async () => {
    await using dir = await tempDir();
    await changeGateState(gatePlace(dir), "main", () => many(2));
    expect(wayOf(viewed(dir), "s1")).toBe("cli");
    expect(await readdir(dir.join("cache"))).toEqual(["main.view"]);
  });

  it("is not made of a small file, nor where there is no folder for it", async () => {
    await using dir = await tempDir();
    await changeGateState(viewed(dir, 1_000_000), "main", () => many(2));
    await changeGateState(gatePlace(dir), "main", () => many(3));
    expect(await readdir(dir.path)).toEqual(["requirements"]);
  });

  it.each([
    { damage: "cut off", spoil: (text: string) => text.slice(0, -9) },
    { damage: "full of zeros", spoil: (text: string) => text.replaceAll("s59", "\0\0\0") },
    { damage: "no view", spoil: () => "{}\nend" },
    { damage: "of another branch", spoil: (text: string) => text.replace('"branch":"main"', '"branch":"x"') },
    { damage: "of another version", spoil: (text: string) => text.replace('"version":2', '"version":1') },
    { damage: "unreadable in a line", spoil: (text: string) => text.replace('{"plan":', '{"plan"!') },
  ])("is not believed when it is $damage", async ({ spoil }) => {
    await using dir = await tempDir();
    const place = viewed(dir);
    await changeGateState(place, "main", () => many(60));
    const path = dir.join("cache", "main.view");
    await markView(path);
    await writeFile(path, spoil(await readFile(path, "utf8")));
    expect(wayOf(place, "s59")).toBe("cli");
  });

  it("is not believed when it is not younger than the file, which may have changed in the same moment", async () => {
    await using dir = await tempDir();
    const place = viewed(dir);
    await changeGateState(place, "main", () => many(2));
    const view = dir.join("cache", "main.view");
    await markView(view);
    expect(wayOf(place, "s1")).toBe("view");
    const { ctimeMs } = await stat(dir.join("requirements", "main.json"));
    await utimes(view, ctimeMs / 1000, Math.floor(ctimeMs) / 1000);
    expect(wayOf(place, "s1")).toBe("cli");
  });

  it("tells of wrong parts as the file does", async () => {
    await using dir = await tempDir();
    const place = viewed(dir);
    await changeGateState(place, "main", () => many(2));
    const path = dir.join("requirements", "main.json");
    await writeFile(path, (await readFile(path, "utf8")).replace('"satisfied": true', '"satisfied": 1'));
    const { problems } = readGateState(gatePlace(dir), "main");
    const twice = [readGateState(place, "main"), readGateState(place, "main")];
    expect(problems).toHaveLength(1);
    expect(twice.map((reading) => reading.problems)).toEqual([problems, problems]);
  });

  it("does not hide that the file became another while the state was asked", async () => {
    await using dir = await tempDir();
    const place = viewed(dir);
    await changeGateState(place, "main", () => many(60));
    const { state, problems } = readGateState(place, "main");
    await writeFile(dir.join("requirements", "main.json"), "{");
    expect([state.sessions("plan"), problems.length]).toEqual([[], 1]);
  });

  it("serves a branch whose name another branch has, until that changes", async () => {
    await using dir = await tempDir();
    const place = viewed(dir);
    await changeGateState(place, "a-b", () => [satisfy("plan", "x")]);
    await changeGateState(place, "a/b", () => [satisfy("plan", "y")]);
    expect(readGateState(place, "a/b").state.sessions("plan")).toEqual(["y"]);
    const plain = dir.join("requirements", "a-b.json");
    await writeFile(plain, (await readFile(plain, "utf8")).replace('"branch": "a-b"', '"branch": "a/b"'));
    expect(readGateState(place, "a/b").state.sessions("plan")).toEqual(["x"]);
  });
});

const sessions = Array.from({ length: 56 }, (_, index) => `s${index}`);
const gates = ["plan", "review", "__proto__"];
const anyChange: fc.Arbitrary<GateChange> = fc.oneof(
  fc
    .tuple(fc.constantFrom(...gates), fc.constantFrom(...sessions, "all", "new", "cad0ac4d"), fc.nat(2000))
    .map(([gate, session, seconds]) => satisfy(gate, session, at(seconds))),
  fc
    .tuple(fc.constantFrom(...gates), fc.constantFrom(...sessions.slice(50), "all", "every-session"))
    .map(([gate, session]) => ({ type: "forget", gate, session: sessionKey(session) }) as const),
);

type Step =
  | { readonly type: "change"; readonly changes: readonly GateChange[] }
  | { readonly type: "in-place" | "renamed" | "broken" | "gone" | "uuid" };
const anyStep: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.array(anyChange, { maxLength: 4 }).map((changes) => ({ type: "change", changes }) as const),
  },
  {
    weight: 4,
    arbitrary: fc
      .constantFrom<Step["type"]>("in-place", "in-place", "renamed")
      .map((type) => ({ type }) as Step),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom<Step["type"]>("broken", "gone", "uuid").map((type) => ({ type }) as Step),
  },
);

let turn = 0;

/** Does what another tool may do to a state file. */
async function takeStep(place: GatePlace, path: string, step: Step): Promise<void> {
  if (step.type === "change") {
    expect((await changeGateState(place, "main", () => step.changes)).failure).toBeUndefined();
    return;
  }
  if (step.type === "gone") return rm(path, { force: true });
  const text = await readFile(path, "utf8").catch(() => "{}\n");
  turn += 1;
  // As long as before, so that nothing but the times can tell.
  const word = `"satisfied_by": "${"abc"[turn % 3]}${turn % 10}${turn % 7}"`;
  const other = text.replaceAll(/"satisfied_by": "..."/g, word);
  if (step.type === "in-place") return writeFile(path, other);
  if (step.type === "broken") return writeFile(path, text.slice(0, -9));
  const uuid = text.replace('"s3"', '"cad0ac4d-3933-45ad-9a1c-14aec05bb940"');
  await writeFile(`${path}.tmp`, step.type === "uuid" ? uuid : other);
  await rename(`${path}.tmp`, path);
}

/** Asks for every standing without asking for the sessions first: a view cannot answer that. */
function tellAll(place: GatePlace) {
  const { state, problems } = readGateState(place, "main");
  const keys = ["all", "new", "nobody", "cad0ac4d", ...sessions].map(sessionKey);
  const told = state
    .gates()
    .map((gate) => [gate, keys.map((key) => [key, state.standing(gate, key)])] as const);
  return { told, problems: [...problems] };
}

it("agrees with the file in any history of changes, by us and by others", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { maxLength: 12 }), async (steps) => {
      await using dir = await tempDir();
      const place = viewed(dir);
      await changeGateState(place, "main", () => sessions.map((session) => satisfy("plan", session, at(1))));
      for (const step of steps) {
        await takeStep(place, dir.join("requirements", "main.json"), step);
        const [one, whole, two] = [tellAll(place), tellAll(gatePlace(dir)), tellAll(place)];
        expect([one, two]).toEqual([whole, whole]);
      }
      expect(tellState(readGateState(place, "main").state)).toEqual(
        tellState(readGateState(gatePlace(dir), "main").state),
      );
    }),
    { numRuns: 30 },
  );
});

it("answers as the file does for a session that it has", async () => {
  await using dir = await tempDir();
  await changeGateState(viewed(dir), "main", () => [satisfy("plan", "all"), satisfy("plan", 'a"b\n\t')]);
  const { state } = readGateState(viewed(dir), "main");
  expect(state.standing("plan", sessionKey('a"b\n\t'))).toEqual(satisfied);
  expect(state.standing("none", sessionKey('a"b\n\t')).satisfied).toBe(false);
});
