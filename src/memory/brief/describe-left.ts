import type { LeftDoc } from "../../handover/read-documents.ts";
import type { SessionDoc, SessionPart } from "../../handover/session-doc.ts";
import type { BriefPart } from "../render-brief.ts";

/** What is told of another handover, the most important first. */
const told: readonly (readonly [part: SessionPart, label: string])[] = [
  ["nextAction", "Next action"],
  ["goal", "Session goal"],
  ["warnings", "Warnings"],
  ["exceptions", "Steering exceptions"],
  ["added", "Decisions added"],
  ["continuing", "Decisions that continue"],
  ["tone", "Tone and nuance"],
  ["accomplished", "Accomplished"],
  ["modifiedFiles", "Modified files"],
];

/** The name of a part of a brief, its text, when that was written, and how it is made to fit. */
export type NamedText = readonly [
  name: string,
  text: string,
  at: Date | undefined,
  fit?: Pick<BriefPart, "textWithin" | "shorter">,
];

/** More of them at once are only counted. */
const mostTold = 3;

/** Says what other handovers say beyond the one that is told first, a part for each. */
export function describeLeft(
  left: readonly LeftDoc[] = [],
  main: SessionDoc | undefined,
): readonly NamedText[] {
  const texts = left
    .map(({ by, at, ...each }): NamedText => [nameOf(by), describeOne({ by, at, ...each }, main), at])
    .filter(([, text]) => text !== "");
  const more = texts.length - mostTold;
  const rest = `${more} more ${more === 1 ? "was" : "were"} left beside these: see \`carryon handover --history\`.`;
  return [
    ...texts.slice(0, mostTold),
    ...(more > 0 ? [["More handovers", rest, texts[mostTold]?.[2]] as const] : []),
  ];
}

function nameOf(by: string | undefined): string {
  return by === undefined ? "Another handover" : `Handover of session ${by}`;
}

function describeOne({ value, root }: LeftDoc, main: SessionDoc | undefined): string {
  const parts = told.flatMap(([part, label]) => {
    const [first, ...others] = linesBeyond(value[part], main?.[part] ?? "");
    if (first === undefined) return [];
    return others.length === 0 ? [`${label}: ${first}`] : [`${label}:`, first, ...others];
  });
  if (parts.length === 0) return "";
  const where = root === undefined ? "" : ` in ${root}`;
  const lead = `It was left${where} beside the other one, and nobody has taken it up; \`carryon handover --history\` shows all of it.`;
  return [lead, ...parts].join("\n");
}

/** Numbers of a list say nothing of what stands behind them. */
function linesBeyond(text: string, known: string): readonly string[] {
  const bare = (line: string) => line.trim().replace(/^\d+\. /, "");
  const there = new Set(known.split("\n").map(bare));
  return text.split("\n").filter((line) => line.trim() !== "" && !there.has(bare(line)));
}
