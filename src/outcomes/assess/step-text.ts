/** How much of a step is looked at: its first words tell what it does. */
const mostOfStep = 500;

/** Programs that run a task of the project by its name, like `just`. */
const taskRunner = /^(?:mise (?:run|r)|poe|deno task|invoke|inv|pixi run|moon run|lerna run)$/;

/** Returns the words of a step with one name for all programs that run a task by its name: `just`. */
export function stepWords(words: readonly string[]): readonly string[] {
  if (taskRunner.test(words.slice(0, 2).join(" "))) return ["just", ...words.slice(2)];
  return taskRunner.test(words[0] ?? "") ? ["just", ...words.slice(1)] : words;
}

/** Returns the words of a step as one text. */
export function stepText(words: readonly string[]): string {
  return stepWords(words.slice(0, mostOfStep)).join(" ").slice(0, mostOfStep);
}
