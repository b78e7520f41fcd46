import { type GitRun, runGit } from "./run-git.ts";

/** What git is set to in a repository, from all of its files. */
export class GitSettings {
  readonly #values: ReadonlyMap<string, readonly string[]>;

  constructor(values: ReadonlyMap<string, readonly string[]>) {
    this.#values = values;
  }

  /** Returns the value that counts: the last one. Section and key are in small letters. */
  get(name: string): string | undefined {
    return this.all(name).at(-1);
  }

  /** Returns all values of a setting that may have several. */
  all(name: string): readonly string[] {
    return this.#values.get(name) ?? [];
  }

  /** Returns a setting that is on or off; undefined where nobody has set it. A name alone means on. */
  isOn(name: string): boolean | undefined {
    const value = this.get(name)?.toLowerCase();
    return value === undefined ? undefined : !["false", "no", "off", "0", ""].includes(value);
  }

  /** Returns the names that sections of a kind have, such as those of the remotes, in their order. */
  namesOf(section: string, key: string): readonly string[] {
    const [start, end] = [`${section}.`, `.${key}`];
    const names = [...this.#values.keys()].filter((name) => name.startsWith(start) && name.endsWith(end));
    return names.map((name) => name.slice(start.length, -end.length)).filter((name) => name !== "");
  }
}

/** Reads all settings with one question. */
export async function readSettings(run: GitRun): Promise<GitSettings> {
  const { stdout } = await runGit(run, ["config", "--list", "-z"]);
  const values = new Map<string, string[]>();
  for (const line of Buffer.from(stdout, "latin1").toString().split("\0")) {
    const at = line.indexOf("\n");
    const [name, value] = at === -1 ? [line, "true"] : [line.slice(0, at), line.slice(at + 1)];
    if (name !== "") values.set(name, [...(values.get(name) ?? []), value]);
  }
  return new GitSettings(values);
}
