import { lastLine, offline } from "../../git/git-in.ts";
import type { GitPath } from "../../git/git-path.ts";
import { type GitRun, runGit } from "../../git/run-git.ts";

/** A path that differs between two commits. */
interface MovedPath {
  /** Whether the first of them has it. */
  readonly wasThere: boolean;
  /** Whether either of them has the commit of another repository there. */
  readonly isRepository: boolean;
  /** The commit that the first of them has there. */
  readonly commit: string | null;
}

export type Moved = ReadonlyMap<GitPath, MovedPath>;

/** The mode of what is a repository of its own. */
export const repository = "160000";

/** The hashes of a tree without files, which git knows without having it. */
const emptyTree = {
  sha1: "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
  sha256: "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321",
};

/** Returns the paths that differ between two commits; null stands for nothing at all. */
export async function readMoved(run: GitRun, from: string | null, to: string | null): Promise<Moved> {
  const empty = (from ?? to)?.length === 64 ? emptyTree.sha256 : emptyTree.sha1;
  const question = ["diff-tree", "-r", "-z", "--raw", "--no-renames", from ?? empty, to ?? empty];
  const { code, stdout, stderr } = await runGit(run, [...offline, ...question]);
  if (code !== 0) throw new Error(`Git cannot compare the commits of then and now: ${lastLine(stderr)}`);
  return parseRaw(stdout);
}

/** A record is `:mode mode hash hash status NUL path NUL`. */
function parseRaw(text: string): Moved {
  const fields = text.split("\0");
  const moved = new Map<GitPath, MovedPath>();
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [mode = "", newMode = "", hash = ""] = fields[at]?.slice(1).split(" ") ?? [];
    moved.set(fields[at + 1] as GitPath, {
      wasThere: mode !== "000000",
      isRepository: mode === repository || newMode === repository,
      commit: mode === repository ? hash : null,
    });
  }
  return moved;
}
