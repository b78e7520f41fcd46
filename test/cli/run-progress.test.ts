import { expect, it } from "vitest";
import { describeDoing, next } from "../../src/cli/run/run-progress.ts";
import type { RunEvent } from "../../src/run/run.ts";
import type { ToolCallPart } from "../../src/sessions/entry.ts";

const call: ToolCallPart = { type: "tool-call", call: "c1", name: "bash", input: {} };

it("follows a round from the question to what it cost", () => {
  const events: readonly RunEvent[] = [
    { type: "asked", who: "instructor", round: 3 },
    { type: "thinking", who: "instructor", text: "Hm." },
    { type: "asked", who: "worker", round: 3 },
    { type: "retry", who: "worker", reason: "Overloaded.", waitMs: 20_000, attempt: 1, attempts: 5 },
    { type: "text", who: "worker", text: "I" },
    { type: "tool-started", call, description: "bash npm\u001B[31m test" },
    { type: "tool-saved", call, outcome: { output: "", failed: false } },
    { type: "round-saved", round: 3, report: "", files: {}, tokens: 12_345, ms: 1, remaining: null },
  ];
  const told: string[] = [];
  let doing = { round: 0, what: "beginning", tokens: 0 };
  for (const event of events) {
    doing = next(doing, event);
    told.push(describeDoing(doing, 65_000, 90));
  }
  expect(told).toEqual([
    "round 3 · the instructor is asked · 1 min 5 s · Ctrl+C stops",
    "round 3 · the instructor thinks · 1 min 5 s · Ctrl+C stops",
    "round 3 · the worker is asked · 1 min 5 s · Ctrl+C stops",
    "round 3 · the worker is asked again in 20 s · 1 min 5 s · Ctrl+C stops",
    "round 3 · the worker replies · 1 min 5 s · Ctrl+C stops",
    "round 3 · the worker runs bash npm^[[31m test · 1 min 5 s · Ctrl+C stops",
    "round 3 · the worker goes on · 1 min 5 s · Ctrl+C stops",
    "round 3 · the worker goes on · 12,345 tokens · 1 min 5 s · Ctrl+C stops",
  ]);
});

it("leaves out the end of what is being done where a terminal has no room for it", () => {
  const doing = { round: 12, what: "the worker runs bash find . -name '*.ts' -print", tokens: 5 };
  const told = [80, 60, 10].map((room) => describeDoing(doing, 1000, room));
  expect(told).toEqual([
    "round 12 · the worker runs bash find . -name '*… · 5 tokens · 1 s · Ctrl+C stops",
    "round 12 · the worker runs bas… · 5 tokens · 1 s · Ctrl+C stops",
    "round 12 · the worker runs bas… · 5 tokens · 1 s · Ctrl+C stops",
  ]);
});
