import { listHookCommands } from "../clients/claude-code/hook-settings.ts";
import { unlessFailed } from "../lib/app-error.ts";
import { readText } from "../lib/read-text.ts";
import { inFile } from "./file-change.ts";

/** A file of settings. */
export interface SettingsFile {
  readonly path: string;
  /** What it holds; undefined where there is none. */
  readonly text: string | undefined;
  /** What the client takes it for. */
  readonly settings: string;
}

/** What a file of settings begins with that is made, and ends with when nothing else came into it. */
export const noSettings = "{}\n";

/** Reads a file of settings; one that is missing, or has nothing but white space, sets nothing. */
export async function readSettings(path: string): Promise<SettingsFile> {
  const text = await readText(path);
  return { path, text, settings: text === undefined || isBlank(text) ? noSettings : text };
}

/** Tells whether a text has nothing but white space, which the client takes for no settings. */
export function isBlank(text: string): boolean {
  return text.trim() === "";
}

/** Returns what our hooks in a file of settings run; throws where it cannot be read. */
export function listHooks({ path, settings }: SettingsFile): readonly string[] {
  return inFile(path, () => listHookCommands(settings));
}

/** Tells whether a file of settings has our hooks; one that cannot be read has none that anybody runs. */
export async function hasHooks(path: string): Promise<boolean> {
  return (await unlessFailed(readSettings(path).then(listHooks), [])).length > 0;
}
