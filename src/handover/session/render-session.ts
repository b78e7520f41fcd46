import { fold, saysNothing } from "../../lib/markdown/fold.ts";
import { toBody } from "../markdown/contain.ts";
import { keyDecisions, type SessionDoc, type SessionPart, sessionParts } from "../session-doc.ts";

/** What stands for an empty part in a new document. */
export const nothing = "None";

/** Returns a whole new session.md. */
export function renderSession(doc: SessionDoc): string {
  const clean = toSession(doc);
  const opened = new Set<string>();
  const lines = sessionParts.flatMap((each) => {
    const value = clean[each.part];
    if (each.at === "header") return renderHeader(each, value);
    const headings = each.at === "group" ? [`### ${keyDecisions}`] : headingsOf(each.title, each.under);
    const fresh = headings.filter((heading) => !opened.has(heading));
    for (const heading of fresh) opened.add(heading);
    return ["", ...fresh, ...(each.at === "group" ? [`**${each.name}:**`] : []), value || nothing];
  });
  return `${["# Session Handover", ...lines].join("\n")}\n`;
}

/** Returns the line of a field, or none if it has nothing to say and may be left out. */
export function renderHeader(
  { label, isOptional }: { readonly label: string; readonly isOptional: boolean },
  value: string,
): readonly string[] {
  return value === "" && isOptional ? [] : [`**${label}**: ${value || nothing}`];
}

/** Returns the headings that a section stands under, and its own. */
export function headingsOf(title: string, under: string | undefined): readonly string[] {
  return under === undefined ? [`## ${title}`] : [`## ${under}`, `### ${title}`];
}

/** Returns a document as it is read back when it has been written. */
export function toSession(doc: SessionDoc): SessionDoc {
  const parts = sessionParts.map(({ part }) => [part, toPart(part, doc[part])]);
  return Object.fromEntries(parts) as unknown as SessionDoc;
}

/** Returns the text of a part as it is read back when it has been written. */
export function toPart(part: SessionPart, text: string): string {
  const at = sessionParts.find((each) => each.part === part)?.at;
  if (at !== "header") return toBody(text, at);
  const value = fold(text);
  return saysNothing(value) ? "" : value;
}
