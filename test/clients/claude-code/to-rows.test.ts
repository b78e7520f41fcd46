import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toRows as write } from "../../../src/clients/claude-code/to-rows.ts";
import type { Entry, NewEntry } from "../../../src/sessions/entry.ts";
import { mainStrand, parseSessionId } from "../../../src/sessions/ids.ts";
import { cases } from "../../support/cases.ts";
import { anyTranscript, fixture, fixtures, read, sessionOfClient } from "../../support/claude-transcripts.ts";
import { conversationOf, leafOf } from "../../support/client-conversation.ts";
import { describeOurs } from "../../support/described-talk.ts";

const target = {
  ...{ id: sessionOfClient, session: parseSessionId(sessionOfClient), cwd: "/home/me", version: "2.1.325" },
  branches: new Map([[parseSessionId(sessionOfClient), "main"]]),
};

/** Returns entries as a store would have them. */
function stored(entries: readonly NewEntry[]): readonly Entry[] {
  const session = parseSessionId(sessionOfClient);
  return entries.map(
    (entry, at) => ({ strand: mainStrand, parent: null, ...entry, session, seq: at + 1 }) as Entry,
  );
}

/** What a model is told of a conversation; a picture is a note. */
function talkOf(entries: readonly NewEntry[]): readonly unknown[] {
  return conversationOf(entries, leafOf(entries))
    .map(describeOurs)
    .filter((message) => !JSON.stringify(message).includes("No result was recorded"));
}

/** Writes what was read, and reads it again. */
function again(entries: readonly NewEntry[]): readonly NewEntry[] {
  const [file] = write(stored(entries), target).files;
  return read(JSON.parse(JSON.stringify(file?.rows ?? []))).entries;
}

describe("rows that are written from entries", () => {
  it.each(fixtures)("say the same when they are read again: %s", (name) => {
    const { entries } = read(fixture(name));
    expect(talkOf(again(entries))).toEqual(talkOf(entries));
  });

  it("say the same when they are read again, for any transcript", () => {
    fc.assert(
      fc.property(anyTranscript, (rows) => {
        const { entries } = read(rows);
        expect(talkOf(again(entries))).toEqual(talkOf(entries));
      }),
      { numRuns: cases(2000) },
    );
  });
});
