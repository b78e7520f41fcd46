import { plural } from "../../lib/describe.ts";
import { describeSpan } from "../../lib/describe-span.ts";
import { toPrintableLine } from "../../lib/printable.ts";
import { padEnd, textWidth, truncate, wrap } from "../../lib/terminal-text.ts";
import type { MadeDecision, OwnPart, SessionDiff, TouchedFile } from "../../sessions/session-diff.ts";
import type { View } from "../transcript/render-part.ts";
import { renderRounds } from "./render-rounds.ts";

/** A line of the table: what it counts, and what to say of each side. */
export interface SummaryRow {
  readonly name: string;
  readonly left: string;
  readonly right: string;
}

/** Files and decisions beyond these are counted. */
const mostListed = 30;

/** Renders the table at the end: what each side did in figures, the files and the decisions. */
export function renderSummary(diff: SessionDiff, view: View): string {
  const lines = [
    ...renderFigures(listRows(diff), view),
    ...renderRounds(diff, view),
    ...renderFiles(diff, view),
    ...renderDecisions(diff, view),
  ];
  return `${lines.join("\n")}\n`;
}

const gap = "  ";

/** Both sides have the same room, and what does not fit goes on below. */
function renderFigures(rows: readonly SummaryRow[], { width, style }: View): readonly string[] {
  const names = widest(rows.map(({ name }) => name));
  const cells = widest(rows.flatMap(({ left, right }) => [left, right]));
  const room = Math.min(cells, Math.max(8, Math.floor((width - names - 2 * gap.length) / 2)));
  const line = (name: string, left: string, right: string) =>
    [padEnd(name, names), padEnd(left, room), right].join(gap).trimEnd();
  const header = style.dim(line("", "A", "B"));
  return [
    header,
    ...rows.flatMap(({ name, left, right }) => {
      const [ours, theirs] = [inLines(left, room), inLines(right, room)];
      return Array.from({ length: Math.max(ours.length, theirs.length) }, (_, index) =>
        line(index === 0 ? name : "", ours[index] ?? "", theirs[index] ?? ""),
      );
    }),
  ];
}

function inLines(cell: string, room: number): readonly string[] {
  return wrap(toPrintableLine(cell), room).split("\n");
}

function widest(texts: readonly string[]): number {
  return texts.reduce((most, text) => Math.max(most, textWidth(toPrintableLine(text))), 1);
}

/** Returns the figures of both sides; those that are nothing on both are left out. */
export function listRows({ left, right }: SessionDiff): readonly SummaryRow[] {
  return tellers.flatMap(([name, tell]) => {
    const [ours, theirs] = [tell(left.own), tell(right.own)];
    return ours === "" && theirs === "" ? [] : [{ name, left: ours || "–", right: theirs || "–" }];
  });
}

const count = (value: number): string => (value === 0 ? "" : value.toLocaleString("en"));

const tellers: readonly (readonly [name: string, tell: (own: OwnPart) => string])[] = [
  ["entries", ({ entries }) => count(entries) || "0"],
  ["messages", describeMessages],
  [
    "tool calls",
    ({ calls, failedCalls }) => `${count(calls)}${failedCalls === 0 ? "" : ` (${failedCalls} failed)`}`,
  ],
  ["tools", ({ tools }) => describeTools(tools)],
  ["files changed", ({ files }) => count(files.filter(({ written }) => written).length)],
  ["files read", ({ files }) => count(files.filter(({ read, written }) => read && !written).length)],
  ["commands", ({ commands }) => count(commands.length)],
  ["decisions", ({ decisions }) => count(decisions.length)],
  ["rounds", ({ rounds }) => count(rounds)],
  ["tokens", describeTokens],
  ["duration", describeDuration],
  ["models", ({ models }) => models.join(", ")],
  ["errors", ({ errors }) => count(errors)],
  ["compactions", ({ summaries }) => count(summaries)],
  ["checkpoints", ({ checkpoints }) => count(checkpoints)],
  ["blockers", ({ blockers }) => blockers.join("; ")],
];

function describeMessages({ messages: { user, assistant, tool } }: OwnPart): string {
  const parts = [
    ...(user === 0 ? [] : [`${count(user)} user`]),
    ...(assistant === 0 ? [] : [`${count(assistant)} assistant`]),
    ...(tool === 0 ? [] : [`${count(tool)} tool`]),
  ];
  return parts.join(", ");
}

function describeTools(tools: OwnPart["tools"]): string {
  const shown = tools.slice(0, 4).map(({ name, calls }) => `${name} ×${calls}`);
  return [...shown, ...(tools.length > 4 ? [`${tools.length - 4} more`] : [])].join(", ");
}

function describeTokens({ usage }: OwnPart): string {
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens } = usage;
  const parts = [
    ...(inputTokens + outputTokens === 0
      ? []
      : [`${count(inputTokens) || "0"} in, ${count(outputTokens) || "0"} out`]),
    ...(cacheReadTokens + cacheWriteTokens === 0
      ? []
      : [`cache ${count(cacheReadTokens) || "0"} read, ${count(cacheWriteTokens) || "0"} written`]),
  ];
  return parts.join("; ");
}

function describeDuration({ entries, wallMs, activeMs }: OwnPart): string {
  if (entries === 0) return "";
  const wall = describeSpan(wallMs);
  return describeSpan(activeMs) === wall ? wall : `${wall} (${describeSpan(activeMs)} active)`;
}

function renderFiles(diff: SessionDiff, { style, width }: View): readonly string[] {
  const files = listChanged(diff);
  if (files.length === 0) return [];
  const lines = files.slice(0, mostListed).map(({ path, by }) => {
    const line = truncate(`  ${describeBy(by).padEnd(12)} ${toPrintableLine(path)}`, width);
    return by === "both" ? style.red(line) : line;
  });
  return ["", style.bold("Files changed"), ...lines, ...tellRest(files.length, style)];
}

/** A file that was changed, and by which side. */
export interface ChangedFile {
  readonly path: string;
  readonly by: "A" | "B" | "both";
}

/** Returns the files that were changed; those that both did come first. */
export function listChanged({ left, right, bothChanged }: SessionDiff): readonly ChangedFile[] {
  const both = new Set(bothChanged);
  const own = (files: readonly TouchedFile[], by: "A" | "B") =>
    files.filter(({ path, written }) => written && !both.has(path)).map(({ path }) => ({ path, by }));
  return [
    ...bothChanged.map((path) => ({ path, by: "both" as const })),
    ...own(left.own.files, "A"),
    ...own(right.own.files, "B"),
  ];
}

function describeBy(by: ChangedFile["by"]): string {
  return by === "both" ? "both changed" : by;
}

function tellRest(total: number, style: View["style"]): readonly string[] {
  return total <= mostListed ? [] : [style.dim(`  … ${total - mostListed} more`)];
}

function renderDecisions({ left, right }: SessionDiff, { style, width }: View): readonly string[] {
  const all = [
    ...left.own.decisions.map((decision) => `  A  ${describeDecision(decision)}`),
    ...right.own.decisions.map((decision) => `  B  ${describeDecision(decision)}`),
  ];
  if (all.length === 0) return [];
  const lines = all.slice(0, mostListed).map((line) => truncate(toPrintableLine(line), width));
  return ["", style.bold("Decisions"), ...lines, ...tellRest(all.length, style)];
}

/** Writes a decision on one line; one that is only known to be of the same time says so. */
export function describeDecision({ seq, summary, decision, by }: MadeDecision): string {
  const number = seq === null ? "" : `D${seq} `;
  const more = decision === "" || decision === summary ? "" : `: ${decision}`;
  return `${number}${summary}${more}${by === "time" ? " (made meanwhile)" : ""}`;
}

/** Says what both sides share, on one line. */
export function describeShared({ shared, merged }: SessionDiff, moment: (at: Date) => string): string {
  const until = shared.until === null ? "" : `, until ${moment(shared.until)}`;
  const entries = plural(shared.entries, "entry", "entries");
  const told = {
    entries: `${entries} shared${until}`,
    content: `${plural(shared.entries, "message")} at the beginning ${shared.entries === 1 ? "says" : "say"} the same${until}`,
    nothing: "nothing in common at the beginning",
  }[shared.by];
  return merged === 0 ? told : `${told}; ${plural(merged, "entry", "entries")} merged`;
}
