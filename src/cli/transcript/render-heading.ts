import { describeDay, describeTime } from "../../lib/describe-time.ts";
import { plural } from "../../lib/plural.ts";
import { toPrintableLine } from "../../lib/printable.ts";
import { describeHolder } from "../../sessions/lease.ts";
import type { Session } from "../../sessions/session.ts";
import { describeTitle } from "../describe-title.ts";
import { renderText, type View } from "./render-part.ts";

/** Renders what a transcript begins with: which session it is. Ends with an empty line. */
export function renderHeading(session: Session, view: View): string {
  const { style, width, machine } = view;
  const facts = [
    session.client,
    session.projectName,
    ...(session.machine === machine ? [] : [`on ${session.machine}`]),
    ...(session.branch === null ? [] : [session.branch]),
    session.status,
    plural(session.messages, "message"),
    `${describeDay(session.startedAt)} ${describeTime(session.startedAt)}`,
    ...session.tags.map((tag) => `#${tag}`),
  ];
  const writer = session.writer === null ? [] : [`being written by ${describeHolder(session.writer)}`];
  const origin = session.forkedFrom === null ? [] : [`forked from ${session.forkedFrom.session}`];
  return `${[
    renderText(toPrintableLine(describeTitle(session)), view, style.bold, ""),
    session.id.length > width ? renderText(session.id, view, (text) => text, "") : session.id,
    ...[facts.join(" · "), ...origin, ...writer].map((line) =>
      renderText(toPrintableLine(line), view, style.dim, ""),
    ),
  ].join("\n")}\n\n`;
}
