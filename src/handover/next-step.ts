import { type Digest, startDigest } from "../digest/digest.ts";
import { overtakes } from "../digest/judge-work.ts";
import { checkpoint, readOwnCommits } from "../git/work-since.ts";
import { fold } from "../lib/markdown/fold.ts";
import { toItem } from "./list-items.ts";

/** What stands as the next action when nobody has said one and no spec calls for one. */
export const awaiting = "Wait for the user's instruction.";

/** What comes before the reason why a spec is blocked. */
export const resolving = "Resolve what blocks ";

/** The next actions that recorded work calls for. */
const fromWork = [
  /^Go on with the (?:task: |open task\.$|interrupted request: "|request that was interrupted\.$)/,
  /^(?:The user has not answered yet: |Answer the question with which the session ended\.$)/,
  /^Run `.+` again: it failed and was not run since\.$/,
  /^Review the (?:edited file|\d+ edited files) and commit\.$/,
  /^Push the commits: the last push was refused \(.+\)\.$/,
];

/** Tells whether a next action reads as one that was derived from recorded work. */
export function isWorkAction(text: string): boolean {
  return fromWork.some((form) => form.test(text));
}

/** Tells whether a next action reads as one that was derived from the specs or from recorded work. */
export function isDerivedAction(text: string): boolean {
  if (text === awaiting || text.startsWith(resolving)) return true;
  return /^\/sdd-(?:design|impl|review) \S+$/.test(text) || isWorkAction(text);
}

/** Tells whether one of the things that were done is a given action; what was done may say more about it. */
export function isDone(action: string, done: readonly string[]): boolean {
  const wanted = plain(action);
  if (wanted === "") return false;
  return done
    .map(plain)
    .some((each) => each.startsWith(wanted) && !/^[\p{L}\p{N}_-]/u.test(each.slice(wanted.length)));
}

function plain(text: string): string {
  return fold(text)
    .toLowerCase()
    .replace(/[`*_]/g, "")
    .replace(/[.。!！:：]+$/, "");
}

/** Where work may have gone on since a step was given. */
interface OvertakingWork {
  readonly root: string;
  /** Whether there may be commits since the step was given. */
  readonly hasCommits: boolean;
  /** The recorded work. */
  readonly work?: Digest | undefined;
}

/** Tells whether work has done a step that somebody gave at a moment, or has gone on with something newer. */
export async function isOvertaken(
  step: string,
  since: Date,
  { root, hasCommits, work = startDigest(root) }: OvertakingWork,
): Promise<boolean> {
  const own = hasCommits ? await readOwnCommits(root, new Date(since.getTime() + 1000)) : [];
  const made = own
    .filter(({ subject }) => !checkpoint.test(subject))
    .map(({ subject, at }) => ({ subject, at: at.getTime() }));
  return overtakes(work, step, since, made) !== undefined;
}

/** Returns the steps by which a session goes on when nobody has given others. */
export function defaultSteps(nextAction: string): string {
  if (nextAction === "") return "1. Read this file.";
  const step = nextAction.includes("\n")
    ? "Take the steps of the Immediate Next Action."
    : toItem(nextAction);
  return `1. Read this file.\n2. ${step}`;
}
