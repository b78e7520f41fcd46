import type { AppError } from "../lib/app-error.ts";
import { plural } from "../lib/describe.ts";
import { describeAge, describeAgeShortly } from "../lib/duration.ts";
import { toPrintableLine } from "../lib/printable.ts";
import type { Style } from "../lib/style.ts";
import { truncate, wrap } from "../lib/terminal-text.ts";
import type { Session } from "../sessions/session.ts";
import type { ShortId } from "../sessions/short-ids.ts";
import type { Choice } from "./choice-list.ts";
import { describeTitle } from "./describe-title.ts";
import { type Column, layOutTable } from "./render-table.ts";
import { statusStyle, wide } from "./session-table.ts";

/** A session to choose, with what a person knows it by. */
export interface Candidate {
  readonly session: Session;
  /** What the user asked last. */
  readonly prompt: string | undefined;
  /** Why it cannot be resumed. */
  readonly obstacle: AppError | undefined;
}

interface ChoiceView {
  /** Columns of the terminal. */
  readonly width: number;
  readonly style: Style;
  readonly now: Date;
  readonly shortId: ShortId;
}

/** What the list draws before each row. */
const margin = 6;
/** What is kept free for age and status beside a title. */
const factsWidth = 29;
/** A branch may be longer than any title. */
const branchWidth = 24;
/** How many lines of a text are shown below a row. */
const shownLines = 2;

/** Describes sessions as rows of a list: title, age, status and, where there is room, branch. Each row is made when it is shown. */
export function toChoices(candidates: readonly Candidate[], view: ChoiceView): readonly Choice[] {
  const describe = layOutChoices(candidates, view);
  return candidates.map((candidate) => describe(candidate));
}

/** Makes room for the rows of sessions, and returns what describes one of them, also with what is known of it later. */
export function layOutChoices(
  candidates: readonly Candidate[],
  view: ChoiceView,
): (candidate: Candidate, shortId?: ShortId) => Choice {
  const { style, now } = view;
  const width = view.width - margin;
  const age = view.width < wide ? describeAgeShortly : describeAge;
  const minWidth = Math.max(16, Math.min(30, width - factsWidth));
  const columns: readonly Column<Candidate>[] = [
    { header: "TITLE", cell: titleOf, flexible: true, minWidth },
    { header: "UPDATED", cell: ({ session }) => age(session.updatedAt, now), leaves: 2 },
    {
      header: "STATUS",
      cell: describeStanding,
      style: ({ session, obstacle }) => (obstacle ? style.red : statusStyle(session.status, style)),
      minWidth: notResumable.length,
    },
    { header: "BRANCH", cell: ({ session }) => truncate(session.branch ?? "", branchWidth), leaves: 1 },
  ];
  const render = layOutTable(columns, candidates, width);
  return (candidate, shortId = view.shortId) => ({
    get label() {
      return render(candidate);
    },
    get detail() {
      return describeCandidate(candidate, width, shortId).map(style.dim);
    },
    words: wordsOf(candidate),
    refusal: candidate.obstacle && refuse(candidate, shortId),
  });
}

function titleOf({ session, prompt }: Candidate): string {
  return session.title === "" && prompt !== undefined ? prompt : describeTitle(session);
}

const notResumable = "✗ not resumable";

const obstacles: ReadonlyMap<string, string> = new Map([
  ["no-transcript", "✗ no transcript"],
  ["folder-gone", "✗ folder gone"],
  ["not-resumable", "✗ forked here"],
  ["run-done", "✗ task done"],
]);

function describeStanding({ session, obstacle }: Candidate): string {
  if (obstacle === undefined) return session.status;
  return obstacles.get(obstacle.code) ?? notResumable;
}

const ownKinds: ReadonlyMap<string, string> = new Map([
  ["carryon-chat", " · chat"],
  ["carryon-run", " · run"],
]);

/** Says below a row what was asked last, and which session it is. */
function describeCandidate(
  { session, prompt, obstacle }: Candidate,
  width: number,
  shortId: ShortId,
): readonly string[] {
  const own = ownKinds.get(session.client) ?? "";
  const facts = `${shortId(session.id)} · ${plural(session.messages, "message")}${own}`;
  const asked = prompt === undefined ? [] : cutLines(`Last prompt: ${prompt}`, width);
  const reason = obstacle === undefined ? [] : cutLines(obstacle.message, width);
  return [...asked, ...reason, truncate(toPrintableLine(facts), width)];
}

function cutLines(text: string, width: number): readonly string[] {
  // Cut roughly first: a prompt may hold a whole file.
  const lines = wrap(toPrintableLine(text.slice(0, 4 * shownLines * width)), width).split("\n");
  const last = shownLines - 1;
  if (lines.length <= shownLines) return lines;
  return [...lines.slice(0, last), truncate(lines.slice(last).join(" "), width)];
}

function wordsOf({ session, prompt = "", obstacle }: Candidate): string {
  const { id, title, branch, status } = session;
  return [title, prompt, branch ?? "", id, obstacle ? "" : status].join(" ");
}

/** Says it on one line, because the reason stands below the row. */
function refuse({ session }: Candidate, shortId: ShortId): string {
  return `This one cannot be resumed. Read it with \`carryon show ${toPrintableLine(shortId(session.id))}\`.`;
}
