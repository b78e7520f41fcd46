import { describe, expect, it } from "vitest";
import { fitTalk } from "../../src/run/fit-talk.ts";
import type { Entry } from "../../src/sessions/entry.ts";
import { assistant, call, pathOf, result, text, tool, user } from "../support/chat-entries.ts";

/** A talk of so many calls, each with a result of some length. */
const talkOf = (calls: number, length: number) =>
  pathOf(
    user(text("Go.")),
    ...Array.from({ length: calls }, (_, index) => [
      assistant(text("On it."), call(`${index}`, { path: "a.txt", content: "c".repeat(length) })),
      tool(result(`${index}`, "r".repeat(length))),
    ]).flat(),
  );

const sizeOf = (entries: readonly Entry[]) =>
  entries.reduce(
    (sum, entry) => sum + (entry.kind === "message" ? JSON.stringify(entry.parts).length : 0),
    0,
  );

describe("a talk that is sent to a model", () => {
  it("is left as it is while it fits", () => {
    const talk = talkOf(10, 1000);
    expect(fitTalk(talk, 100_000)).toBe(talk);
  });

  // Seed 3: 9.6
  it("loses what is long in its oldest calls and results, and says how much", () => {
    const talk = talkOf(15, 2000);
    const fitted = fitTalk(talk, 20_000);
    expect(sizeOf(fitted)).toBeLessThan(20_000 * 4 * 0.7);
    const content = `${"c".repeat(300)}\n[1400 characters left out]\n${"c".repeat(300)}`;
    expect(fitted[1]).toMatchObject({
      parts: [
        { text: "On it." },
        {
          input: { path: "a.txt", content },
        },
      ],
    });
    expect(fitted.slice(-12)).toEqual(talk.slice(-12));
  });

  it("keeps its beginning from request to request, until it has grown by a good part", () => {
    const cutIn = (calls: number) => {
      const fitted = fitTalk(talkOf(calls, 5000), 50_000);
      return fitted.filter((entry) => JSON.stringify(entry).includes("characters left out")).length;
    };
    expect([13, 14, 15, 16, 17, 18, 19, 20, 21].map(cutIn)).toEqual([0, 14, 14, 14, 14, 14, 14, 28, 28]);
  });
});
