import { type BigIntStats, existsSync, mkdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import type { GitPlace } from "../git/git-place.ts";
import { AppError } from "../lib/app-error.ts";
import { parseIfJson } from "../lib/json.ts";
import { trustFileName } from "../workspace/locate-home.ts";
import { locateProjectFiles } from "./gate-places.ts";

/** Whether the user trusts a project. */
export interface TrustAnswer {
  readonly trusted: boolean;
  /** Why that could not be found out; it is not trusted then. */
  readonly doubt?: AppError;
}

/** Finds out whether the user trusts a project. Who cannot be asked trusts nobody, and stops nobody. */
export async function findTrust(ask: () => Promise<boolean>): Promise<TrustAnswer> {
  try {
    return { trusted: await ask() };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { trusted: false, doubt: error };
  }
}

/** Finds out the same where the store cannot be asked: by what hooks remember of it, so that both say the same. */
export async function recallTrust(
  question: Omit<TrustQuestion, "ask">,
  doubt: AppError,
): Promise<TrustAnswer> {
  const { trusted } = await findTrust(() =>
    isKnownTrusted({ ...question, ask: () => Promise.reject(doubt) }),
  );
  return trusted ? { trusted } : { trusted, doubt };
}

/** Whose trust is asked for, and where the answer is kept. */
interface TrustQuestion {
  /** The home folder of Carryon. */
  readonly home: string;
  readonly place: Pick<GitPlace, "root" | "commonFolder">;
  readonly cacheFolder: string;
  /** Asks the store, which takes a hundred times as long. */
  readonly ask: () => Promise<boolean>;
}

/**
 * Tells whether the user trusts the project of a place. The store is asked again when the list of trusted projects or the
 * repository has become another; a project without gates of its own is not asked for.
 */
export async function isKnownTrusted({ home, place, cacheFolder, ask }: TrustQuestion): Promise<boolean> {
  const { project, local } = locateProjectFiles(place.root);
  if (!(existsSync(project) || existsSync(local))) return false;
  const path = join(cacheFolder, "trust.json");
  // Before the store is asked: what changes meanwhile is seen the next time.
  const key = describeSources(home, place.commonFolder);
  const kept = readKept(path);
  if (kept?.key === key && typeof kept.trusted === "boolean") return kept.trusted;
  const trusted = await ask();
  await keep(path, JSON.stringify({ key, trusted }));
  return trusted;
}

function readKept(path: string): { readonly key?: unknown; readonly trusted?: unknown } | undefined {
  try {
    const value = parseIfJson(readFileSync(path, "utf8"));
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    // Nobody has asked yet.
    return undefined;
  }
}

async function keep(path: string, text: string): Promise<void> {
  try {
    const { writeFileAtomically } = await import("../lib/atomic-file.ts");
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    await writeFileAtomically(path, text);
  } catch {
    // Without it the next call takes longer, and finds the same.
  }
}

/** The list is replaced as a whole when it changes; a repository keeps its folder, whatever happens in it. */
function describeSources(home: string, commonFolder: string): string {
  const list = look(join(home, trustFileName));
  const folder = look(commonFolder);
  return JSON.stringify([
    list && [list.dev, list.ino, list.size, list.mtimeNs, list.ctimeNs].map(String),
    commonFolder,
    folder && [folder.dev, folder.ino, folder.birthtimeNs].map(String),
  ]);
}

function look(path: string): BigIntStats | undefined {
  return statSync(path, { bigint: true, throwIfNoEntry: false });
}
