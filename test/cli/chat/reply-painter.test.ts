import { describe, expect, it } from "vitest";
import type { ChatEvent } from "../../../src/chat/chat.ts";
import type { Block } from "../../../src/cli/chat/terminal/blocks.ts";
import { ReplyPainter } from "../../../src/cli/chat/terminal/reply-painter.ts";
import { makeStyle } from "../../../src/lib/style.ts";
import type { ToolCallPart } from "../../../src/sessions/entry.ts";
import type { EntryId } from "../../../src/sessions/ids.ts";

const entry = "ent_1" as EntryId;
const width = 60;

const call: ToolCallPart = { type: "tool-call", call: "c1", name: "bash", input: { command: "ls" } };

const saved = (text: string): ChatEvent => ({
  ...{ type: "reply-saved", entry, end: "done" },
  message: { kind: "message", role: "assistant", parts: [{ type: "text", text }] },
});

/** Draws events, and returns what was printed for good and what is still drawn again. */
function paint(...events: readonly ChatEvent[]) {
  const blocks: Block[] = [];
  const style = makeStyle({ colors: false });
  const painter = new ReplyPainter({ print: (block) => void blocks.push(block), rows: () => 24 }, style);
  painter.begin("Hello?");
  for (const event of events) painter.on(event);
  const printed = () => blocks.flatMap((block) => block(width));
  return {
    painter,
    live: painter.render(width),
    printed: printed(),
    activity: painter.activity,
    later: printed,
  };
}

describe("ReplyPainter", () => {
  it("shows a prompt as said only when it is saved, and gives back one that is not", () => {
    const before = paint();
    expect([before.printed, before.live, before.activity]).toEqual([[], ["> Hello?", ""], "Waiting"]);
    expect(before.painter.end()).toBe("Hello?");
    const after = paint({ type: "prompt-saved", entry });
    expect([after.printed, after.live]).toEqual([["> Hello?", ""], []]);
    expect(after.painter.end()).toBe("");
  });

  it("prints what is settled, marks what is not, and prints that when it is saved", () => {
    const prompt = { type: "prompt-saved", entry } as const;
    const text = "The first paragraph, which is long enough.\n\nThe second";
    const coming = paint(prompt, { type: "text", text });
    expect(coming.printed).toEqual(["> Hello?", "", "The first paragraph, which is long enough.", ""]);
    expect([coming.live, coming.activity]).toEqual([["The second ▍", ""], "Replying"]);
    const done = paint(prompt, { type: "text", text }, saved(text));
    expect(done.printed).toEqual([...coming.printed, "The second", ""]);
    expect(done.live).toEqual([]);
  });

  it("prints a reply that did not come in pieces", () => {
    expect(paint({ type: "prompt-saved", entry }, saved("At once.")).printed.slice(2)).toEqual([
      "At once.",
      "",
    ]);
  });

  it("shows the end of thinking while it goes on, and its beginning when it is over", () => {
    const thought = { type: "thinking", text: "one\ntwo\nthree\nfour\nfive\nsix\nseven" } as const;
    const thinking = paint({ type: "prompt-saved", entry }, thought);
    expect([thinking.live, thinking.activity]).toEqual([["  five", "  six", "  seven", ""], "Thinking"]);
    const over = paint({ type: "prompt-saved", entry }, thought, { type: "text", text: "So." });
    expect(over.printed.slice(2)).toEqual([
      ...["thinking: one", "  two", "  three", "  four", "  … 3 more lines", ""],
    ]);
  });

  it("prints a call once, with what became of it", () => {
    const started = { type: "tool-started", call, description: "bash ls" } as const;
    const outcome = { type: "tool-saved", call, outcome: { output: "a.ts", failed: false } } as const;
    const ran = paint({ type: "prompt-saved", entry }, started, outcome);
    expect(ran.printed.slice(2)).toEqual(["→ bash ls", "  ← a.ts", ""]);
    const asked = paint({ type: "prompt-saved", entry });
    asked.painter.ask(call, "bash ls", "ls");
    for (const event of [started, outcome]) asked.painter.on(event);
    expect(asked.later().slice(2)).toEqual(["→ bash ls", "  ← a.ts", ""]);
  });

  it.each([
    {
      event: { type: "interrupted", reason: "stopped", entry } as const,
      says: "Stopped. What had come is kept, marked as cut off.",
    },
    { event: { type: "interrupted", reason: "stopped", entry: undefined } as const, says: "Stopped." },
    {
      event: { type: "paused", steps: 100 } as const,
      says: "The model has taken 100 steps and waits. Whatever you say lets it go on.",
    },
  ])("says $says", ({ event, says }) => {
    const { later } = paint({ type: "prompt-saved", entry }, { type: "text", text: "Half a" }, event);
    expect(later().join(" ").replace(/ +/g, " ")).toContain(`Half a ${says}`);
  });

  it("says that it is asked again, and when", () => {
    const retry = { type: "retry", reason: "Overloaded.", waitMs: 1500, attempt: 2, attempts: 6 } as const;
    expect(paint(retry).activity).toBe("Overloaded. Trying again in 2 s (2 of 6)");
    expect(paint(retry, { type: "text", text: "Now." }).activity).toBe("Replying");
  });

  it("shows only the end of what does not fit, as code where it is code", () => {
    const lines = Array.from({ length: 5000 }, (_, index) => `const line${index} = "*not bold*";`);
    const { live, printed } = paint(
      { type: "prompt-saved", entry },
      { type: "text", text: `\`\`\`ts\n${lines.join("\n")}` },
    );
    expect(printed).toEqual(["> Hello?", ""]);
    expect(live).toHaveLength(14);
    expect(live.at(-3)).toBe('  const line4999 = "*not bold*";');
  });
});
