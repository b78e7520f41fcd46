import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { type NewDecision, toDecisionText } from "../../handover/decision.ts";
import { toGivenNote } from "../../handover/given-note.ts";
import type { Note, NoteOrigin } from "../../handover/note.ts";
import { openProjectHandover, type ProjectHandover } from "../../handover/project-handover.ts";
import { toProjectPaths } from "../../handover/project-paths.ts";
import { catchUp } from "../../lifecycle/catch-up.ts";
import { readBriefHere } from "../../lifecycle/make-brief.ts";
import { readCallersWork } from "../../memory/recorded-work.ts";
import { hideSecrets } from "../../redaction/hide-secrets.ts";
import { writeHere } from "../../workspace/open-here.ts";
import { type Caller, sessionOf, type Workspace } from "../../workspace/workspace.ts";
import { makeFactualAnswer } from "../answer.ts";
import type { Call } from "../call.ts";

/** Takes in what is new, and returns the brief, which is quoted and cut already. */
export async function answerBrief(call: Call, budget?: number): Promise<string> {
  const caller = await call.inSession();
  await catchUp(caller);
  return hideSecrets((await readBriefHere(caller, { budget })).text);
}

/** Writes a decision down. */
export async function answerDecide(call: Call, draft: NewDecision): Promise<CallToolResult> {
  // Before a store is made for it.
  toDecisionText(draft);
  return atHandover(await call.inSession(), async (handover) => {
    const { seq } = await handover.decide(draft);
    return makeFactualAnswer(`The decision is written down as D${seq}.`, { number: seq }, call.remarks);
  });
}

/** Adds a note to buffer.md. */
export async function answerNote(
  call: Call,
  {
    tag,
    text,
    ...origin
  }: Pick<Note, "tag" | "text"> & NoteOrigin & { readonly category?: string | undefined },
): Promise<CallToolResult> {
  const note = toGivenNote(tag, text, origin);
  return atHandover(await call.inSession(), async (handover) => {
    const { added, candidates } = await handover.note([note]);
    const names = candidates.map(({ name }) => name);
    const made = names.map((name) => `New skill candidate: ${name}\n`).join("");
    return makeFactualAnswer(
      added.length === 0 ? "It was noted before." : "It is noted.",
      { added: added.length, candidates: names },
      made + call.remarks,
    );
  });
}

/** What an agent says of a piece of work that is complete. */
export interface DraftWords {
  readonly done?: readonly string[] | undefined;
  readonly next?: readonly string[] | undefined;
  readonly goal?: string | undefined;
  readonly file?: readonly string[] | undefined;
}

/** Brings session.md up to date. */
export async function answerDraft(call: Call, words: DraftWords): Promise<CallToolResult> {
  const { done = [], next, goal, file = [] } = words;
  const caller = await call.inSession();
  await catchUp(caller);
  const session = sessionOf(caller);
  return atHandover(caller, async (handover, here) => {
    const work = await readCallersWork(here, session);
    const { isChanged, problems } = await handover.draft({
      ...{ session, done, files: toProjectPaths(caller.cwd, here.root, file), work },
      ...(next !== undefined && { next: next.join("\n") }),
      ...(goal !== undefined && { goal }),
    });
    const quoted = problems.map(({ line, message }) => `Line ${line}: ${message}.\n`).join("");
    return makeFactualAnswer(
      isChanged ? "session.md is brought up to date." : "Nothing new; session.md is as it was.",
      { path: handover.paths.session, changed: isChanged, problems: problems.length },
      quoted + call.remarks,
    );
  });
}

function atHandover<Result>(
  caller: Caller,
  work: (handover: ProjectHandover, here: Workspace) => Promise<Result>,
): Promise<Result> {
  return writeHere(caller, async (here) => work(await openProjectHandover(here), here));
}
