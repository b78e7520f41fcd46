import type { WorkStep } from "./pick-steps.ts";

/** Words that change how much is printed or how fast it goes, but not what is done; `./...` is everything. */
const noise = /^(?:-q|-v+|-s|--quiet|--silent|--verbose|-j\d*|--color(?:=\w+)?|--no-color|\.\/\.\.\.|--)$/;

/**
 * Returns the text by which two steps are the same command.
 *
 * Installs are the same whatever they install, since a slip in a name is put right by another name. All that git does
 * to a conflict is one command, and so are the questions to CI.
 */
export function stepKey({ kind, words }: Pick<WorkStep, "kind" | "words">): string {
  if (kind === "merge" || kind === "git-status") return "git";
  if (kind === "ci") return words.slice(0, 2).join(" ");
  if (kind === "install") return installer(words);
  return words.filter((word) => !noise.test(word)).join(" ");
}

function installer(words: readonly string[]): string {
  return (words[1] === "-m" ? words[2] : words[0])?.replace(/[\d.]+$/, "") ?? "";
}
