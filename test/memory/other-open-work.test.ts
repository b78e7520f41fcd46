import { describe, expect, it } from "vitest";
import { composeBrief } from "../../src/memory/brief/compose-brief.ts";
import { renderBrief } from "../../src/memory/render-brief.ts";

const now = new Date("2026-11-16T12:00:00Z");

describe("the other open work in a brief", () => {
  const long = "The reports read one kind at a time, and the table of all kinds has grown slow. ".repeat(40);
  const command = "`carryon resume 11111111`";
  const others = [1, 2, 3].map((index) => `- ${`work ${index} `.repeat(20)} (${command})`);
  const texts = [others.join("\n"), `${others[0]}\n- 2 more`, `- work 1 (${command})`];
  const earlier = (textWithin: (most: number) => string) => ({
    ...{ at: now, summary: undefined, next: undefined, branch: undefined, isPending: false, others: texts },
    overtakes: () => undefined,
    textWithin: (most: number) => textWithin(most),
  });
  const told = (budget: number) => {
    const sources = { now, earlier: earlier((most) => long.slice(0, most * 4)) };
    const { parts, tokens } = renderBrief(composeBrief(sources), { budget, now });
    expect(tokens).toBeLessThanOrEqual(budget);
    return parts.find(({ name }) => name === "Other open work")?.text;
  };

  it("has a line with its command however short the room is, and more lines where there is more", () => {
    expect([230, 300, 500].map(told)).toEqual([texts[2], texts[1], texts[0]]);
  });
});
