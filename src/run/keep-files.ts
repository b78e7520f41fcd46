import type { JsonObject } from "../sessions/entry.ts";
import type { SessionId } from "../sessions/ids.ts";
import { describeLeftOut } from "../work/describe-left-out.ts";
import { type KeptTree, keepTree } from "../work/keep-tree.ts";
import { openTrees } from "../work/open-trees.ts";

/** Names more than this of what was left out nowhere: the log is no list of files. */
const mostNamed = 20;

type Environment = Readonly<Record<string, string | undefined>>;

/** Where the files are that are kept, and which are Carryon's own among them. */
interface KeptPlace {
  readonly folder: string;
  readonly env: Environment;
  readonly withheld: readonly string[];
}

/**
 * Returns what keeps the files of a folder after each round of a session, and says what the log is to have of them: the
 * commit and its tree, or the reason why there is none.
 */
export async function filesKeeper(
  { folder, env, withheld }: KeptPlace,
  session: SessionId,
): Promise<(round: number, at: Date) => Promise<JsonObject>> {
  const trees = await openTrees(folder, env, { withheld });
  if (trees.type === "none") return async () => ({ reason: trees.reason });
  let after: KeptTree | undefined;
  return async (round, at) => {
    const kept = await keepTree(trees.repository, { session, round, at, after });
    after = kept;
    if (kept.type === "not-kept") return { reason: kept.reason };
    const { commit, tree, leftOut } = kept;
    const named = leftOut.slice(0, mostNamed).map(describeLeftOut);
    const more = leftOut.length - named.length;
    return {
      ...{ commit, tree },
      ...(named.length === 0 ? {} : { leftOut: named }),
      ...(more === 0 ? {} : { moreLeftOut: more }),
    };
  };
}
