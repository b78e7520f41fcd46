import { randomUUID } from "node:crypto";
import { claudeCode } from "../../src/clients/claude-code/client.ts";
import type { Fault, FileFacts, FileHealth, NativeSession } from "../../src/clients/client.ts";
import { LineSplitter } from "../../src/lib/line-splitter.ts";
import type { Entry, JsonObject } from "../../src/sessions/entry.ts";
import { mainStrand, parseSessionId } from "../../src/sessions/ids.ts";
import { sessionOfClient } from "./claude-transcripts.ts";

/** A way in which the files of clients were found broken, in public reports and in trials. */
export interface Breakage {
  readonly name: string;
  readonly fault: Fault;
  /** Breaks the lines of a transcript that has two prompts, calls, and an answer between the prompts. */
  readonly damage: (lines: readonly string[]) => string | Buffer;
  /** Whether a row is lost that only the store has. */
  readonly loses: boolean;
}

type Row = Readonly<Record<string, unknown>> & {
  readonly message?: { readonly content?: string | readonly JsonObject[]; readonly id?: string };
};

/** Returns where rows are in the middle of a transcript: a call, its result, and an answer. */
export function middleOf(lines: readonly string[]) {
  const rows = lines.map((line) => JSON.parse(line) as Row);
  const first = (row: Row) =>
    typeof row.message?.content === "string" ? undefined : row.message?.content?.[0];
  const result = rows.findIndex((row) => row.type === "user" && first(row)?.type === "tool_result");
  const call = rows.findIndex((row) => first(row)?.id === first(rows[result] ?? {})?.tool_use_id);
  const answer = rows.findIndex(
    (row, at) => at > result && row.type === "assistant" && first(row)?.type === "text",
  );
  const last = rows.findLastIndex(({ type }) => type === "assistant");
  return { rows, call, result, answer, last };
}

const end = (lines: readonly string[]) => `${lines.join("\n")}\n`;
const half = (line = "") => line.slice(0, Math.floor(line.length / 2));
const setParent = (line = "", parent: string | null = null) =>
  JSON.stringify({ ...JSON.parse(line), parentUuid: parent });

export const breakages: readonly Breakage[] = [
  {
    name: "a tail of NUL bytes after a power cut",
    fault: "nul-bytes",
    damage: (lines) => `${end(lines)}${"\0".repeat(1728)}`,
    loses: false,
  },
  {
    name: "a last row that became NUL bytes",
    fault: "nul-bytes",
    damage: (lines) => `${end(lines.slice(0, middleOf(lines).last))}${"\0".repeat(1206)}`,
    loses: true,
  },
  {
    name: "a row that became NUL bytes in the middle",
    fault: "nul-bytes",
    damage: (lines) =>
      end(lines.map((line, at) => (at === middleOf(lines).answer ? "\0".repeat(line.length) : line))),
    loses: true,
  },
  {
    name: "NUL bytes from the middle of a row to the middle of another",
    fault: "nul-bytes",
    damage: (lines) => {
      const { answer, last } = middleOf(lines);
      const bytes = Buffer.from(end(lines));
      const startOf = (at: number) =>
        bytes.indexOf('"text":"', Buffer.byteLength(end(lines.slice(0, at)))) + 8;
      return bytes.fill(0, startOf(answer), startOf(last));
    },
    loses: true,
  },
  {
    name: "a separator of lines in a text",
    fault: "line-separator",
    damage: (lines) =>
      end(
        lines.map((line, at) =>
          at === middleOf(lines).answer ? line.replace(/"text":"/, '"text":"\u2028') : line,
        ),
      ),
    loses: false,
  },
  {
    name: "a newline in a text",
    fault: "raw-newline",
    damage: (lines) =>
      end(
        lines.map((line, at) =>
          at === middleOf(lines).answer ? line.replace(/"text":"/, '"text":"\n\n') : line,
        ),
      ),
    loses: false,
  },
  {
    name: "half a last row",
    fault: "half-row",
    damage: (lines) => {
      const { last } = middleOf(lines);
      return [...lines.slice(0, last), half(lines[last])].join("\n");
    },
    loses: true,
  },
  {
    name: "half a row with the next one behind it",
    fault: "half-row",
    damage: (lines) =>
      end(lines.map((line, at) => (at === middleOf(lines).answer ? `${half(lines[0])}${line}` : line))),
    loses: false,
  },
  {
    name: "a line of something else",
    fault: "unreadable-line",
    damage: (lines) => end(lines.map((line, at) => (at === middleOf(lines).answer ? "\u0007garbage" : line))),
    loses: true,
  },
  {
    name: "bytes that are no text",
    fault: "unreadable-line",
    damage: (lines) => {
      const bytes = Buffer.from(end(lines));
      const { answer } = middleOf(lines);
      const start = Buffer.byteLength(end(lines.slice(0, answer)));
      bytes[bytes.indexOf('"text":"', start) + 8] = 0xff;
      return bytes;
    },
    loses: true,
  },
  {
    name: "a call without its result",
    fault: "open-call",
    damage: (lines) => end(lines.filter((_, at) => at !== middleOf(lines).result)),
    loses: true,
  },
  {
    name: "a row whose parent is nowhere",
    fault: "lost-parent",
    damage: (lines) =>
      end(lines.map((line, at) => (at === middleOf(lines).answer ? setParent(line, randomUUID()) : line))),
    loses: false,
  },
  {
    name: "an answer that has no parent, so that only the end is loaded",
    fault: "lost-parent",
    damage: (lines) => end(lines.map((line, at) => (at === middleOf(lines).answer ? setParent(line) : line))),
    loses: false,
  },
  {
    name: "a middle that is gone",
    fault: "lost-parent",
    damage: (lines) => {
      const { call, answer } = middleOf(lines);
      return end([...lines.slice(0, call), ...lines.slice(answer)]);
    },
    loses: true,
  },
  {
    name: "rows that stand twice",
    fault: "duplicate-row",
    damage: (lines) => end([...lines, ...lines.slice(middleOf(lines).call)]),
    loses: false,
  },
  {
    name: "nothing but NUL bytes",
    fault: "nul-bytes",
    damage: (lines) => "\0".repeat(end(lines).length),
    loses: true,
  },
];

/** Examines a transcript. */
export function check(bytes: string | Buffer, facts: Partial<FileFacts> = {}): FileHealth {
  const splitter = new LineSplitter(64_000_000);
  const lines = function* () {
    yield* splitter.push(Buffer.from(bytes));
    const last = splitter.end();
    if (last !== undefined) yield last;
  };
  return claudeCode.check(lines(), {
    ...{ session: "one", agent: null, mtime: new Date(0), settings: undefined, rows: [], ...facts },
  });
}

/** Returns the rows that a store writes that has taken in these. */
export function storedRows(rows: readonly JsonObject[], id = sessionOfClient): readonly JsonObject[] {
  return storedSession(rows, id).files[0]?.rows ?? [];
}

/** Returns the session that a store writes that has taken in these rows. */
export function storedSession(rows: readonly JsonObject[], id: string): NativeSession {
  const session = parseSessionId(id);
  const entries = claudeCode
    .read(rows, { session: id, agent: null })
    .entries.map(
      (entry, at) => ({ strand: mainStrand, parent: null, ...entry, session, seq: at + 1 }) as Entry,
    );
  const target = { id, session, cwd: "/home/me", branches: new Map() };
  return claudeCode.write(entries, target);
}

/** Returns the lines of the file that would be put in the place of a damaged one. */
export function mend(bytes: string | Buffer, { replaced, added }: FileHealth): readonly string[] {
  const lines = Buffer.from(bytes).toString("utf8").split("\n");
  return ["", ...lines]
    .flatMap((line, number) => [
      ...(number === 0 ? [] : (replaced.get(number) ?? [line])),
      ...(added.get(number) ?? []),
    ])
    .filter((line) => line !== "");
}
