import { joinPaths } from "../digest/join-paths.ts";
import type { Line, Section, SectionName } from "../digest/sections.ts";
import { shorten } from "../digest/shorten.ts";

/** A section as it is shown: its lines fit the room that it was given. */
export interface Shown {
  readonly title: string;
  readonly lines: readonly string[];
}

/** How the room is divided where not everything fits. What is not here gets what the others leave. */
const shares: Readonly<Partial<Record<SectionName, number>>> = {
  Open: 22,
  State: 24,
  Goal: 24,
  User: 22,
  Tasks: 16,
  Checks: 16,
  Answer: 14,
  Findings: 12,
  Edited: 8,
  Commits: 4,
  Plan: 3,
  Read: 3,
  Agents: 2,
};

/** These come last, in this order, and take what the others leave of their room. */
const last: readonly SectionName[] = ["Goal", "User", "Findings", "Talk"];

/** They say nothing that the last answer says, shown or cut. */
const beside: ReadonlySet<SectionName> = new Set(["Findings", "Talk"]);

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
  const shared = sections.filter(({ name }) => shares[name] !== undefined);
  const rooms = new Map(divide(shared, room, count));
  let left = room;
  const answer = sections.find(({ name }) => name === "Answer")?.lines[0]?.text ?? "";
  const take = (section: Section, most: number): void => {
    // A finding that was cut from the answer matters less than what is left of it.
    const said = normalise(
      [...[...fitted.values()].flat(), beside.has(section.name) ? answer : ""].join("\n"),
    );
    const news = section.lines.filter(({ text }) => !said.includes(normalise(text).slice(0, 60)));
    const title = costOf(section.title, count);
    const lines = fitSection({ ...section, lines: news }, Math.min(most, left) - title, count);
    if (lines.length === 0) return;
    fitted.set(section.name, lines);
    left -= title + sum(lines.map((each) => costOf(each, count)));
  };
  const rank = ({ name }: Section): number => last.indexOf(name);
  let reserved = sum([...rooms.values()]);
  for (const section of sections.toSorted((one, other) => rank(one) - rank(other))) {
    reserved -= rooms.get(section.name) ?? 0;
    take(section, last.includes(section.name) ? left - reserved : (rooms.get(section.name) ?? 0));
  }
  return sections.flatMap(({ name, title }) => {
    const lines = fitted.get(name);
    return lines === undefined ? [] : [{ title, lines }];
  });
}

/** Divides the room: a section that needs less than its share leaves the rest to the others. */
function divide(
  sections: readonly Section[],
  room: number,
  count: CountTokens,
): readonly (readonly [SectionName, number])[] {
  const shareOf = ({ name }: Section) => shares[name] ?? 0;
  const all = sum(sections.map(shareOf));
  const roomOf = (each: Section) => Math.floor((room * shareOf(each)) / all);
  const needOf = ({ title, lines }: Section) =>
    sum([title, ...lines.map(({ text }) => text)].map((each) => costOf(each, count)));
  const modest = sections.filter((each) => needOf(each) <= roomOf(each));
  if (modest.length === 0) return sections.map((each) => [each.name, roomOf(each)]);
  const others = sections.filter((each) => !modest.includes(each));
  const left = room - sum(modest.map(needOf));
  return [...modest.map((each) => [each.name, needOf(each)] as const), ...divide(others, left, count)];
}

/** A line has a break, an indentation and a dash. */
function costOf(text: string, count: CountTokens): number {
  return count(text) + 2;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}

function fitSection({ name, lines, arePaths }: Section, room: number, count: CountTokens): readonly string[] {
  if (arePaths === true) return fitPaths(lines, room, count);
  if (name === "Answer") return fitAnswers(lines, room, count);
  if (sum(lines.map(({ text }) => costOf(text, count))) <= room) return lines.map(({ text }) => text);
  return fitLines(lines, room, count);
}

/** How much of a section's room one of several lines may take; it is cut otherwise. */
const lineShare = 0.55;
/** A shorter piece of a line says nothing, in tokens and in characters. */
const leastLine = 12;
const leastPiece = 70;

/** Takes the lines that matter most as long as they fit. */
function fitLines(lines: readonly Line[], room: number, count: CountTokens): readonly string[] {
  const taken = new Map<Line, string>();
  const most = lines.length === 1 ? room : Math.max(30, Math.floor(room * lineShare));
  let left = room;
  for (const line of lines.toSorted((one, other) => other.worth - one.worth)) {
    if (left < leastLine) break;
    const text = shorten(line.text, Math.min(most, left) - 2, count);
    // A beginning is worth showing where much of the line is in it.
    const isShort = text !== line.text && text.length < Math.min(line.text.length / 3, leastPiece);
    if (isShort && taken.size > 0) continue;
    taken.set(line, text);
    left -= costOf(text, count);
  }
  return lines.flatMap((line) => taken.get(line) ?? []);
}

/** Takes as many paths as fit on one line, those that matter most. */
function fitPaths(lines: readonly Line[], room: number, count: CountTokens): readonly string[] {
  const paths = lines.toSorted((one, other) => other.worth - one.worth).map(({ text }) => text);
  let most = paths.length;
  while (most > 0 && costOf(joinPaths(paths.slice(0, most)), count) > room) most -= 1;
  return most === 0 ? [] : [joinPaths(paths.slice(0, most))];
}

/** The newest answer, without its middle where it is too long; then the one before it. */
function fitAnswers(lines: readonly Line[], room: number, count: CountTokens): readonly string[] {
  const shown: string[] = [];
  let left = room;
  for (const { text } of lines) {
    if (left < Math.min(leastAnswer, count(text))) break;
    const cut = shorten(text, left, count);
    shown.push(cut);
    left -= costOf(cut, count);
  }
  return shown;
}

function normalise(text: string): string {
  return text.replace(/[`*_]/g, "").replace(/\s+/g, " ").toLowerCase();
}
