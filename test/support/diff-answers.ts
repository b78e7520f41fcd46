import { openCarryon } from "./run-carryon.ts";
import { recordTwoWays } from "./two-ways.ts";
import type { Answers } from "./work-answers.ts";

/** Compares and merges two sessions, and returns the answers by their schemas. */
export async function collectDiffAnswers(): Promise<Answers> {
  await using carryon = await openCarryon();
  const ask = async (...args: readonly string[]) => JSON.parse(await carryon.ask([...args, "--json"]));
  const { origin, fork } = await recordTwoWays(carryon);
  const diff = [
    await ask("diff", origin, fork),
    await ask("diff", fork, origin),
    await ask("diff", `${origin}@5`, `${fork}:main`),
  ];
  const merge = [
    await ask("merge", origin, fork, "--title", "Both", "--dry-run"),
    await ask("merge", origin, fork),
    await ask("merge", origin, fork),
    await ask("merge", fork, `${origin}@5`),
  ];
  return { diff, merge };
}
