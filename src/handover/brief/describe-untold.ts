import { fold } from "../../lib/markdown/fold.ts";
import { describeAge } from "./describe-age.ts";

/** A session that is over and that no handover tells of. */
export interface UntoldSession {
  readonly session: string;
  readonly at: Date;
  /** What it was asked. */
  readonly asked: string;
  /** Its branch, if it is another one than that of now. */
  readonly branch: string | null;
}

/** How many characters of what was asked are told. */
const longest = 160;

/** Says of each session when it was, what it was asked, and how to see the rest; empty where there is none. */
export function describeUntold(untold: readonly UntoldSession[] = [], now: Date): string {
  if (untold.length === 0) return "";
  const lines = untold.map(({ session, at, asked, branch }) => {
    const where = branch === null ? "" : `, on ${branch}`;
    return `- ${describeAge(at, now)}${where}: ${JSON.stringify(cut(fold(asked)))} (\`carryon show ${session}\`)`;
  });
  return ["They ended without a handover; this is what they were asked:", ...lines].join("\n");
}

function cut(text: string): string {
  const characters = [...text];
  return characters.length > longest ? `${characters.slice(0, longest - 1).join("")}…` : text;
}
