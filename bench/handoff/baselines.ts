import { relative } from "node:path";
import type { Change, Talk } from "./transcript.ts";

/** Makes what the next session is told in so many tokens; undefined where a session has nothing of the kind. */
export type Baseline = (talk: Talk, cwd: string, tokens: number) => string | undefined;

const charactersOfToken = 4;

export function countTokens(text: string): number {
  return Math.ceil(text.length / charactersOfToken);
}

/** What costs nothing to write, beside which a digest has to prove its worth. */
export const baselines: Readonly<Record<string, Baseline>> = {
  "tail of talk": ({ said }, _cwd, tokens) => end(said.join("\n\n"), tokens),
  "prompt+answer+files+commits": tellOutline,
  "client compaction summary": ({ summaries }, _cwd, tokens) => {
    const summary = summaries.at(-1)?.replace(/^[\s\S]*?\nSummary:\n/, "");
    return summary === undefined ? undefined : start(summary, tokens);
  },
};

function tellOutline({ prompts, answers, changes }: Talk, cwd: string, tokens: number): string {
  const share = (part: number) => Math.floor(tokens * part);
  const commits = changes.flatMap((each) => (each.kind === "commit" ? [`${each.sha} ${each.subject}`] : []));
  const parts = [
    `First request: ${start(prompts[0] ?? "", share(0.25))}`,
    `Last answer: ${end(answers.at(-1) ?? "", share(0.45))}`,
    `Commits:\n${start(commits.toReversed().join("\n"), share(0.12))}`,
    `Files:\n${editedFiles(changes, cwd).toReversed().join("\n")}`,
  ];
  return start(parts.join("\n\n"), tokens);
}

function editedFiles(changes: readonly Change[], cwd: string): readonly string[] {
  const files = changes.flatMap((each) => (each.kind === "edit" ? [each.file] : []));
  return [...new Set(files)].map((file) => (file.startsWith(`${cwd}/`) ? relative(cwd, file) : file));
}

function start(text: string, tokens: number): string {
  return text.slice(0, tokens * charactersOfToken);
}

function end(text: string, tokens: number): string {
  return tokens <= 0 ? "" : text.slice(-tokens * charactersOfToken);
}
