import { findNextStep } from "../digest/judge-work.ts";
import { isOpen } from "../handover/dated.ts";
import type { Documents, GivenNext } from "../handover/read-documents.ts";
import { autoDraft } from "../handover/session-doc.ts";
import type { NamedText } from "./brief/describe-left.ts";
import { type EarlierWork, readStandingWork } from "./earlier-work.ts";
import { chooseWorkstream } from "./workstreams.ts";

/** Returns what the recorded work of this branch calls for, in a sentence; undefined when nothing is open. */
export async function readNextStep(
  ...[here, sessions]: Parameters<typeof readStandingWork>
): Promise<string | undefined> {
  const workstreams = await readStandingWork(here, sessions);
  const work = chooseWorkstream(workstreams, here.branch, here.clock.now());
  const isHere = work !== undefined && (work.newest.branch ?? here.branch) === here.branch;
  return !isHere || work.isTrivial ? undefined : findNextStep(work.digest)?.text;
}

/**
 * The next action that somebody gave for this branch counts until work overtakes it; one for another branch is named as
 * such. A text that was derived counts where the entries call for nothing.
 */
export function describeNext({
  session,
  next: all = [],
  earlier,
}: Pick<Documents, "session" | "next"> & {
  readonly earlier?: EarlierWork | undefined;
}): readonly NamedText[] {
  if (session === undefined || !isOpen(session))
    return earlier === undefined ? [] : toNext({ ...earlier, text: earlier.next });
  const sinceOf = ({ text, at }: GivenNext) => at && earlier?.overtakes(text, at);
  const isDraft = earlier !== undefined && session.value.mode === autoDraft;
  const left = all.filter((each) => each.text !== "" && sinceOf(each) !== "done");
  const given = left.filter(({ isGiven }) => isGiven);
  const own = given.find((each) => each.branch === undefined && sinceOf(each) === undefined);
  const derived = earlier?.branch === undefined ? earlier?.next : undefined;
  const other = left.find((each) => each.branch === undefined && (each.isGiven || !isDraft));
  const here = own ?? (derived === undefined ? other : { text: derived, at: earlier?.at });
  const elsewhere = given.find(({ branch }) => branch !== undefined);
  const isTold = earlier?.branch === undefined || earlier.branch === elsewhere?.branch;
  return [
    ...toNext(here ?? {}),
    ...toNext(elsewhere ?? {}),
    ...(isTold ? [] : toNext({ ...earlier, text: earlier.next })),
  ];
}

function toNext({
  text,
  at,
  branch,
}: { readonly [Part in "text" | "at" | "branch"]?: GivenNext[Part] | undefined }): readonly NamedText[] {
  return text === undefined ? [] : [[`Next action${branch === undefined ? "" : ` on ${branch}`}`, text, at]];
}
