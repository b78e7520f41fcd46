import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { startTranscript } from "../../../src/clients/claude-code/transcript-state.ts";
import type { NewEntry } from "../../../src/sessions/entry.ts";
import { makeEntryId } from "../../../src/sessions/ids.ts";
import { parseNewEntry } from "../../../src/sessions/parse-new-entry.ts";
import { cases } from "../../support/cases.ts";
import {
  anyOddTranscript,
  fixture,
  fixtures,
  read,
  sessionOfClient,
} from "../../support/claude-transcripts.ts";
import { collect, newSession } from "../../support/entries.ts";
import { openSqliteTestLog } from "../../support/test-log.ts";

const anyValue = fc.jsonValue({ maxDepth: 2 }).map((value) => JSON.parse(JSON.stringify(value)));
const anyId = fc.constantFrom("u1", "u2", "u3");

/** A value, or an object with the fields that the client writes, each with a value that may be anything. */
const anyFields = (names: Readonly<Record<string, fc.Arbitrary<unknown>>>) =>
  fc.oneof(
    { weight: 1, arbitrary: anyValue },
    { weight: 4, arbitrary: fc.record(names, { requiredKeys: [] }) },
  );

const anyBlock = anyFields({
  type: fc.constantFrom(
    "text",
    "thinking",
    "image",
    "document",
    "tool_use",
    "tool_result",
    "redacted_thinking",
  ),
  ...{ text: anyValue, thinking: anyValue, signature: anyValue, content: anyValue, input: anyValue },
  ...{
    id: anyId,
    name: anyId,
    tool_use_id: anyId,
    is_error: anyValue,
    source: anyFields({ data: anyValue }),
  },
});

const anyShape = fc.record(
  {
    type: fc.constantFrom(
      "user",
      "assistant",
      "system",
      "attachment",
      "progress",
      "hologram",
      "tag",
      "summary",
      "pr-link",
    ),
    ...{ uuid: anyId, parentUuid: anyId, timestamp: fc.oneof(anyValue, fc.date().map(String)) },
    ...{ isMeta: anyValue, isSidechain: anyValue, agentId: anyValue, isCompactSummary: fc.boolean() },
    message: anyFields({
      ...{
        id: anyId,
        model: anyValue,
        usage: anyFields({ input_tokens: anyValue, output_tokens: fc.integer() }),
      },
      content: fc.oneof(anyValue, fc.array(anyBlock, { maxLength: 3 })),
    }),
    ...{
      subtype: fc.constantFrom("compact_boundary", "api_error", "other"),
      content: anyValue,
      error: anyValue,
    },
    compactMetadata: anyFields({ preservedMessages: anyFields({ anchorUuid: anyId, uuids: anyValue }) }),
    logicalParentUuid: anyId,
    attachment: anyFields({
      type: fc.constantFrom(
        "queued_command",
        "hook_success",
        "hook_blocking_error",
        "file",
        "structured_output",
      ),
      ...{ prompt: anyValue, content: anyValue, filename: anyValue, blockingError: anyValue },
    }),
    toolUseResult: anyFields({ filePath: anyValue, structuredPatch: anyValue, status: anyValue }),
    ...{
      tag: anyValue,
      summary: anyValue,
      leafUuid: anyId,
      prNumber: anyValue,
      prUrl: anyValue,
      forkedFrom: anyValue,
    },
  },
  { requiredKeys: ["type", "uuid"] },
);

describe("any transcript", () => {
  const cuts = fc.array(fc.nat(60), { maxLength: 6 });

  it("gives the same entries and the same state, however it is cut into batches", () => {
    fc.assert(
      fc.property(anyOddTranscript, cuts, (rows, places) => {
        const whole = read(rows);
        let state = startTranscript(sessionOfClient);
        const entries: NewEntry[] = [];
        const edges = [0, ...places.toSorted((one, other) => one - other), rows.length];
        for (const [index, edge] of edges.slice(1).entries()) {
          const absorbed = read(rows.slice(edges[index], edge), JSON.parse(JSON.stringify(state)));
          state = absorbed.state;
          entries.push(...absorbed.entries);
        }
        expect({ entries, state }).toEqual({ entries: whole.entries, state: whole.state });
      }),
    );
  });

  it("gives valid entries with ids of their own, each after its parent", () => {
    fc.assert(
      fc.property(anyOddTranscript, (rows) => {
        const { entries } = read(rows);
        const seen = new Set<string | null>([null]);
        for (const entry of entries) {
          const make = { now: new Date("2100-01-01"), entryId: () => makeEntryId(new Date()) };
          expect(parseNewEntry(JSON.parse(JSON.stringify(entry)), make)).toEqual(entry);
          expect(seen).toContain(entry.parent);
          expect(seen).not.toContain(entry.id);
          seen.add(entry.id);
        }
      }),
    );
  });

  it("is read without a failure, whatever its fields hold", () => {
    fc.assert(
      fc.property(fc.array(anyShape, { maxLength: 12 }), (rows) => {
        const { entries, state } = read(rows);
        for (const entry of entries) {
          const make = { now: new Date("9999-12-31"), entryId: () => makeEntryId(new Date()) };
          expect(parseNewEntry(JSON.parse(JSON.stringify(entry)), make)).toEqual(entry);
        }
        expect(JSON.parse(JSON.stringify(state))).toEqual(state);
      }),
      { numRuns: cases(1000) },
    );
  });

  it("adds nothing when the client writes its conversation again", () => {
    fc.assert(
      fc.property(anyOddTranscript, (rows) => {
        // Of a row that came with several contents the last one counts.
        const spoken = new Map(rows.flatMap((row) => ("uuid" in row ? [[row.uuid, row]] : [])));
        expect(read([...spoken.values()], read(rows).state).entries).toEqual([]);
      }),
    );
  });

  it.each([...fixtures, "2.1.325/subagent"])("is stored once, however often it is read: %s", async (name) => {
    await using test = await openSqliteTestLog();
    const { id } = await test.log.open(newSession("s", test.project, { client: "claude-code" }));
    const { entries } = read(fixture(name));
    const first = await test.log.append(id, entries);
    const second = await test.log.append(id, read(fixture(name)).entries);
    expect(first.map((receipt) => receipt.isNew)).toEqual(entries.map(() => true));
    expect(second.map((receipt) => receipt.isNew)).toEqual(entries.map(() => false));
    const stored = await collect(test.log.read(id));
    expect(stored.map(({ seq: _seq, session: _session, ...entry }) => entry)).toEqual(
      entries.map((entry) => ({ strand: "main", ...entry })),
    );
  });
});
