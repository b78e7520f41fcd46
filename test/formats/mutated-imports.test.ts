import { describe, expect, it } from "vitest";
import { AppError } from "../../src/lib/app-error.ts";
import { one, openWithSession } from "../contract/test-log.ts";
import { newFork, said } from "../support/entries.ts";
import { exportAll, headsOf, importInto } from "../support/exchange.ts";
import { openSqliteTestLog } from "../support/test-log.ts";
import { verifyAll } from "../support/verify-all.ts";

describe("2,000 files that were changed at random", () => {
  it("are refused with a reason, or hold sessions that verify, and none does harm", async () => {
    await using from = await openWithSession(openSqliteTestLog);
    await from.log.append(one, [said("a", "grün"), said("b", "2")]);
    await from.log.fork(newFork("two"));
    const text = await exportAll(from, "carryon");
    await using store = await openSqliteTestLog();
    await importInto(store, text);
    const original = await headsOf(store);
    const random = makeRandom(20261117);
    const bytes = Buffer.from(text);
    const counts = { refused: 0, imported: 0 };
    for (let round = 0; round < 2000; round += 1) {
      try {
        await importInto(store, mutate(bytes, random));
        counts.imported += 1;
      } catch (error) {
        if (!(error instanceof AppError) || error.kind !== "usage") throw error;
        counts.refused += 1;
      }
    }
    expect(counts.refused).toBeGreaterThan(1500);
    expect(counts.refused + counts.imported).toBe(2000);
    expect(await headsOf(store)).toMatchObject(original);
    const problems = Object.entries(await verifyAll(store)).filter(([, { problem }]) => problem !== null);
    expect(problems).toEqual([]);
  });
});

/** A small generator with a seed, so that a failure comes again. */
function makeRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const snippets = [
  "{",
  "}",
  "[[[[",
  '"',
  "\\",
  "\n",
  ",",
  "null",
  "-1",
  "1e999",
  "\0",
  '"__proto__":{},',
  "../",
  "true",
  "\ud800",
];

/** Flips, removes, doubles, inserts or moves bytes, a few times. */
function mutate(bytes: Buffer, random: (below: number) => number): Buffer {
  let mutated = Buffer.from(bytes);
  for (let times = 1 + random(3); times > 0; times -= 1) {
    const at = random(mutated.length);
    const end = Math.min(mutated.length, at + 1 + random(80));
    const piece = mutated.subarray(at, end);
    switch (random(5)) {
      case 0:
        mutated[at] = (mutated[at] ?? 0) ^ (1 << random(8));
        break;
      case 1:
        mutated = Buffer.concat([mutated.subarray(0, at), mutated.subarray(end)]);
        break;
      case 2:
        mutated = Buffer.concat([mutated.subarray(0, end), piece, mutated.subarray(end)]);
        break;
      case 3: {
        const snippet = Buffer.from(snippets[random(snippets.length)] ?? "");
        mutated = Buffer.concat([mutated.subarray(0, at), snippet, mutated.subarray(at)]);
        break;
      }
      default: {
        const lines = bytes.toString("utf8").split("\n");
        const line = random(lines.length);
        mutated = Buffer.from(
          [
            ...mutated.toString("utf8").split("\n").slice(0, line),
            lines[random(lines.length)] ?? "",
            "",
          ].join("\n"),
        );
      }
    }
  }
  return mutated;
}
