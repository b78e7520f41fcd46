import { clip } from "../../lib/clip.ts";
import { renderShellWord } from "../../lib/shell-word.ts";
import type { WorkStep } from "./pick-steps.ts";

const [longestCommand, longestLine] = [200, 200];

/** What is tried out in a folder for temporary files says nothing of the project. */
export function isScratch({ folder }: WorkStep, cwd: string | undefined): boolean {
  const temporary = /^(?:\/private)?\/tmp\/|^\/tmp$|^\$\(mktemp|^\$\{?TMP/;
  return folder !== undefined && temporary.test(folder) && !temporary.test(cwd ?? "");
}

/** Returns a step as one would type it again. */
export function describeStep({ typed, folder, kind }: WorkStep): string {
  if (kind === "commit") return "git commit";
  const words = typed.filter((word) => word !== "time" && word !== "command");
  const text = words
    .map((word) => (/^[\w./@:,+%=*?~-]+$/.test(word) ? word : renderShellWord(word)))
    .join(" ");
  const place = folder === undefined || folder.startsWith("/") ? "" : `cd ${renderShellWord(folder)} && `;
  return `${place}${text}`.slice(0, longestCommand);
}

/** Returns a line of an output without the blanks and rules around it. */
export function tidy(line: string): string {
  return clip(line.replace(/^[\s=━─]+|[\s=━─]+$/g, ""), longestLine);
}
