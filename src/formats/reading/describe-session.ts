import { toPrintableLine } from "../../lib/printable.ts";
import type { Session } from "../../sessions/session.ts";

/** Returns what is told of a session at its head, name by name. */
export function describeFacts(session: Session): readonly (readonly [name: string, value: string])[] {
  const { forkedFrom, branch, tags, head } = session;
  const facts: readonly (readonly [string, string | null])[] = [
    ["Session", session.id],
    ["Client", session.client],
    ["Project", session.projectName],
    ["Folder", session.cwd],
    ["Branch", branch],
    ["Machine", session.machine],
    ["Started", describeMoment(session.startedAt)],
    ["Last change", describeMoment(session.updatedAt)],
    ["Entries", `${session.entries}, ${session.messages} of them messages`],
    ["Tags", tags.length === 0 ? null : tags.join(", ")],
    ["Forked from", forkedFrom === null ? null : `${forkedFrom.session} at ${forkedFrom.entry}`],
    ["Head", head],
  ];
  return facts.flatMap(([name, value]) => (value ? [[name, toPrintableLine(value)] as const] : []));
}

export function titleOf({ title, id }: Session): string {
  return toPrintableLine(title === "" ? id : title);
}

/** A page is read in other time zones than it is written in. */
export function describeMoment(at: Date): string {
  return `${at.toISOString().slice(0, 19).replace("T", " ")} UTC`;
}
