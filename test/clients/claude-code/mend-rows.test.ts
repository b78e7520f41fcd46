import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../src/sessions/entry.ts";
import { check, mend, storedRows, storedSession } from "../../support/broken-transcripts.ts";
import { anyTranscript, fixture, fixtures, sessionOf } from "../../support/claude-transcripts.ts";
import { contentOf, mutations, random } from "../../support/mutated-transcripts.ts";

/** A recorded transcript, and what a store has that has taken it in. */
function record(name: string) {
  const rows = fixture(name) as readonly JsonObject[];
  const session = sessionOf(rows);
  const { files, context } = storedSession(rows, session);
  return { session, context, lines: rows.map((row) => JSON.stringify(row)), rows: files[0]?.rows ?? [] };
}

type Recorded = ReturnType<typeof record>;

/** Mends a transcript; returns what is wrong with the mended one. */
function repair({ session, rows, context }: Omit<Recorded, "lines">, broken: string | Buffer) {
  const mended = mend(broken, check(broken, { session, rows }));
  const text = mended.join("\n");
  const { faults, loads, replaced, added } = check(text, { session, rows });
  return {
    mended,
    left: {
      faults: [...faults, ...check(text, { session }).faults],
      changes: [...replaced, ...added],
      notLoaded: context.filter((entry) => !loads.has(entry)),
    },
  };
}

const nothing = { faults: [], changes: [], notLoaded: [] };

const isRow = (line: string) => JSON.parse(line).uuid !== undefined;
const setParent = (line = "", parentUuid: string | null = null) =>
  JSON.stringify({ ...JSON.parse(line), parentUuid });

/** Returns the head of a line with the tail of another one, which is a row. */
function tear(head = "", tail = "", at = '"isSidechain":'): string {
  return head.slice(0, head.indexOf(at)) + tail.slice(tail.indexOf(at));
}

interface Damage {
  readonly name: string;
  readonly from: string;
  readonly damage: (lines: readonly string[]) => readonly string[];
}

const chain = (lines: readonly string[]) => lines.filter(isRow);
const typeAt = (lines: readonly string[], type: string, nth = 0) =>
  lines.filter((line) => JSON.parse(line).type === type)[nth] ?? "";

const damages: readonly Damage[] = [
  {
    name: "nothing but the boundary of a compaction is left",
    from: "2.1.197/fork-of-fork",
    damage: (lines) => lines.filter((line) => line.includes("compact_boundary")),
  },
  {
    name: "it ends with the boundary of a compaction",
    from: "2.1.197/compacted",
    damage: (lines) => lines.slice(0, lines.findIndex((line) => line.includes("compact_boundary")) + 1),
  },
  {
    name: "it ends behind a first prompt that stands behind its answer",
    from: "2.1.197/rewound",
    damage: (lines) => lines.slice(0, lines.indexOf(chain(lines)[5] ?? "")),
  },
  {
    name: "a prompt and its answer are lost, and what the client noted between them is not",
    from: "2.1.325/fork-of-compacted",
    damage: (lines) =>
      lines.filter((line) => !line.includes("fork right after") && !line.includes('"end_turn"')),
  },
  {
    name: "the first prompt is lost, and a note beside it has its head",
    from: "2.1.197/hooks",
    damage: (lines) => {
      const [, , prompt = "", , note = ""] = chain(lines);
      const from = lines.indexOf(prompt);
      return [...lines.slice(0, from), tear(prompt, note), ...lines.slice(lines.indexOf(note) + 1)];
    },
  },
  {
    name: "a note in front of a command has the head of a lost row",
    from: "2.1.197/compacted",
    damage: (lines) => {
      const note = lines.findIndex((line) => line.includes("local-command-caveat"));
      const answer = lines.indexOf(chain(lines)[5] ?? "");
      return [...lines.slice(0, answer), tear(lines[answer], lines[note]), ...lines.slice(note + 1)];
    },
  },
  {
    name: "its last row also stands before, where it has no parent yet",
    from: "2.1.197/compacted",
    damage: (lines) => [...lines.slice(0, 8), chain(lines).at(-1) ?? "", ...lines.slice(8)],
  },
  {
    name: "its last row is lost, and what follows that stands at the beginning",
    from: "2.1.325/rewound",
    damage: (lines) => {
      const [last = "", note = ""] = chain(lines).slice(-2);
      return [lines[0] ?? "", chain(lines)[0] ?? "", note, ...lines.slice(5).filter((line) => line !== last)];
    },
  },
  {
    name: "the id of a prompt is damaged",
    from: "2.1.197/forked",
    damage: (lines) => {
      const { uuid } = JSON.parse(typeAt(lines, "user"));
      return lines.slice(0, -1).map((line) => line.replace(`"uuid":"${uuid}"`, `"uuid":"_${uuid.slice(1)}"`));
    },
  },
  {
    name: "a newline stands in the id of a parent, and the row stands twice",
    from: "2.1.197/resumed",
    damage: (lines) => {
      const row = chain(lines)[6] ?? "";
      return lines.flatMap((line) => (line === row ? [row.replace('Uuid":"', 'Uuid":"\n'), row] : [line]));
    },
  },
  {
    name: "a row stands twice, once with a damaged parent",
    from: "2.1.197/resumed",
    damage: (lines) => {
      const row = chain(lines)[6] ?? "";
      return lines.flatMap((line) => (line === row ? [setParent(row, "nowhere"), row] : [line]));
    },
  },
  {
    name: "it was written on from an earlier place, so that a note has the head of a later row",
    from: "2.1.325/compacted",
    damage: (lines) => {
      const all = chain(lines);
      const [note = "", later = ""] = [all[2], all[20]];
      return [
        ...lines.slice(0, lines.indexOf(later)),
        tear(later, note),
        ...lines.slice(lines.indexOf(note) + 1),
      ];
    },
  },
  {
    name: "a row has no parent, and what it follows is lost",
    from: "2.1.325/titled",
    damage: (lines) => {
      const [, note = "", lost = ""] = chain(lines);
      return lines
        .flatMap((line) => {
          if (line === lost) return [];
          return [JSON.parse(line).parentUuid === JSON.parse(lost).uuid ? setParent(line) : line];
        })
        .filter((line) => line !== note);
    },
  },
];

describe("a damaged transcript of a recorded session", () => {
  it.each(damages)("is loaded whole once it is mended, although $name", ({ from, damage }) => {
    const { lines, ...recorded } = record(from);
    const broken = damage(lines);
    expect(broken).not.toEqual(lines);
    const { mended, left } = repair(recorded, broken.join("\n"));
    expect(left).toEqual(nothing);
    const values = new Set(mended.map(contentOf));
    expect(broken.filter((line) => lines.includes(line) && !values.has(contentOf(line)))).toEqual([]);
  });

  it("goes on with what somebody said after the damage", () => {
    const { lines, ...recorded } = record("2.1.197/resumed");
    const { rows } = recorded;
    const [left, last] = [lines.slice(0, 9), JSON.parse(chain(lines.slice(0, 9)).at(-1) ?? "")];
    const said = { ...JSON.parse(typeAt(lines, "user")), uuid: "new", parentUuid: last.uuid };
    const { mended } = repair(recorded, [...left, JSON.stringify(said)].join("\n"));
    expect(mended.at(-1)).toBe(JSON.stringify(said));
    expect(mended.length).toBeGreaterThan(rows.length);
  });

  it("keeps what the client noted on the way to a row that comes back", () => {
    const { lines, ...recorded } = record("2.1.325/titled");
    const answer = lines.findIndex((line) => JSON.parse(line).type === "assistant");
    const before = JSON.parse(chain(lines.slice(0, answer)).at(-1) ?? "");
    const { mended } = repair(recorded, lines.slice(0, answer).join("\n"));
    const back = mended.map((line) => JSON.parse(line)).find(({ type }) => type === "assistant");
    expect([before.type, back.parentUuid]).toEqual(["attachment", before.uuid]);
  });

  it("has each row that Carryon writes of an entry, also where only one of them is lost", () => {
    const said = { type: "message", id: "msg_1", role: "assistant", model: "claude" };
    const content = [
      { type: "text", text: "one" },
      { type: "text", text: "two" },
    ];
    const rows = storedRows([
      { type: "user", uuid: "prompt", parentUuid: null, message: { role: "user", content: "Go" } },
      { type: "assistant", uuid: "answer", parentUuid: "prompt", message: { ...said, content } },
    ]);
    const lines = rows.map((row) => JSON.stringify(row));
    for (const lost of lines.filter(isRow)) {
      const broken = lines.filter((line) => line !== lost).join("\n");
      const texts = mend(broken, check(broken, { rows })).map((line) => JSON.parse(line));
      expect(texts).toHaveLength(rows.length);
    }
  });

  it("is loaded whole, and mended once, whatever the damage", () => {
    const names = Object.keys(mutations);
    for (let seed = 0; seed < 120; seed += 1) {
      const next = random(seed);
      const pick = (below: number) => Math.floor(next() * below);
      const { lines, ...recorded } = record(fixtures[pick(fixtures.length)] ?? "");
      let broken = Buffer.from(`${lines.join("\n")}\n`);
      const done = Array.from({ length: 1 + pick(3) }, () => names[pick(names.length)] ?? "");
      for (const name of done) broken = Buffer.from(mutations[name]?.(broken, pick) ?? broken);
      const { mended, left } = repair(recorded, broken);
      // The order of rows is left as it is.
      const notLoaded = done.includes("swapped lines") ? [] : left.notLoaded;
      const values = new Set(mended.map(contentOf));
      const good = broken
        .toString("utf8")
        .split("\n")
        .filter((line) => lines.includes(line));
      expect({
        seed,
        left: { ...left, notLoaded },
        lost: good.filter((line) => !values.has(contentOf(line))),
      }).toEqual({ seed, left: nothing, lost: [] });
    }
  });
});

describe("a whole transcript", () => {
  it("is not changed, whatever the client wrote", () => {
    fc.assert(
      fc.property(anyTranscript, (written) => {
        const text = written.map((row) => `${JSON.stringify(row)}\n`).join("");
        const { faults, counts } = check(text, { rows: storedRows(written as readonly JsonObject[]) });
        // An answer may be cut off by the next prompt, and a row may come again.
        const known = new Set(["open-call", "duplicate-row"]);
        expect([faults.filter(({ fault }) => !known.has(fault)), counts.restored]).toEqual([[], 0]);
      }),
    );
  });
});
