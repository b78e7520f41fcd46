import { readFileSync } from "node:fs";
import fc from "fast-check";
import { type Absorbed, absorb } from "../../src/clients/claude-code/to-entries.ts";
import { startTranscript, type TranscriptState } from "../../src/clients/claude-code/transcript-state.ts";
import { type Row, toRow } from "../../src/clients/claude-code/wire.ts";

type WireRow = Readonly<Record<string, unknown>>;

export const sessionOfClient = "11111111-2222-4333-8444-555555555555";

/** Reads a recorded transcript. */
export function fixture(name: string): readonly WireRow[] {
  const text = readFileSync(`test/fixtures/claude-code/${name}.jsonl`, "utf8");
  return text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
}

/** Returns the session that the rows of a transcript belong to. */
export function sessionOf(rows: readonly WireRow[]): string {
  return String(rows.find(({ sessionId }) => typeof sessionId === "string")?.sessionId);
}

export const fixtures = [
  "2.1.197/resumed",
  "2.1.197/forked",
  "2.1.197/hooks",
  "2.1.325/titled",
  "2.1.325/forked",
  "2.1.325/forked-by-sdk",
  "2.1.325/printed",
  "2.1.325/typed",
  ...["2.1.325", "2.1.197"].flatMap((version) =>
    ["compacted", "fork-of-compacted", "fork-of-fork", "rewound"].map((name) => `${version}/${name}`),
  ),
];

/** Reads rows that are known to be rows. */
export function toRows(values: readonly unknown[]): readonly Row[] {
  return values.map(toRow).filter((row) => row.family !== "rejected");
}

/** Reads rows from the start, or on from a state. */
export function read(values: readonly unknown[], state?: TranscriptState): Absorbed {
  return absorb(state ?? startTranscript(sessionOfClient), toRows(values));
}

type Step =
  | { readonly do: "prompt"; readonly text: string; readonly back: number; readonly image: boolean }
  | {
      readonly do: "answer";
      readonly text: string;
      readonly tools: number;
      readonly late: boolean;
      readonly thought: boolean;
      readonly image: boolean;
    }
  | { readonly do: "skipped" | "context" | "progress" | "again" | "sidechain" | "stray" | "unknown" }
  | { readonly do: "revise"; readonly text: string }
  | { readonly do: "compact"; readonly keep: number; readonly follows: "summary" | "kept" }
  | { readonly do: "title" | "tag"; readonly text: string };

const anyWord = fc.constantFrom("one", "two", "drei", "四", "\ud800", "five\n5");

const anySeldom = fc.nat(4).map((number) => number === 0);

const image = { type: "image", source: { type: "base64", media_type: "image/png", data: "iVBORw0KGgo=" } };

const anyCompaction = fc.record({
  do: fc.constant("compact" as const),
  keep: fc.nat(3),
  follows: fc.constantFrom("summary" as const, "kept" as const),
});

const anyStep: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant("prompt" as const),
      text: anyWord,
      back: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat(12) }),
      image: anySeldom,
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant("answer" as const),
      text: anyWord,
      tools: fc.nat(3),
      late: fc.boolean(),
      thought: fc.boolean(),
      image: anySeldom,
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom("skipped" as const, "context" as const, "progress" as const, "again" as const),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom("sidechain" as const, "unknown" as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("revise" as const), text: anyWord }) },
  { weight: 1, arbitrary: anyCompaction },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constantFrom("title" as const, "tag" as const), text: anyWord }),
  },
);

/** Any transcript that the client could have written: rewinds, compactions, parallel tools, rows that come again. */
export const anyTranscript: fc.Arbitrary<readonly WireRow[]> = fc
  .array(anyStep, { minLength: 1, maxLength: 25 })
  .map((steps) => new Writer().write(steps));

/** The same, with rows whose parents are missing and rows of the conversation of an unknown type. */
export const anyOddTranscript: fc.Arbitrary<readonly WireRow[]> = fc
  .array(fc.oneof(anyStep, fc.constant<Step>({ do: "stray" })), { minLength: 1, maxLength: 25 })
  .map((steps) => new Writer().write(steps));

/** Writes rows as the client does, with ids and times that count up. */
class Writer {
  readonly #rows: WireRow[] = [];
  readonly #path: string[] = [];
  #count = 0;
  #tip: string | null = null;
  #root: string | null = null;
  #sidechain: string | null = null;
  #lastChained: WireRow | undefined;

  write(steps: readonly Step[]): readonly WireRow[] {
    for (const step of steps) this.#take(step);
    return this.#rows;
  }

  #take(step: Step): void {
    switch (step.do) {
      case "prompt":
        if (step.back > 0) this.#tip = this.#path.at(-step.back) ?? this.#root;
        this.#chain({
          ...{ type: "user", promptId: `prompt-${this.#count}` },
          message: {
            role: "user",
            content: step.image ? [image, { type: "text", text: step.text }] : step.text,
          },
        });
        break;
      case "answer":
        this.#answer(step);
        break;
      case "skipped":
        this.#chain({ type: "attachment", attachment: { type: "skill_listing", content: "…" } });
        break;
      case "context":
        this.#chain({ type: "user", isMeta: true, message: { role: "user", content: "a reminder" } });
        break;
      case "progress":
        this.#add({ type: "progress", uuid: this.#id(), parentUuid: this.#tip, data: {} });
        break;
      case "again":
        if (this.#lastChained !== undefined) this.#rows.push(this.#lastChained);
        break;
      case "revise":
        this.#revise(step.text);
        break;
      case "sidechain": {
        const row = { type: "user", isSidechain: true, agentId: "a1", message: { content: "sub" } };
        this.#sidechain = this.#add({ ...row, uuid: this.#id(), parentUuid: this.#sidechain });
        break;
      }
      case "stray":
        this.#add({ type: "hologram", uuid: this.#id(), parentUuid: "never-seen", data: 1 });
        break;
      case "unknown":
        this.#rows.push({ type: "of-a-newer-client", data: 1 });
        break;
      case "compact":
        this.#compact(step.keep, step.follows);
        break;
      case "title":
        this.#rows.push({ type: "custom-title", customTitle: step.text });
        break;
      case "tag":
        this.#rows.push({ type: "tag", tag: step.text });
        break;
    }
  }

  #answer({ text, tools, late, thought, image }: Step & { readonly do: "answer" }): void {
    const id = `msg_${this.#count}`;
    const calls = Array.from({ length: tools }, (_, index) => `toolu_${this.#count}_${index}`);
    const blocks = [
      ...(thought ? [{ type: "thinking", thinking: text, signature: `signed ${this.#count}` }] : []),
      { type: "text", text },
      ...calls.map((call) => ({ type: "tool_use", id: call, name: "Bash", input: { command: text } })),
    ];
    const asked: string[] = [];
    const results: (() => void)[] = [];
    for (const [index, block] of blocks.entries()) {
      const usage = { input_tokens: 10, output_tokens: 5 + index };
      const row = this.#chain({
        type: "assistant",
        message: { id, role: "assistant", content: [block], usage },
      });
      if (block.type !== "tool_use") continue;
      asked.push(row);
      const call = asked.length - 1;
      results.push(() => this.#result(calls[call] ?? "", row, { image }));
    }
    for (const result of late ? results.toReversed() : results) result();
  }

  /** The next answer follows the result that was written last, the others stand beside the path. */
  #result(call: string, asked: string, shows: { readonly image: boolean }): void {
    this.#tip = asked;
    const said = shows.image ? [{ type: "text", text: `of ${call}` }, image] : `of ${call}`;
    const content = [{ type: "tool_result", tool_use_id: call, content: said, is_error: false }];
    this.#chain({ type: "user", message: { role: "user", content }, sourceToolAssistantUUID: asked });
  }

  #revise(text: string): void {
    const row = this.#lastChained;
    if (row?.type !== "user" || row.isMeta === true || row.isCompactSummary === true) return;
    const { content } = row.message as { content: unknown };
    if (typeof content !== "string") return;
    this.#lastChained = { ...row, message: { role: "user", content: `${text}, again` } };
    this.#rows.push(this.#lastChained);
  }

  #compact(keep: number, follows: "summary" | "kept"): void {
    const [boundary, summary] = [this.#id(), this.#id()];
    const uuids = this.#tip === null ? [] : this.#path.slice(this.#path.length - keep);
    const kept = uuids.length === 0 ? {} : { preservedMessages: { anchorUuid: summary, uuids } };
    this.#chain({
      ...{ type: "system", subtype: "compact_boundary", uuid: boundary, parentUuid: null },
      ...{ logicalParentUuid: this.#tip, compactMetadata: { trigger: "manual", ...kept } },
    });
    this.#chain({ type: "user", uuid: summary, isCompactSummary: true, message: { content: "A summary." } });
    // The client neither goes back to before a compaction nor keeps its summary at the next one.
    this.#path.length = 0;
    this.#root = summary;
    // In a fork that begins with a compaction, what comes next follows what was kept.
    if (follows === "kept") this.#tip = uuids.at(-1) ?? summary;
  }

  #id(): string {
    this.#count += 1;
    return `00000000-0000-4000-8000-${String(this.#count).padStart(12, "0")}`;
  }

  #chain(row: WireRow): string {
    const whole = { uuid: this.#id(), parentUuid: this.#tip, ...row };
    const uuid = this.#add(whole);
    this.#lastChained = this.#rows.at(-1);
    this.#tip = uuid;
    this.#path.push(uuid);
    return uuid;
  }

  #add(row: WireRow & { readonly uuid: string }): string {
    const timestamp = new Date(Date.UTC(2026, 10, 15) + this.#count * 1000).toISOString();
    const common = { isSidechain: false, sessionId: sessionOfClient, cwd: "/home/me", version: "2.1.325" };
    this.#rows.push({ ...common, timestamp, ...row });
    return row.uuid;
  }
}
