import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { readDatedDecisions } from "../../handover/dated-decisions.ts";
import { conflictError, unlessGone } from "../../lib/app-error.ts";
import { writeFileAtomically } from "../../lib/atomic-file.ts";
import { describeMoment, plural } from "../../lib/describe.ts";
import { readFailed } from "../../lib/file-error.ts";
import { toPrintableLine } from "../../lib/printable.ts";
import { catchUp } from "../../lifecycle/catch-up.ts";
import { compareSessions } from "../../sessions/compare-sessions.ts";
import type { DiffItem, DiffSide, OwnPart, SessionDiff } from "../../sessions/session-diff.ts";
import { refuseOwnFiles } from "../../storage/refuse-own-files.ts";
import { chooseSides, type SidesAsked } from "../../workspace/find-sides.ts";
import { locateHome } from "../../workspace/locate-home.ts";
import { readHere } from "../../workspace/open-here.ts";
import { type CommandContext, renderJson } from "../command-context.ts";
import { describeTitle } from "../describe-title.ts";
import { type Output, openOutput } from "../paged-output.ts";
import { toSessionJson } from "../session-json.ts";
import { renderText, type View } from "../transcript/render-part.ts";
import { pageGenerator, renderPage } from "./html/render-page.ts";
import { layOut, renderBeside, renderStretch } from "./render-stretch.ts";
import { describeShared, renderSummary } from "./render-summary.ts";

/** What is compared, and how it is shown. */
export interface DiffRequest extends SidesAsked {
  readonly full?: boolean;
  readonly pager?: boolean;
  readonly json?: boolean;
  /** The file of a page, or true for standard output. */
  readonly html?: string | true | undefined;
}

/** Shows what two sessions share, and what each did. */
export async function showDiff(context: CommandContext, request: DiffRequest): Promise<void> {
  const { full = false, pager = true, json = false, html, ...sidesRequest } = request;
  await catchUp(context);
  return readHere(context, async (here) => {
    const { log } = here.store;
    const sides = await chooseSides(context, here, sidesRequest);
    const decisions = await readDatedDecisions(
      log,
      sides.map(({ session }) => session),
    );
    const textLimit = full ? { textLimit: Number.POSITIVE_INFINITY } : {};
    const diff = await compareSessions(log, ...sides, { decisions, ...textLimit });
    if (html !== undefined) return writeDiffHtml(context, diff, html === true ? undefined : html);
    const output = openOutput(context, { pager: pager && !json });
    const { columns: width = Number.POSITIVE_INFINITY, style, machine } = context;
    const view = { width, style, machine, full };
    await (json ? writeDiffJson(output, diff) : writeDiff(output, diff, view));
    await output.end();
  });
}

/** Writes a comparison as one JSON document, entry by entry: docs/formats/cli-json.md. */
async function writeDiffJson(output: Output, diff: SessionDiff): Promise<void> {
  const { left, right, shared, merged, stretches, bothChanged } = diff;
  await output.write('{"left":');
  await writeSide(output, left);
  await output.write(',"right":');
  await writeSide(output, right);
  const until = shared.until?.toISOString() ?? null;
  const rest = renderJson({ shared: { ...shared, until }, merged, bothChanged, stretches });
  await output.write(`,${rest.slice(1)}\n`);
}

async function writeSide(output: Output, { session, strand, end, own, items }: DiffSide): Promise<void> {
  const facts = renderJson({ session: toSessionJson(session), strand, end, own: toOwnJson(own) });
  await output.write(`${facts.slice(0, -1)},"items":[`);
  let separator = "\n";
  for (const item of items) {
    await output.write(`${separator}${renderJson(toItemJson(item))}`);
    separator = ",\n";
  }
  await output.write("]}");
}

function toOwnJson({ firstAt, lastAt, ...own }: OwnPart): object {
  return { ...own, firstAt: firstAt?.toISOString() ?? null, lastAt: lastAt?.toISOString() ?? null };
}

function toItemJson({ at, ...item }: DiffItem): object {
  return { ...item, at: at.toISOString() };
}

/** Writes a comparison as a page to a file that only its owner can read, or to standard output. */
async function writeDiffHtml(
  context: CommandContext,
  diff: SessionDiff,
  file: string | undefined,
): Promise<void> {
  const page = renderPage(diff);
  if (file === undefined) return context.out(page);
  const path = resolve(context.cwd, file);
  await refuseOwnFiles(locateHome(context.env, context.userHome), path);
  await refuseForeign(path);
  await writeFileAtomically(path, page, { random: context.random });
  context.err(`Written to ${toPrintableLine(path)}\n`);
}

/** A page that was made before is made anew; any other file is somebody's own. */
async function refuseForeign(path: string): Promise<void> {
  const text = await unlessGone(readFile(path, "utf8")).catch((cause: unknown) => {
    throw readFailed(path, cause);
  });
  if (text === undefined || text.slice(0, 500).includes(pageGenerator)) return;
  throw conflictError("file-exists", `${path} is there already, and is no page of carryon diff.`, {
    hint: "Choose another name.",
  });
}

/** Writes a comparison for people, stretch by stretch, and stops when the reader has seen enough. */
async function writeDiff(output: Output, diff: SessionDiff, view: View): Promise<void> {
  if (!(await output.write(renderSides(diff, view)))) return;
  for (const stretch of diff.stretches) if (!(await output.write(renderStretch(diff, stretch, view)))) return;
  await output.write(`\n${renderSummary(diff, view)}`);
}

function renderSides(diff: SessionDiff, view: View): string {
  const { style } = view;
  const { beside, side } = layOut(view.width);
  const narrow = { ...view, width: side };
  const [left, right] = [renderSide("A", diff.left, narrow), renderSide("B", diff.right, narrow)];
  const sides = beside ? renderBeside(left, right, narrow) : `${[...left, "", ...right].join("\n")}\n\n`;
  const shared = renderText(describeShared(diff, describeMoment), view, style.bold, "");
  const isSame = diff.left.own.entries + diff.right.own.entries === 0;
  return `${sides}${shared}\n${isSame ? `${style.dim("Neither has anything of its own.")}\n` : ""}\n`;
}

/** Renders which session a side is. */
function renderSide(letter: "A" | "B", { session, strand, end }: DiffSide, view: View): readonly string[] {
  const { style } = view;
  const color = letter === "A" ? style.cyan : style.yellow;
  const part = [
    ...(strand === null ? [] : [`strand ${strand}`]),
    ...(end === null ? [] : [`path to #${end}`]),
  ];
  const facts = [session.client, session.projectName, session.status, plural(session.messages, "message")];
  return [
    ...renderText(
      `${letter}  ${toPrintableLine(describeTitle(session))}`,
      view,
      (line) => style.bold(color(line)),
      "",
    ).split("\n"),
    ...renderText([session.id, ...part].join(" · "), view, undefined, "").split("\n"),
    ...renderText(
      toPrintableLine([...facts, describeMoment(session.startedAt)].join(" · ")),
      view,
      style.dim,
      "",
    ).split("\n"),
  ];
}
