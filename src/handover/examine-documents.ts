import { AppError, unlessFailed } from "../lib/app-error.ts";
import { withoutMark } from "../lib/markdown/byte-order-mark.ts";
import { readDocument } from "../lib/markdown/read-document.ts";
import type { HandoverPlace } from "../workspace/choose-handover-place.ts";
import { parseBuffer } from "./buffer/buffer-doc.ts";
import { decisionReferences } from "./decisions/decision-references.ts";
import { withoutNumbers } from "./decisions/read-decisions.ts";
import type { RecordSite } from "./document-record.ts";
import type { Findings } from "./examine-decisions.ts";
import { locateHandover } from "./handover-folder.ts";
import { readElsewhere, readLogged } from "./logged-decisions.ts";
import { lineText } from "./markdown/outline.ts";
import { locateParts, parseSession } from "./parse-session.ts";
import type { Problem } from "./problem.ts";
import type { SessionPart } from "./session-doc.ts";

/**
 * Returns the references in a text to decisions that there are not: neither in the decisions.md of a place nor, as this
 * user's log has them, in another work tree or clone, or on another machine.
 */
export async function findUnknown(
  site: RecordSite | undefined,
  text: string,
  place: HandoverPlace,
): Promise<readonly Problem[]> {
  const references = findReferences(text);
  const missing = await withoutNumbers(
    place,
    references.map(({ seq }) => seq),
  );
  if (missing.size === 0) return [];
  const others = site && (await readLogged(site)).filter(({ root }) => root !== site.root);
  const elsewhere = site && [...(others ?? []), ...(await readElsewhere(site))];
  const known = new Set(elsewhere?.map(({ seq }) => seq));
  return references
    .filter(({ seq }) => missing.has(seq) && !known.has(seq))
    .map(({ seq, line }) => ({ code: "unknown-decision", line, message: `there is no decision D${seq}` }));
}

const referring: readonly SessionPart[] = ["continuing", "added", "exceptions"];

/** Returns the decisions that a session.md refers to, with the lines, counted from 1. */
function findReferences(text: string): readonly { readonly seq: number; readonly line: number }[] {
  const { outline, parts } = locateParts(withoutMark(text));
  return referring.flatMap((part) => {
    const { from, to } = parts.get(part)?.content ?? { from: 0, to: 0 };
    return Array.from({ length: Math.max(0, to - from) }, (_, index) => from + index).flatMap((line) =>
      decisionReferences(lineText(outline, line)).map((seq) => ({ seq, line: line + 1 })),
    );
  });
}

/** More lines than a person looks up. */
const mostShown = 10;

const remedies: Partial<Readonly<Record<Problem["code"], string>>> = {
  "left-open": "Close it where it ends; until then nothing writes the document.",
  "repeated-section": "Join the two by hand; both are kept until then.",
  "unknown-decision": "Correct the number, or append what was decided with `carryon decide`.",
};

/**
 * Says what is wrong with session.md and buffer.md, and what can be done about it. Changes nothing. Without
 * a site nothing is known of decisions in other work trees.
 *
 * A problem is what keeps a document from being written; what it says otherwise should only be known.
 */
export async function examineDocuments(
  place: HandoverPlace,
  site?: RecordSite | undefined,
): Promise<Findings> {
  const { session, buffer } = locateHandover(place);
  const found = [
    await examineDocument(place.root, session, async (text) => [
      ...parseSession(text).problems,
      // What keeps decisions.md from being read is told where it is examined itself.
      ...(await unlessFailed(findUnknown(site, text, place), [])),
    ]),
    await examineDocument(place.root, buffer, async (text) => parseBuffer(text).problems),
  ];
  return {
    problems: found.flatMap(({ problems }) => problems),
    notes: found.flatMap(({ notes }) => notes),
  };
}

async function examineDocument(
  root: string,
  path: string,
  examine: (text: string) => Promise<readonly Problem[]>,
): Promise<Findings> {
  try {
    const text = await readDocument(root, path);
    return text === undefined ? { problems: [], notes: [] } : toFindings(path, await examine(text));
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const hint = error.hint ?? "Check the permissions of the file and of its folder.";
    return { problems: [{ what: error.message, hint }], notes: [] };
  }
}

function toFindings(path: string, found: readonly Problem[]): Findings {
  const marks = found.filter(({ code }) => code === "conflict-marker").map(({ line }) => line);
  const others = Map.groupBy(
    found.filter(({ code }) => code !== "conflict-marker"),
    ({ code }) => code,
  );
  return {
    problems:
      marks.length === 0
        ? []
        : [
            {
              what: `${path}: a git merge left its marks in line ${some(marks.map(String), ", ")}.`,
              hint: "Keep what counts of both sides and delete the lines of the marks; until then nothing writes the document.",
            },
          ],
    notes: [...others].map(([code, same]) => ({
      what: `${path}: ${list(same)}.`,
      hint: remedies[code] ?? "Correct it by hand; it is kept as it is until then.",
    })),
  };
}

function list(found: readonly Problem[]): string {
  return some(
    found.map(({ line, message }) => `line ${line}: ${message}`),
    "; ",
  );
}

function some(texts: readonly string[], separator: string): string {
  const rest = texts.length - mostShown;
  return texts.slice(0, mostShown).join(separator) + (rest > 0 ? ` and ${rest} more` : "");
}
