import { describe, expect, it } from "vitest";
import { at, prompt, user } from "../../support/claude-rows.ts";
import { read } from "../../support/claude-transcripts.ts";

describe("a parent", () => {
  const skipped = (uuid: string, parentUuid: string | null) => ({
    ...{ type: "attachment", uuid, parentUuid, attachment: { type: "skill_listing" } },
  });

  it("is the nearest ancestor that is recorded", () => {
    const rows = [
      user("u1", "one"),
      skipped("s1", "u1"),
      skipped("s2", "s1"),
      user("u2", "two", { parentUuid: "s2" }),
    ];
    expect(read(rows).entries).toEqual([prompt("u1", "one"), prompt("u2", "two", "u1")]);
  });

  it("of a row after a rewind is where the client went back to", () => {
    const rows = [
      user("u1", "one"),
      user("u2", "two", { parentUuid: "u1" }),
      user("u3", "three", { parentUuid: "u1" }),
    ];
    const { entries, state } = read(rows);
    expect(entries).toEqual([prompt("u1", "one"), prompt("u2", "two", "u1"), prompt("u3", "three", "u1")]);
    expect(state.facts.leaf).toBe("u3");
  });

  it("keeps its place when the client writes its row again", () => {
    const rows = [user("u1", "one"), user("u2", "two", { parentUuid: "u1" }), user("u1", "one")];
    expect(read(rows).state.facts.leaf).toBe("u2");
  });

  it("that was lost from the middle is the row before, also for what follows a row without content", () => {
    const rows = [
      user("u1", "one"),
      skipped("s2", "lost"),
      user("u2", "two", { parentUuid: "s2" }),
      user("u3", "three", { parentUuid: "gone" }),
    ];
    expect(read(rows)).toMatchObject({
      entries: [prompt("u1", "one"), prompt("u2", "two", "u1"), prompt("u3", "three", "u2")],
      notes: [{ type: "orphan", entry: "u3", parent: "gone" }],
    });
  });

  it("that was never seen makes a new root at the beginning, and is reported", () => {
    const { entries, notes } = read([user("u1", "one", { parentUuid: "gone" })]);
    expect({ entries, notes }).toEqual({
      entries: [prompt("u1", "one")],
      notes: [{ type: "orphan", entry: "u1", parent: "gone" }],
    });
  });

  it("is found although the client wrote it later", () => {
    const rows = [
      user("u3", "three", { parentUuid: "u2" }),
      user("u4", "four", { parentUuid: "u3" }),
      user("u1", "one"),
      user("u2", "two", { parentUuid: "u1" }),
    ];
    const { entries, notes, state } = read(rows);
    expect({ entries, notes, leaf: state.facts.leaf }).toEqual({
      entries: [
        prompt("u1", "one"),
        prompt("u2", "two", "u1"),
        prompt("u3", "three", "u2"),
        prompt("u4", "four", "u3"),
      ],
      ...{ notes: [], leaf: "u4" },
    });
  });

  it("in a circle leaves no row out", () => {
    const rows = [
      user("u1", "one", { parentUuid: "u3" }),
      user("u2", "two", { parentUuid: "u1" }),
      user("u3", "three", { parentUuid: "u2" }),
      user("u4", "four", { parentUuid: "u4" }),
    ];
    const { entries, notes } = read(rows);
    expect({ entries, notes }).toEqual({
      entries: [
        prompt("u4", "four"),
        prompt("u1", "one", "u4"),
        prompt("u2", "two", "u1"),
        prompt("u3", "three", "u2"),
      ],
      notes: [
        { type: "orphan", entry: "u4", parent: "u4" },
        { type: "orphan", entry: "u1", parent: "u3" },
      ],
    });
  });

  it("is found 1,900 rows later; what is remembered does not grow without end", () => {
    const rows = Array.from({ length: 20_000 }, (_, index) =>
      skipped(`s${index}`, index === 0 ? null : `s${index - 1}`),
    );
    const { state } = read([...rows.slice(0, 18_100), user("u1", "one"), ...rows.slice(18_100)]);
    expect(state.rows).toHaveLength(2000);
    expect(read([user("u2", "two", { parentUuid: "u1" })], state).entries).toEqual([
      prompt("u2", "two", "u1"),
    ]);
  });
});

describe("a compaction", () => {
  const boundary = (compactMetadata: object) => ({
    ...{ type: "system", subtype: "compact_boundary", uuid: "b1", parentUuid: null, logicalParentUuid: "u2" },
    ...{ timestamp: "2026-11-15T12:00:00.000Z", compactMetadata },
  });
  const before = [user("u1", "one"), user("u2", "two", { parentUuid: "u1" })];
  const summary = user("c1", "It was said …", { parentUuid: "b1", isCompactSummary: true });
  const entry = { id: "c1", parent: null, at: at(0), kind: "summary", text: "It was said …", replaces: "u2" };

  it("is a summary that begins a new root and says what it replaces", () => {
    const rows = [...before, boundary({}), summary, user("u3", "three", { parentUuid: "c1" })];
    expect(read(rows).entries.slice(2)).toEqual([entry, prompt("u3", "three", "c1")]);
  });

  it("is what rows follow that follow what it kept", () => {
    const metadata = { preservedMessages: { anchorUuid: "c1", uuids: ["u1", "u2"] } };
    const rows = [...before, boundary(metadata), summary, user("u3", "three", { parentUuid: "u2" })];
    expect(read(rows).entries.slice(2)).toEqual([
      { ...entry, kept: ["u1", "u2"] },
      prompt("u3", "three", "c1"),
    ]);
  });

  it.each([
    { case: "listed", metadata: { preservedMessages: { anchorUuid: "c1", uuids: ["u1", "s1", "u2"] } } },
    {
      case: "a segment",
      metadata: { preservedSegment: { anchorUuid: "c1", headUuid: "u1", tailUuid: "u2" } },
    },
  ])("names what it kept word for word: $case", ({ metadata }) => {
    const rows = [...before, boundary(metadata), summary];
    expect(read(rows).entries.at(-1)).toEqual({ ...entry, kept: ["u1", "u2"] });
  });

  it("that was rewound keeps messages without a summary", () => {
    const metadata = { preservedMessages: { anchorUuid: "b1", uuids: ["u1"] }, durationMs: 0 };
    const rows = [...before, boundary(metadata), user("u3", "three", { parentUuid: "b1" })];
    expect(read(rows).entries.slice(2)).toEqual([
      { id: "b1", parent: null, at: at(0), kind: "summary", text: "", replaces: "u2", kept: ["u1"] },
      prompt("u3", "three", "b1"),
    ]);
  });
});
