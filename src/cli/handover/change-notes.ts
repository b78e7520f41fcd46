import type { Candidate } from "../../handover/candidate.ts";
import { findCandidates } from "../../handover/find-candidates.ts";
import { badNote } from "../../handover/given-note.ts";
import { type Note, renderNote } from "../../handover/note.ts";
import { openProjectHandover, type ProjectHandover } from "../../handover/project-handover.ts";
import { plural } from "../../lib/plural.ts";
import { toPrintableLine } from "../../lib/printable.ts";
import { suggest } from "../../lib/suggest.ts";
import { locateHandoverHere } from "../../workspace/choose-handover-place.ts";
import { writeHere } from "../../workspace/open-here.ts";
import type { CommandContext } from "../command-context.ts";
import { renderJson } from "../render-json.ts";

/** How an answer is to be given. */
interface Answering {
  readonly json?: true | undefined;
}

/** Adds notes and says which of them are new. */
export async function sayNoted(
  context: CommandContext,
  notes: readonly Note[],
  { json }: Answering,
): Promise<void> {
  await change(context, async (handover) => {
    const { added, candidates } = await handover.note(notes);
    if (json) return context.out(`${renderJson({ added, candidates })}\n`);
    context.out(lines(added.map(renderNote)));
    const path = toPrintableLine(handover.paths.buffer);
    context.err(added.length === 0 ? "Nothing new to note.\n" : `Written to ${path}\n`);
    for (const { name } of candidates) context.err(`New skill candidate: ${toPrintableLine(name)}\n`);
  });
}

/** Flushes the notes and says where they are. */
export async function sayFlushed(context: CommandContext, { json }: Answering): Promise<void> {
  await change(context, async (handover) => {
    const { notes, files } = await handover.flush();
    if (json) return context.out(`${renderJson({ notes, files })}\n`);
    context.out(lines(files));
    const counted = `${plural(notes.length, "note")} moved into ${plural(files.length, "file")} of knowledge.\n`;
    context.err(notes.length === 0 ? "There are no notes to flush.\n" : counted);
  });
}

/** Lists the skill candidates. */
export async function sayCandidates(context: CommandContext, { json }: Answering): Promise<void> {
  const candidates = await candidatesOf(context);
  if (json) return context.out(`${renderJson({ candidates })}\n`);
  context.out(lines(candidates.map(describe)));
  if (candidates.length === 0) context.err("There are no skill candidates.\n");
}

/** Dismisses a candidate; a name that is none is refused before anything is written. */
export async function sayDismissed(
  context: CommandContext,
  name: string,
  { json }: Answering,
): Promise<void> {
  const names = (await candidatesOf(context)).map((each) => each.name);
  const isKnown = names.some((each) => each.toLowerCase() === name.toLowerCase());
  if (!isKnown || !(await change(context, (handover) => handover.dismiss(name)))) {
    const near = suggest(name, names);
    const hint = near.length > 0 ? `Did you mean ${near.join(" or ")}?` : "See `carryon note candidates`.";
    throw badNote(`There is no skill candidate ${JSON.stringify(name.slice(0, 80))}.`, hint);
  }
  if (json) return context.out(`${renderJson({ dismissed: name })}\n`);
  context.err(`${toPrintableLine(name)} is no candidate any more.\n`);
}

function change<Result>(
  context: CommandContext,
  work: (handover: ProjectHandover) => Promise<Result>,
): Promise<Result> {
  return writeHere(context, async (here) => work(await openProjectHandover(here)));
}

async function candidatesOf(context: CommandContext): Promise<readonly Candidate[]> {
  return findCandidates(await locateHandoverHere(context));
}

function describe({ name, specs, occurrences }: Candidate): string {
  const where = specs.length === 0 ? "" : ` in ${specs.join(", ")}`;
  return `${name}: ${plural(occurrences, "occurrence")}${where}`;
}

function lines(texts: readonly string[]): string {
  return texts.map((text) => `${toPrintableLine(text)}\n`).join("");
}
