import { describeDay, describeTime } from "../../lib/describe-time.ts";
import { plural } from "../../lib/plural.ts";
import { toPrintableLine } from "../../lib/printable.ts";
import type { DiffSide, SessionDiff } from "../../sessions/session-diff.ts";
import { describeTitle } from "../describe-title.ts";
import type { Output } from "../paged-output.ts";
import { renderText, type View } from "../transcript/render-part.ts";
import { layOut, renderBeside, renderStretch } from "./render-stretch.ts";
import { describeShared, renderSummary } from "./render-summary.ts";

/** Writes a comparison for people, stretch by stretch, and stops when the reader has seen enough. */
export async function writeDiff(output: Output, diff: SessionDiff, view: View): Promise<void> {
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

function describeMoment(at: Date): string {
  return `${describeDay(at)} ${describeTime(at)}`;
}
