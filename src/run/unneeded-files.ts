import { stat } from "node:fs/promises";
import { GitRefused, type GitRun } from "../git/git-run.ts";
import { AppError, unlessGone } from "../lib/app-error.ts";
import { type ConversationLog, listAll } from "../sessions/conversation-log.ts";
import { isName, parseSessionId } from "../sessions/ids.ts";
import type { Replica } from "../sessions/replica.ts";
import { fieldOf } from "../sessions/tool-runs.ts";
import { listTrees, type RoundTree } from "../work/list-trees.ts";
import { openTrees } from "../work/open-trees.ts";

/** Files of rounds in a repository that no session needs any more. */
export interface UnneededFiles {
  readonly root: string;
  readonly run: GitRun;
  readonly trees: readonly RoundTree[];
}

/** Where it is looked for them, and what will be gone. */
interface Search {
  readonly folders: readonly string[];
  readonly env: GitRun["env"];
  /** Sessions that are about to be deleted; those that were are known. */
  readonly going: ReadonlySet<string>;
}

/**
 * Finds the files of rounds whose sessions are deleted, or about to be.
 *
 * Those of a session that this store never had are somebody else's. What a fork shares is needed as long as the fork is there.
 */
export async function findUnneededFiles(
  { log, replica }: { readonly log: ConversationLog; readonly replica: Replica },
  { folders, env, going }: Search,
): Promise<readonly UnneededFiles[]> {
  const kept = new Map<string, UnneededFiles>();
  for (const folder of new Set(folders)) {
    const here = await listKept(folder, env);
    if (here !== undefined) kept.set(here.repository, here.files);
  }
  const gone: UnneededFiles[] = [];
  for (const each of kept.values())
    gone.push({ ...each, trees: await filterGone(replica, each.trees, going) });
  if (gone.every(({ trees }) => trees.length === 0)) return [];
  const shared = await listShared(log, going);
  return gone
    .map((each) => ({ ...each, trees: each.trees.filter(({ commit }) => !shared.has(commit)) }))
    .filter(({ trees }) => trees.length > 0);
}

/**
 * Returns all that the repository of a folder keeps, and what its work trees have in common: they keep the same.
 *
 * One that is gone, or that git cannot read, stays as it is.
 */
async function listKept(
  folder: string,
  env: GitRun["env"],
): Promise<{ readonly repository: string; readonly files: UnneededFiles } | undefined> {
  try {
    if ((await unlessGone(stat(folder)))?.isDirectory() !== true) return undefined;
    const places = await openTrees(folder, env);
    if (places.type === "none") return undefined;
    const { root, run, commonFolder } = places.repository;
    return { repository: commonFolder, files: { root, run, trees: await listTrees(run) } };
  } catch (error) {
    if (error instanceof AppError || error instanceof GitRefused) return undefined;
    throw error;
  }
}

async function filterGone(
  replica: Replica,
  trees: readonly RoundTree[],
  going: ReadonlySet<string>,
): Promise<readonly RoundTree[]> {
  const gone = new Set(going);
  for (const session of new Set(trees.map((tree) => tree.session))) {
    if (isName(session) && (await replica.tombstone(parseSessionId(session))) !== undefined)
      gone.add(session);
  }
  return trees.filter(({ session }) => gone.has(session));
}

/** Returns the commits of rounds that living forks tell of: their own are under their own name. */
async function listShared(log: ConversationLog, going: ReadonlySet<string>): Promise<ReadonlySet<string>> {
  const commits = new Set<string>();
  for await (const { id, forkedFrom } of listAll(log, { client: "carryon-run" })) {
    if (forkedFrom === null || going.has(id)) continue;
    for await (const entry of log.read(id)) {
      const commit = entry.kind === "round" ? fieldOf(entry.data.files, "commit") : undefined;
      if (typeof commit === "string") commits.add(commit);
    }
  }
  return commits;
}
