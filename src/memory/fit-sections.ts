import { joinPaths } from "../digest/join-paths.ts";
import type { Line, Section, SectionName } from "../digest/sections.ts";

/** A section as it is shown: its lines fit the room that it was given. */
export interface Shown {
  readonly title: string;
  readonly lines: readonly string[];
}

/** How much of the whole room a section may take before those that come later had theirs. */
const shares: readonly (readonly [name: SectionName, share: number])[] = [
  ["Open", 0.2],
  ["State", 0.24],
  ["Goal", 0.17],
  ["User", 0.18],
  ["Tasks", 0.16],
  ["Checks", 0.13],
  ["Edited", 0.08],
  ["Commits", 0.08],
  ["Plan", 0.05],
  ["Read", 0.05],
  ["Agents", 0.04],
];

/** So much is held back for the last answer and for findings. */
const heldBack = 0.22;
/** Of the room that is left after all others, the last answers get so much, and findings the rest. */
const answerShare = 0.55;
/** A section with less room is left out. */
const leastSection = 20;
/** A shorter piece of an answer says nothing. */
const leastAnswer = 30;

/** Counts the tokens of a text. */
export type CountTokens = (text: string) => number;

/**
 * Returns the lines of some sections that fit into a number of tokens: within a section those that matter most, in the
 * order in which they are read. Nothing is said twice.
 */
export function fitSections(
  sections: readonly Section[],
  room: number,
  count: CountTokens,
): readonly Shown[] {
  const fitted = new Map<SectionName, readonly string[]>();
  const find = (name: SectionName) => sections.find((each) => each.name === name);
  let left = room;
  const take = (section: Section | undefined, most: number): void => {
    if (section === undefined || most < leastSection) return;
    const lines = fitLines(section.lines, Math.min(most, left) - count(section.title) - 2, count);
    if (lines.length === 0) return;
    fitted.set(section.name, lines);
    left -= count(section.title) + 2 + lines.reduce((sum, each) => sum + count(each) + 2, 0);
  };
  const held = Math.floor(room * heldBack);
  for (const [name, share] of shares) take(find(name), Math.min(Math.floor(room * share), left - held));
  const answer = find("Answer");
  if (answer !== undefined) {
    const lines = fitAnswers(answer.lines, Math.floor(left * answerShare), count);
    if (lines.length > 0) fitted.set("Answer", lines);
    left -= lines.reduce((sum, each) => sum + count(each) + 2, 0);
  }
  const said = normalise([...fitted.values()].flat().join("\n"));
  const findings = find("Findings");
  const isNew = ({ text }: Line): boolean => !said.includes(normalise(text).slice(0, 60));
  take(findings && { ...findings, lines: findings.lines.filter(isNew) }, left);
  const talk = find("Talk");
  take(talk && { ...talk, lines: talk.lines.filter(isNew) }, left);
  return sections.flatMap(({ name, title, arePaths }) => {
    const lines = fitted.get(name);
    if (lines === undefined) return [];
    return [{ title, lines: arePaths === true ? [joinPaths(lines)] : lines }];
  });
}

/** How much of a section's room one of several lines may take; it is cut otherwise. */
const lineShare = 0.55;
/** A shorter piece of a line says nothing. */
const leastLine = 12;

/** Takes the lines that matter most as long as they fit. */
function fitLines(lines: readonly Line[], room: number, count: CountTokens): readonly string[] {
  const taken = new Map<Line, string>();
  const most = lines.length === 1 ? room : Math.max(30, Math.floor(room * lineShare));
  let left = room;
  for (const line of lines.toSorted((one, other) => other.worth - one.worth)) {
    if (left < leastLine) break;
    const text = cutTo(line.text, Math.min(most, left) - 2, count);
    // A beginning is worth showing where much of the line is in it.
    if (text !== line.text && text.length < line.text.length / 3 && taken.size > 0) continue;
    taken.set(line, text);
    left -= count(text) + 2;
  }
  return lines.flatMap((line) => taken.get(line) ?? []);
}

/** The newest answer, its beginning and its end where it is too long; then the one before it. */
function fitAnswers(lines: readonly Line[], room: number, count: CountTokens): readonly string[] {
  const shown: string[] = [];
  let left = room;
  for (const { text } of lines) {
    if (left < leastAnswer) break;
    const cut = count(text) <= left ? text : withoutMiddle(text, left, count);
    shown.push(shown.length === 0 ? cut : `(before that) ${cut}`);
    left -= count(cut) + 6;
  }
  return shown;
}

function withoutMiddle(text: string, room: number, count: CountTokens): string {
  const head = cutTo(text, Math.floor(room * 0.6), count);
  const length = Math.floor((text.length * room * 0.36) / count(text));
  return `${head} … ${text.slice(-length).replace(/^\S*\s/, "")}`;
}

/** Cuts a text at a word, so that it has at most so many tokens. */
function cutTo(text: string, room: number, count: CountTokens): string {
  const tokens = count(text);
  if (tokens <= room) return text;
  let length = Math.floor((text.length * room) / tokens);
  while (length > 0 && count(text.slice(0, length)) > room) length = Math.floor(length * 0.9);
  return `${text
    .slice(0, length)
    .replace(/\s+\S*$/, "")
    .toWellFormed()}…`;
}

function normalise(text: string): string {
  return text.replace(/[`*_]/g, "").replace(/\s+/g, " ").toLowerCase();
}
