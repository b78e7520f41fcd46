import { join } from "node:path";
import { AppError } from "../../lib/app-error.ts";
import { readText } from "./file-change.ts";

/** Where hooks are: in one project, or in all that the user works on. */
export type InstallScope = "project" | "user";

/** What has to be known to take an installation back without a trace. */
export interface Install {
  readonly client: "claude-code";
  readonly scope: InstallScope;
  /** The file that the hooks are in; no two installations share one. */
  readonly settings: string;
  /** Whether the file was made, and the folder that it is in. */
  readonly made: { readonly file: boolean; readonly folder: boolean };
  /** Lists that were there and empty; see `SettingsBefore`. */
  readonly empty: readonly string[];
  /** What keeps the file out of commits: the line, the file that it was added to, and whether that was made. */
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

function parseInstalls(text: string, path: string): readonly Install[] {
  try {
    const value: { readonly version?: unknown; readonly installs?: unknown } | null = JSON.parse(text);
    if (value?.version === 1 && Array.isArray(value.installs)) return value.installs;
  } catch (cause) {
    throw unreadable(path, cause);
  }
  throw unreadable(path);
}

function unreadable(path: string, cause?: unknown): AppError {
  return new AppError(`${path} cannot be read as a list of installations.`, {
    kind: "config",
    code: "bad-installs",
    hint: "Move it away; `carryon uninit` then takes hooks back without knowing which files were new.",
    cause,
  });
}

/** Renders installations; undefined when there are none, and no file is needed. */
export function renderInstalls(installs: readonly Install[]): string | undefined {
  return installs.length === 0 ? undefined : `${JSON.stringify({ version: 1, installs }, undefined, 2)}\n`;
}
