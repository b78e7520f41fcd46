import type { JsonObject } from "./entry.ts";
import type { Session } from "./session.ts";
import type { MadeDecision, SessionDiff } from "./session-diff.ts";

/** Something that both sides of a merge say differently. Nothing is decided by it: both are kept, and a person is told. */
export type MergeConflict =
  | { readonly type: "file"; readonly path: string }
  | { readonly type: "decision"; readonly left: string; readonly right: string }
  | { readonly type: "title"; readonly left: string; readonly right: string }
  | { readonly type: "tags"; readonly left: readonly string[]; readonly right: readonly string[] };

/** Finds what two sessions say differently: files that both changed, decisions, titles, tags. */
export function findConflicts({ left, right, decided, bothChanged }: SessionDiff): readonly MergeConflict[] {
  return [
    ...bothChanged.map((path) => ({ type: "file", path }) as const),
    ...findDecisions(decided.left, decided.right),
    ...describe(left.session, right.session),
  ];
}

/** Two decisions differ that have one number, or that decide one thing in two ways. */
function findDecisions(
  left: readonly MadeDecision[],
  right: readonly MadeDecision[],
): readonly MergeConflict[] {
  return left.flatMap((one) =>
    right.flatMap((other) =>
      isSubject(one, other) && tell(one) !== tell(other)
        ? [{ type: "decision", left: tell(one), right: tell(other) } as const]
        : [],
    ),
  );
}

function isSubject(one: MadeDecision, other: MadeDecision): boolean {
  const isNumber = one.seq !== null && one.seq === other.seq;
  return isNumber || fold(one.summary) === fold(other.summary);
}

function fold(text: string): string {
  return text.toLowerCase().replace(/\s+/g, " ").trim();
}

function tell({ seq, summary, decision }: MadeDecision): string {
  return [seq === null ? "" : `D${seq}`, summary, decision].filter((each) => each !== "").join(": ");
}

function describe(left: Session, right: Session): readonly MergeConflict[] {
  const [ones, others] = [left.tags, right.tags];
  const hasTags = ones.length > 0 && others.length > 0 && ones.join(" ") !== others.join(" ");
  return [
    ...(left.title === right.title ? [] : [{ type: "title", left: left.title, right: right.title } as const]),
    ...(hasTags ? [{ type: "tags", left: ones, right: others } as const] : []),
  ];
}

/** Returns a conflict as the log and `--json` have it. */
export function toConflictJson(conflict: MergeConflict): JsonObject {
  return { ...conflict };
}
