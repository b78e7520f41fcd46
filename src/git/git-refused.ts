/** Git would not do what a save needs. What it said is for people. */
export class GitRefused extends Error {
  readonly said: string;

  constructor(said: string) {
    super("Git refused.");
    this.said = said.trim();
  }
}
