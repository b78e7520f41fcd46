import fc from "fast-check";
import { expect } from "vitest";
import type { NewEntry } from "../../src/sessions/entry.ts";
import { parseSessionId } from "../../src/sessions/ids.ts";
import { anyNewEntry, collect, later, newFork, start } from "../support/entries.ts";
import { appendToModel, compare, type LogCommand, type Model, openInBoth, pick } from "./log-model.ts";
import type { TestLog } from "./test-log.ts";

/** Wraps a function as a command; it does nothing while there is no session to work on. */
function command(name: string, run: (model: Model, real: TestLog) => Promise<void>): LogCommand {
  return {
    check: () => true,
    run,
    toString: () => name,
  };
}

const anyIndex = fc.nat(20);

const open = fc.constant(command("open", openInBoth));

const append = fc
  .tuple(anyIndex, fc.array(anyNewEntry, { minLength: 1, maxLength: 5 }))
  .map(([index, entries]) =>
    command(`append ${entries.length} to ${index}`, async (model, real) => {
      const session = pick(model, index);
      if (session === undefined) return;
      const receipts = await real.log.append(parseSessionId(session.id), entries);
      const expected = entries.map((entry) => appendToModel(session, entry));
      expect(receipts.map((receipt) => receipt.isNew)).toEqual(expected);
    }),
  );

const reset = fc.tuple(anyIndex, anyNewEntry).map(([index, entry]) =>
  command(`reset ${index}`, async (model, real) => {
    const session = pick(model, index);
    if (session === undefined) return;
    const root: NewEntry = { ...entry, parent: null };
    await real.log.append(parseSessionId(session.id), [root]);
    appendToModel(session, root);
  }),
);

const retry = fc.tuple(anyIndex, anyIndex).map(([index, which]) =>
  command(`retry entry ${which} of ${index}`, async (model, real) => {
    const session = pick(model, index);
    const known = session?.entries[which % Math.max(1, session.entries.length)];
    if (session === undefined || known === undefined) return;
    const [receipt] = await real.log.append(parseSessionId(session.id), [known.entry]);
    expect(receipt).toEqual({ seq: session.entries.indexOf(known) + 1, id: known.entry.id, isNew: false });
  }),
);

const conflict = fc.tuple(anyIndex, anyIndex, anyNewEntry).map(([index, which, other]) =>
  command(`conflict with entry ${which} of ${index}`, async (model, real) => {
    const session = pick(model, index);
    const known = session?.entries[which % Math.max(1, session.entries.length)];
    if (session === undefined || known === undefined) return;
    const changed: NewEntry = { id: known.entry.id, at: start, kind: "event", event: "changed", data: {} };
    const batch = [other, changed];
    const appended = real.log.append(parseSessionId(session.id), batch);
    await expect(appended).rejects.toMatchObject({ code: "entry-conflict" });
  }),
);

const fork = fc.tuple(anyIndex, anyIndex, fc.boolean()).map(([index, which, atTheEnd]) =>
  command(`fork ${index} at ${atTheEnd ? "the end" : which}`, async (model, real) => {
    const origin = pick(model, index);
    if (origin === undefined || origin.entries.length === 0) return;
    const point = atTheEnd ? origin.entries.length - 1 : which % origin.entries.length;
    const at = origin.entries[point]?.entry.id;
    model.made += 1;
    const id = `s${model.made}`;
    const asked = { ...newFork(id, origin.id), startedAt: later(model.made) };
    await real.log.fork(atTheEnd || at === undefined ? asked : { ...asked, at });
    model.sessions.set(id, { id, origin: origin.id, entries: origin.entries.slice(0, point + 1) });
  }),
);

const remove = anyIndex.map((index) =>
  command(`delete ${index}`, async (model, real) => {
    const session = pick(model, index);
    if (session === undefined) return;
    await real.log.delete(parseSessionId(session.id), start);
    model.sessions.delete(session.id);
    model.deleted.add(session.id);
  }),
);

const readRange = fc
  .tuple(anyIndex, fc.integer({ min: -30, max: 30 }), fc.nat(30))
  .map(([index, from, length]) =>
    command(`read ${index} from ${from} for ${length}`, async (model, real) => {
      const session = pick(model, index);
      if (session === undefined || from === 0) return;
      const first = from > 0 ? from : Math.max(1, session.entries.length + 1 + from);
      const read = await collect(real.log.read(parseSessionId(session.id), { from, to: first + length }));
      const expected = session.entries.slice(first - 1, first + length);
      expect(read.map((entry) => entry.id)).toEqual(expected.map(({ entry }) => entry.id));
    }),
  );

const list = fc.integer({ min: 1, max: 4 }).map((limit) =>
  command(`list by ${limit}`, async (model, real) => {
    const seen: string[] = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const page = await real.log.list(cursor === undefined ? { limit } : { limit, cursor });
      seen.push(...page.sessions.map((session) => session.id));
      cursor = page.next;
    }
    expect(new Set(seen)).toEqual(new Set(model.sessions.keys()));
    expect(seen).toHaveLength(model.sessions.size);
  }),
);

const reopen = fc.constant(command("reopen", (_model, real) => real.reopen()));

const compareAll = fc.constant(
  command("compare all", async (model, real) => {
    for (const session of model.sessions.values()) await compare(session, real);
    for (const id of model.deleted) {
      await expect(collect(real.log.read(parseSessionId(id)))).rejects.toMatchObject({
        code: "session-not-found",
      });
    }
  }),
);

/** Every command of the log, in the mixture in which they are tried. */
export const anyLogCommands: fc.Arbitrary<Iterable<LogCommand>> = fc.commands(
  [open, append, append, reset, retry, conflict, fork, fork, remove, readRange, list, reopen, compareAll],
  { maxCommands: 60, size: "max" },
);
