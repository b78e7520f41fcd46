import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../src/sessions/entry.ts";
import { breakages, check, mend, middleOf, storedRows } from "../../support/broken-transcripts.ts";
import { fixture, fixtures, sessionOf } from "../../support/claude-transcripts.ts";

const whole = fixture("2.1.197/resumed") as readonly JsonObject[];
const lines = whole.map((row) => JSON.stringify(row));
const rows = storedRows(whole);

/** Returns the rows of lines by their ids, without their parents, which a mended one may have in another place. */
function rowsOf(texts: readonly string[]): ReadonlyMap<unknown, unknown> {
  const chain = texts.map((text) => JSON.parse(text)).filter(({ uuid }) => uuid !== undefined);
  return new Map(chain.map(({ parentUuid: _, ...row }) => [row.uuid, row]));
}

/** Expects that all rows of the store are loaded, and that nothing is left to mend. */
function expectWhole(mended: readonly string[]): void {
  const { faults, loads, counts } = check(mended.join("\n"), { rows });
  expect({ faults, restored: counts.restored }).toEqual({ faults: [], restored: 0 });
  expect(rows.flatMap(({ uuid = null }) => (uuid === null || loads.has(String(uuid)) ? [] : uuid))).toEqual(
    [],
  );
}

describe("a transcript that a client wrote", () => {
  it.each(fixtures)("has no fault, and lacks nothing that the store has: %s", (name) => {
    const recorded = fixture(name) as readonly JsonObject[];
    const text = recorded.map((row) => `${JSON.stringify(row)}\n`).join("");
    const session = sessionOf(recorded);
    const { faults, replaced, added, loads, holds } = check(text, {
      ...{ session, rows: storedRows(recorded, session) },
    });
    expect({ faults, replaced: [...replaced], added: [...added] }).toEqual({
      ...{ faults: [], replaced: [], added: [] },
    });
    expect(loads.size).toBeGreaterThan(0);
    expect([...loads].filter((entry) => !holds.has(entry))).toEqual([]);
  });

  it("lacks nothing where a prompt was typed while the model worked", () => {
    const [first, ...others] = whole;
    const typed = { type: "queue-operation", operation: "enqueue", content: "and the docs" };
    const recorded = [first, { ...typed, timestamp: first?.timestamp ?? null }, ...others] as JsonObject[];
    const stored = storedRows(recorded);
    expect(JSON.stringify(stored)).toContain("and the docs");
    const { added, counts } = check(recorded.map((row) => `${JSON.stringify(row)}\n`).join(""), {
      rows: stored,
    });
    expect([added.size, counts.restored]).toEqual([0, 0]);
  });
});

describe("a broken transcript", () => {
  it.each(breakages)("is named and mended without a good row lost: $name", ({ fault, damage }) => {
    const broken = damage(lines);
    const health = check(broken);
    expect(health.faults.map((each) => each.fault)).toContain(fault);
    const mended = mend(broken, health);
    expect(check(mended.join("\n")).faults).toEqual([]);
    const good = Buffer.from(broken)
      .toString("utf8")
      .split("\n")
      .filter((line) => lines.includes(line));
    expect([...rowsOf(mended)]).toEqual(expect.arrayContaining([...rowsOf(good)]));
  });

  it.each(breakages)("is whole again with the rows of the store: $name", ({ damage }) => {
    const broken = damage(lines);
    const mended = mend(broken, check(broken, { rows }));
    expectWhole(mended);
  });

  it("keeps each whole row between NULs, and nothing that NULs have parted", () => {
    const [first = "", second = "", third = "", ...others] = lines;
    const broken = [`${first.slice(0, 90)}\0\0${first.slice(95)}\0${second}\0\0\0${third}`, ...others].join(
      "\n",
    );
    expect(mend(broken, check(broken))).toEqual(lines.slice(1));
  });

  it("follows the store where the parent of a row that the store passes over is lost", () => {
    const chain = whole.filter(({ uuid }) => uuid !== undefined);
    const [parent, child] = [chain.at(5), chain.at(6)];
    const progress = {
      ...parent,
      type: "progress",
      message: undefined,
      data: {},
      uuid: "lost",
      parentUuid: "gone",
    };
    const from = lines.indexOf(JSON.stringify(parent));
    const broken = [
      ...lines.slice(0, from - 2),
      JSON.stringify(progress),
      JSON.stringify({ ...child, parentUuid: "lost" }),
      ...lines.slice(from + 2),
    ].join("\n");
    const mended = mend(broken, check(broken, { rows }));
    expect(mended.find((line) => line.includes('"uuid":"lost"'))).toContain(`"parentUuid":"${parent?.uuid}"`);
    expectWhole(mended);
  });

  it("takes the store's row for the head of a lost one with the tail of a later one", () => {
    const { answer, last } = middleOf(lines);
    const from = '"message":';
    const [head = "", tail = ""] = [lines[answer], lines[last]];
    const torn = head.slice(0, head.indexOf(from)) + tail.slice(tail.indexOf(from));
    const broken = [...lines.slice(0, answer), torn, ...lines.slice(last + 1)].join("\n");
    const mended = mend(broken, check(broken, { rows }));
    expect(mended).not.toContain(torn);
    expectWhole(mended);
  });

  it("brings the end back behind what the client noted after the last row that is left", () => {
    const { last } = middleOf(lines);
    const at = lines.findLastIndex((line, index) => index < last && JSON.parse(line).uuid !== undefined);
    const { uuid, ...others } = JSON.parse(lines[at] ?? "");
    const note = { ...others, type: "system", message: undefined, parentUuid: uuid, uuid: "note" };
    const broken = [...lines.slice(0, at + 1), JSON.stringify(note)].join("\n");
    const mended = mend(broken, check(broken, { rows }));
    expect(check(mended.join("\n")).loads).toContain(JSON.parse(lines[last] ?? "").uuid);
  });

  it("counts every place, and names the first", () => {
    const { faults } = check(`\0\0\n${lines.join("\n")}\n\0\n`);
    expect(faults).toEqual([{ fault: "nul-bytes", count: 2, line: 1 }]);
  });
});

describe("the day on which the client deletes a transcript", () => {
  it.each([
    { settings: undefined, days: 30 },
    { settings: '{"cleanupPeriodDays":3}', days: 3 },
    { settings: '{"cleanupPeriodDays":0}', days: 30 },
    { settings: "{", days: 30 },
  ])("is $days days after the last change where the settings are $settings", ({ settings, days }) => {
    expect(check("", { settings }).deletedAt).toEqual(new Date(days * 86_400_000));
  });
});
