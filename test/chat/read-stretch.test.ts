import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readStretch } from "../../src/chat/read-stretch.ts";
import type { EntryContent, NewEntry } from "../../src/sessions/entry.ts";
import { type EntryId, parseEntryId } from "../../src/sessions/ids.ts";
import { visibleTalk } from "../../src/sessions/visible-talk.ts";
import { one, openWithSession, two } from "../contract/test-log.ts";
import { assistant, call, result, text, tool, user } from "../support/chat-entries.ts";
import { idsOf, newFork, start } from "../support/entries.ts";
import { openSqliteTestLog } from "../support/test-log.ts";

const named = (id: string, content: EntryContent, parent?: string | null): NewEntry => ({
  ...content,
  id: parseEntryId(id),
  at: start,
  ...(parent === undefined ? {} : { parent: parent === null ? null : parseEntryId(parent) }),
});
const say = (id: string, parent?: string | null) => named(id, user(text(id)), parent);
const event = (id: string, name: string, data = {}, parent?: null) =>
  named(id, { kind: "event", event: name, data }, parent);
const summary = (id: string, replaces: string | null, ...kept: readonly string[]) =>
  named(id, {
    ...{ kind: "summary", text: id, replaces: replaces === null ? null : parseEntryId(replaces) },
    kept: kept.map(parseEntryId),
  });

async function read(entries: readonly NewEntry[], reach: number) {
  await using test = await openWithSession(openSqliteTestLog);
  await test.log.append(one, entries);
  const found = await readStretch(test.log, { id: one, entries: entries.length }, { reach });
  return { ids: idsOf(found.entries), messages: found.messages };
}

const from = "from-0123456789ab-";

describe("the stretch that a session is in", () => {
  it.each([
    {
      case: "is all of it where it was never reset",
      entries: [say("a"), say("b"), say("c")],
      found: { ids: ["a", "b", "c"], messages: 3 },
    },
    {
      case: "begins with the last reset",
      entries: [say("a"), event("r", "reset", {}, null), say("b"), say("c")],
      found: { ids: ["r", "b", "c"], messages: 2 },
    },
    {
      case: "is the path to the newest entry, without what a client has rewound",
      entries: [say("a"), say("b"), say("c"), say("d", "a")],
      found: { ids: ["a", "d"], messages: 2 },
    },
    {
      case: "has the results of tools that ran side by side",
      entries: [
        say("a"),
        named("b", assistant(call("1"))),
        named("c", assistant(call("2"))),
        named("d", tool(result("1")), "b"),
        named("e", tool(result("2")), "c"),
        named("f", assistant(text("done"))),
      ],
      found: { ids: ["a", "b", "c", "d", "e", "f"], messages: 6 },
    },
    {
      case: "is not read further than a summary leaves it, where the messages before it are counted",
      entries: [
        ...[say("a"), say("b"), say("c"), say("d")],
        ...[summary("s", "c"), event("n", "compacted", { messages: 4 }), say("e")],
      ],
      found: { ids: ["c", "d", "s", "n", "e"], messages: 5 },
    },
    {
      case: "reaches back to what a summary keeps",
      entries: [
        ...[say("a"), say("b"), say("c"), say("d")],
        ...[summary("s", "d", "b"), event("n", "compacted", { messages: 4 })],
      ],
      found: { ids: ["b", "c", "d", "s", "n"], messages: 4 },
    },
    {
      case: "goes through what a merge has brought, whatever that was when it was a chat of its own",
      entries: [
        ...[say("a"), event(`${from}r`, "reset", {}), say(`${from}b`), summary(`${from}s`, `${from}b`)],
        named(`${from}k`, { kind: "checkpoint", state: { chat: true, messages: 40 } }),
        say("c"),
      ],
      found: { ids: ["a", `${from}r`, `${from}b`, `${from}s`, `${from}k`, "c"], messages: 3 },
    },
    {
      case: "is counted where nobody has noted how much a summary stands for",
      entries: [say("a"), say("b"), summary("s", "b"), say("c")],
      found: { ids: ["a", "b", "s", "c"], messages: 3 },
    },
  ])("$case", async ({ entries, found }) => {
    expect(await read(entries, 1)).toEqual(found);
  });

  it("is not read further than a model has room for, and is counted from the last save", async () => {
    await using test = await openWithSession(openSqliteTestLog);
    const long = (id: string) => named(id, user(text("x".repeat(400))));
    const saved = named("k", { kind: "checkpoint", state: { chat: true, messages: 90 } });
    await test.log.append(one, [long("a"), long("b"), long("c"), saved, long("d")]);
    const session = { id: one, entries: 5 };
    const some = await readStretch(test.log, session, { reach: 1, room: 200 });
    expect({ ...some, entries: idsOf(some.entries) }).toEqual({
      ...{ entries: ["c", "k", "d"], messages: 91, isWhole: false },
    });
    expect(await readStretch(test.log, session, { reach: 1, room: 500 })).toMatchObject({ isWhole: true });
  });

  // Seed 4: 5.2
  it("goes through what a fork shares", async () => {
    await using test = await openWithSession(openSqliteTestLog);
    await test.log.append(one, [say("a"), say("b"), say("c")]);
    await test.log.fork({ ...newFork("two"), at: parseEntryId("b") });
    await test.log.append(two, [say("d")]);
    const found = await readStretch(test.log, { id: two, entries: 3 }, { reach: 1 });
    expect(idsOf(found.entries)).toEqual(["a", "b", "d"]);
  });

  it("is the same for a model, and counts the same, however much is read at once", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyStep, { maxLength: 25 }), async (steps) => {
        await using test = await openWithSession(openSqliteTestLog);
        const entries = follow(steps);
        await test.log.append(one, entries);
        const at = (reach: number) => readStretch(test.log, { id: one, entries: entries.length }, { reach });
        const [bit, whole] = [await at(1), await at(1000)];
        expect(visibleTalk(bit.entries)).toEqual(visibleTalk(whole.entries));
        expect(bit.messages).toBe(whole.messages);
      }),
      { numRuns: 60 },
    );
  });
});

type Step =
  | { readonly type: "say" | "reset" }
  | { readonly type: "rewind"; readonly to: number }
  | { readonly type: "compact"; readonly share: number; readonly isNoted: boolean };

const anyStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ type: fc.constant("say" as const) }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant("reset" as const) }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant("rewind" as const), to: fc.nat(30) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      ...{ type: fc.constant("compact" as const), share: fc.nat(100), isNoted: fc.boolean() },
    }),
  },
);

/** Does what a chat does, and notes of each summary how many messages there were on its path. */
function follow(steps: readonly Step[]): readonly NewEntry[] {
  const entries: NewEntry[] = [];
  let path: readonly EntryId[] = [];
  for (const [index, step] of steps.entries()) {
    const { from, added } = takeStep(step, String(index), path);
    entries.push(...added);
    path = [...from, ...added.map(({ id }) => id)];
  }
  return entries;
}

/** Returns the path that a step goes on from, and what it adds. */
function takeStep(
  step: Step,
  name: string,
  path: readonly EntryId[],
): { readonly from: readonly EntryId[]; readonly added: readonly NewEntry[] } {
  switch (step.type) {
    case "say":
      return { from: path, added: [say(`m${name}`)] };
    case "reset":
      return { from: [], added: [event(`r${name}`, "reset", {}, null)] };
    case "rewind": {
      const from = path.slice(0, (step.to % Math.max(path.length, 1)) + 1);
      return { from, added: [say(`m${name}`, from.at(-1) ?? null)] };
    }
    case "compact":
      return { from: path, added: compact(step, name, path) };
  }
}

function compact(
  { share, isNoted }: Extract<Step, { type: "compact" }>,
  name: string,
  path: readonly EntryId[],
): readonly NewEntry[] {
  const told = path.filter((id) => id.startsWith("m"));
  if (told.length === 0) return [];
  const cut = Math.floor((share / 101) * told.length);
  const [replaces = null, kept = ""] = [told[cut], told[Math.floor(cut / 2)]];
  const note = event(`n${name}`, "compacted", { messages: told.length });
  return [summary(`s${name}`, replaces, ...(cut > 1 ? [kept] : [])), ...(isNoted ? [note] : [])];
}
