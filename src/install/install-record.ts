import { dirname, join } from "node:path";
import { type AppError, configError } from "../lib/app-error.ts";
import { readText } from "../lib/read-text.ts";

/** Where hooks are: in one project, or in all that the user works on. */
export type InstallScope = "project" | "user";

/** What has to be known to take an installation back without a trace. */
export interface Install {
  readonly client: "claude-code";
  readonly scope: InstallScope;
  /** The file that the hooks are in; no two installations share one. */
  readonly settings: string;
  /** When the hooks came, in ISO 8601; null when nobody noted it. */
  readonly at: string | null;
  /** Everything that the project was known by; it may have moved since. None for the user's own settings. */
  readonly identities: readonly string[];
  /** Whether the project was not trusted before. */
  readonly trusted: boolean;
  /** Whether the file was made, and the folder that it is in. */
  readonly made: { readonly file: boolean; readonly folder: boolean };
  /** What the file held when that was white space alone; null when it was more, or made. */
  readonly blank: string | null;
  /** Lists that were there and empty; see `SettingsBefore`. */
  readonly empty: readonly string[];
  /** The commands and skills: the hash of each as we wrote it, by its path from the client's folder, and folders that were new. */
  readonly files: {
    readonly hashes: Readonly<Record<string, string>>;
    readonly folders: readonly string[];
  };
  /** Our entry in .mcp.json: whether that file was new, and whether its list was there and empty; null without one. */
  readonly server: { readonly made: boolean; readonly empty: boolean } | null;
  /** What keeps all of it out of commits: the lines, the file that they were added to, and whether that was made. */
  readonly exclude: { readonly path: string; readonly added: string; readonly made: boolean } | null;
}

/** Returns the file in which installations are remembered. */
export function locateInstalls(home: string): string {
  return join(home, "installs.json");
}

/** Reads the installations of a home folder. */
export async function readInstalls(home: string): Promise<readonly Install[]> {
  const path = locateInstalls(home);
  const text = await readText(path);
  return text === undefined ? [] : parseInstalls(text, path);
}

/** What is taken for given where nothing was written down. */
const unknownBefore = {
  ...{ at: null, identities: [], trusted: false, blank: null },
  ...{ files: { hashes: {}, folders: [] }, server: null },
} as const;

function parseInstalls(text: string, path: string): readonly Install[] {
  try {
    const value: { readonly version?: unknown; readonly installs?: unknown } | null = JSON.parse(text);
    if (value?.version === 1 && Array.isArray(value.installs))
      return value.installs.map((install) => ({ ...unknownBefore, ...install }));
  } catch (cause) {
    throw unreadable(path, cause);
  }
  throw unreadable(path);
}

function unreadable(path: string, cause?: unknown): AppError {
  return configError("bad-installs", `${path} cannot be read as a list of installations.`, {
    hint: "Move it away; `carryon uninit` then takes hooks back without knowing which files were new.",
    cause,
  });
}

/** Renders installations; undefined when there are none, and no file is needed. */
export function renderInstalls(installs: readonly Install[]): string | undefined {
  if (installs.length === 0) return undefined;
  return `${JSON.stringify({ version: 1, installs: installs.map(inOrder) }, undefined, 2)}\n`;
}

/** The same installation is the same text, however it came about. */
function inOrder({ client, scope, settings, at, identities, trusted, ...before }: Install): Install {
  const { made, blank, empty, files, server, exclude } = before;
  return { client, scope, settings, at, identities, trusted, made, blank, empty, files, server, exclude };
}

/** Returns since when sessions in a project are recorded: hooks are in it, or in all of them; undefined where they are not. */
export async function installedSince(home: string, root: string): Promise<Date | undefined> {
  const installs = await readInstalls(home);
  const times = installs
    .filter(({ scope, settings }) => scope === "user" || dirname(dirname(settings)) === root)
    .flatMap(({ at }) => (at === null ? [] : [Date.parse(at)]));
  return times.length === 0 ? undefined : new Date(Math.min(...times));
}
