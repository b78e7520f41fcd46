import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { NewEntry } from "../../../src/sessions/entry.ts";
import { anyEmissions, type EmittedRow, lastOf } from "../../support/any-emissions.ts";
import { read } from "../../support/claude-transcripts.ts";
import { conversationOf, leafOf } from "../../support/client-conversation.ts";
import { describeOurs } from "../../support/described-talk.ts";

/** Reads rows piece by piece, with a state that was stored in between, and returns the entries and the last state. */
function readInPieces(rows: readonly EmittedRow[], places: readonly number[]) {
  const edges = [...places.filter((place) => place < rows.length), rows.length].toSorted((a, b) => a - b);
  const entries: NewEntry[] = [];
  let { state } = read([]);
  for (const [index, edge] of edges.entries()) {
    const piece = read(rows.slice(edges[index - 1] ?? 0, edge), JSON.parse(JSON.stringify(state)));
    entries.push(...piece.entries);
    state = piece.state;
  }
  return { entries, state };
}

describe("rows that come again and again", () => {
  it("give the same entries, however they are cut into pieces", () => {
    fc.assert(
      fc.property(anyEmissions, fc.array(fc.nat(30), { maxLength: 5 }), (rows, places) => {
        const { entries, state } = read(rows);
        expect(readInPieces(rows, places)).toEqual({ entries, state });
      }),
    );
  });

  it("are shown with what they held last", () => {
    fc.assert(
      fc.property(anyEmissions, (rows) => {
        const { entries } = read(rows);
        const said = conversationOf(entries, leafOf(entries)).map(describeOurs);
        expect(said.map(({ id, says }) => [id, ...says])).toEqual(lastOf(rows));
      }),
    );
  });

  it("give an entry for each change of what they hold, and none for what has not changed", () => {
    fc.assert(
      fc.property(anyEmissions, (rows) => {
        const held = new Map<string, string>();
        const changes = rows.filter(({ uuid, message: { content } }) => {
          const isChange = held.get(uuid) !== content;
          held.set(uuid, content);
          return isChange;
        });
        const { entries } = read(rows);
        expect(entries.map((entry) => describeOurs(entry))).toEqual(
          changes.map(({ uuid, message: { content } }) => ({ id: uuid, says: [content] })),
        );
        expect(new Set(entries.map(({ id }) => id)).size).toBe(entries.length);
      }),
    );
  });

  it("do not let what is remembered of them grow with how often they come", () => {
    const emit = (times: number) =>
      Array.from({ length: times }, (_, index) => ({
        ...{ type: "user", uuid: "u1", parentUuid: null },
        message: { role: "user", content: index % 2 === 0 ? "a" : "b" },
      }));
    const [few = 0, many = 0] = [10, 1000].map(
      (times) => JSON.stringify(read(emit(times)).state.rows).length,
    );
    expect(many - few).toBeLessThan(10);
  });
});
