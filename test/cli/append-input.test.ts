import { setTimeout as sleep } from "node:timers/promises";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { inBatches } from "../../src/cli/append/in-batches.ts";
import { untilAborted } from "../../src/cli/append/until-aborted.ts";
import { nextMoment } from "../../src/sessions/session-events.ts";

/** Yields items; a pause is a turn of the event loop in which nothing is ready. */
async function* source(items: readonly (number | "pause" | "failure")[]): AsyncGenerator<number> {
  for (const item of items) {
    if (item === "pause") await sleep(1);
    else if (item === "failure") throw new Error("broken");
    else yield item;
  }
}

describe("batches", () => {
  it("hold everything in order, none empty, none larger than the limit", async () => {
    const anyItem = fc.oneof(fc.integer(), fc.constant("pause" as const));
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyItem, { maxLength: 40 }),
        fc.integer({ min: 1, max: 8 }),
        async (items, max) => {
          const batches = await Array.fromAsync(inBatches(source(items), max));
          expect(batches.flat()).toEqual(items.filter((item) => item !== "pause"));
          expect(batches.every((batch) => batch.length > 0 && batch.length <= max)).toBe(true);
        },
      ),
      { numRuns: 30 },
    );
  });

  it("take together what is ready, and do not wait for what is not", async () => {
    expect(await Array.fromAsync(inBatches(source([1, 2, 3, "pause", 4]), 10))).toEqual([[1, 2, 3], [4]]);
  });

  it("leave a source that gives nothing more, when their reader fails", async () => {
    const silent = async function* () {
      yield 1;
      await new Promise(() => undefined);
    };
    const read = async () => {
      for await (const batch of inBatches(silent(), 10)) throw new Error(`refused ${batch}`);
    };
    await expect(read()).rejects.toThrow("refused 1");
  });

  it("come before a failure of the source", async () => {
    const seen: (readonly number[])[] = [];
    const read = async () => {
      for await (const batch of inBatches(source([1, 2, "failure"]), 10)) seen.push(batch);
    };
    await expect(read()).rejects.toThrow("broken");
    expect(seen).toEqual([[1, 2]]);
  });
});

describe("an input that can be interrupted", () => {
  it("ends at once although its source is still waiting", async () => {
    const controller = new AbortController();
    async function* waiting(): AsyncGenerator<number> {
      yield 1;
      await new Promise(() => undefined);
    }
    const seen: number[] = [];
    for await (const item of untilAborted(waiting(), controller.signal)) {
      seen.push(item);
      setImmediate(() => controller.abort());
    }
    expect(seen).toEqual([1]);
  });

  it("is the whole source when nothing interrupts it, and closes it when it is left early", async () => {
    const { signal } = new AbortController();
    expect(await Array.fromAsync(untilAborted(source([1, 2, 3]), signal))).toEqual([1, 2, 3]);
    let isClosed = false;
    async function* closing(): AsyncGenerator<number> {
      try {
        yield 1;
        yield 2;
      } finally {
        isClosed = true;
      }
    }
    for await (const _ of untilAborted(closing(), signal)) break;
    expect(isClosed).toBe(true);
  });
});

describe("the next moment", () => {
  it("is never earlier than now and always later than what came before", () => {
    const anyDate = fc.date({ min: new Date(0), max: new Date("2100-01-01"), noInvalidDate: true });
    fc.assert(
      fc.property(anyDate, anyDate, (now, before) => {
        const moment = nextMoment(now, before);
        expect(moment >= now && moment > before).toBe(true);
      }),
    );
  });
});
