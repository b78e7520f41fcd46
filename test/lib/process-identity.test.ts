import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  comparePlaces,
  isAlive,
  type ProcessIdentity,
  parseProcStat,
  parsePs,
  processFacts,
  readOwnIdentity,
} from "../../src/lib/process-identity.ts";
import { startChild } from "../support/child.ts";

async function startIdentified() {
  const child = startChild("identity-child.ts");
  const identity = JSON.parse((await child.next()) ?? "") as ProcessIdentity;
  return { child, identity, [Symbol.asyncDispose]: () => child[Symbol.asyncDispose]() };
}

describe("isAlive", () => {
  it("says alive of this process", async () => {
    expect(await isAlive(await readOwnIdentity())).toBe("alive");
  });

  it("says alive of another process, also while it is stopped, and gone once it is killed", async () => {
    await using other = await startIdentified();
    expect(other.identity).toEqual({
      ...(await readOwnIdentity()),
      pid: other.child.pid,
      started: other.identity.started,
    });
    expect(await isAlive(other.identity)).toBe("alive");
    other.child.kill("SIGSTOP");
    expect(await isAlive(other.identity)).toBe("alive");
    other.child.kill("SIGKILL");
    await other.child.ended();
    expect(await isAlive(other.identity)).toBe("gone");
  });

  it("says gone of a process whose id another one has now", async () => {
    expect(await isAlive({ ...(await readOwnIdentity()), started: "1" })).toBe("gone");
  });

  it("goes by the id alone where no start is known", async () => {
    expect(await isAlive({ ...(await readOwnIdentity()), started: null })).toBe("alive");
  });

  it("does not know a process that is there but hidden", async () => {
    expect(await isAlive(await readOwnIdentity(), processFacts("win32"))).toBe("unknown");
  });

  it.each([0, -1, 1.5, Number.NaN])("does not know a process with the id %d", async (pid) => {
    expect(await isAlive({ ...(await readOwnIdentity()), pid })).toBe("unknown");
  });

  it.each([{ host: "elsewhere" }, { machine: "other" }, { machine: null }, { pidNamespace: "pid:[1]" }])(
    "cannot know about a dead process at %j",
    async (place) => {
      await using other = await startIdentified();
      other.child.kill("SIGKILL");
      await other.child.ended();
      expect(await isAlive({ ...other.identity, ...place })).toBe("unknown");
    },
  );
});

describe("comparePlaces", () => {
  const here: ProcessIdentity = {
    pid: 7,
    started: "1",
    boot: "monday",
    host: "desk",
    machine: "m1",
    pidNamespace: "pid:[4026531836]",
  };
  const container = "pid:[4026532999]";

  it.each([
    { case: "here when only the process differs", there: { pid: 8, started: "2" }, answer: "here" },
    { case: "gone after another boot", there: { boot: "sunday" }, answer: "gone" },
    { case: "unknown when its boot is not known", there: { boot: null }, answer: "unknown" },
    { case: "unknown when our boot is not known", own: { boot: null }, answer: "unknown" },
    {
      case: "unknown after another boot of a machine without an id",
      own: { machine: null },
      there: { machine: null, boot: "sunday" },
      answer: "unknown",
    },
    {
      case: "unknown after another boot inside a container",
      own: { pidNamespace: container },
      there: { pidNamespace: container, boot: "sunday" },
      answer: "unknown",
    },
    {
      case: "gone after another boot where there are no namespaces",
      own: { pidNamespace: null },
      there: { pidNamespace: null, boot: "sunday" },
      answer: "gone",
    },
  ])("is $case", ({ own = {}, there = {}, answer }) => {
    expect(comparePlaces({ ...here, ...there }, { ...here, ...own })).toBe(answer);
  });

  it("never says gone of another machine or namespace", () => {
    const name = fc.constantFrom("a", "b", null);
    const identity = fc.record({
      pid: fc.nat(),
      started: name,
      boot: name,
      host: fc.constantFrom("a", "b"),
      machine: name,
      pidNamespace: fc.constantFrom(here.pidNamespace, container, null),
    });
    fc.assert(
      fc.property(identity, identity, (one, other) => {
        const same =
          one.host === other.host && one.machine === other.machine && one.pidNamespace === other.pidNamespace;
        fc.pre(!same);
        expect(comparePlaces(one, other)).toBe("unknown");
      }),
    );
  });
});

describe("parseProcStat", () => {
  const stat = (name: string, state: string) =>
    `4711 (${name}) ${state} 1 4711 4711 0 -1 4194304 100 0 0 0 1 2 0 0 20 0 11 0 987654 1000 100 18446744073709551615`;

  it.each([
    { case: "the start in ticks", text: stat("node", "S"), start: "987654" },
    { case: "the start past a name with brackets and spaces", text: stat("a) Z 1 (b", "R"), start: "987654" },
    { case: "no start of a process that waits to be reaped", text: stat("node", "Z"), start: "ended" },
    { case: "null for anything else", text: "", start: null },
  ])("returns $case", ({ text, start }) => {
    expect(parseProcStat(text)).toBe(start);
  });
});

describe("parsePs", () => {
  it.each([
    { case: "the start in seconds", text: "S    Sun Nov 15 20:06:08 2026\n", start: "1794773168" },
    { case: "the start in single digits", text: "Ss+  Mon Mar  2 01:02:03 2026", start: "1772413323" },
    {
      case: "no start of a process that waits to be reaped",
      text: "Z    Sun Nov 15 20:06:08 2026",
      start: "ended",
    },
    { case: "null for anything else", text: "S    when it was ready", start: null },
    { case: "null for nothing", text: "", start: null },
  ])("returns $case", ({ text, start }) => {
    expect(parsePs(text)).toBe(start);
  });
});

it("tells nothing on a system it does not know", async () => {
  const facts = processFacts("win32");
  expect(
    await Promise.all([
      facts.readStart(process.pid),
      facts.readBoot(),
      facts.readMachine(),
      facts.readPidNamespace(),
    ]),
  ).toEqual([null, null, null, null]);
});
