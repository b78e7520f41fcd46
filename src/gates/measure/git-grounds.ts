import { realpathSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import { readHead } from "../../git/read-head.ts";
import { readSmall } from "../../git/read-small.ts";

/** Where git keeps what it goes by, beside the work tree. */
interface GitFolders {
  readonly root: string;
  readonly commonFolder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** What git goes by when it says what a work tree is like, and what it runs meanwhile. */
interface GitGrounds {
  /** Files of settings. */
  readonly settings: readonly string[];
  /** Files that say what is ignored, or taken for something else. */
  readonly files: readonly string[];
  /** Folders of programs that git runs by itself. */
  readonly programs: readonly string[];
}

const largest = 1 << 20;

/** Lists what git goes by in a repository, for this user. What settings include from elsewhere is not followed. */
export function listGitGrounds({ root, commonFolder, env }: GitFolders): GitGrounds {
  const home = env.HOME || homedir();
  const own = join(env.XDG_CONFIG_HOME || join(home, ".config"), "git");
  const global = env.GIT_CONFIG_GLOBAL
    ? [env.GIT_CONFIG_GLOBAL]
    : [join(home, ".gitconfig"), join(own, "config")];
  const gitFolder = readHead(root, { env })?.gitFolder ?? commonFolder;
  const settings = [join(commonFolder, "config"), join(gitFolder, "config.worktree"), ...global];
  const named = settings.flatMap((path) => findExcludes(path, { root, home }));
  const inside = ["exclude", "attributes"].map((name) => join(commonFolder, "info", name));
  return {
    settings,
    files: [...new Set([...inside, join(own, "ignore"), join(own, "attributes"), ...named])],
    programs: [join(commonFolder, "hooks")],
  };
}

/** Returns the files that settings name for what is ignored, or has attributes, everywhere. */
function findExcludes(path: string, { root, home }: { readonly root: string; readonly home: string }) {
  const text = readIfThere(path);
  const found = text.matchAll(/^\s*(?:excludesfile|attributesfile)\s*=\s*"?([^"\n]+?)"?\s*$/gim);
  return [...found].map(([, value = ""]) => {
    const file = value.replace(/^~(?=\/)/, () => home);
    return isAbsolute(file) ? file : join(root, file);
  });
}

/** Reads a file of settings as far as it is there, and no larger than any that people write. */
export function readIfThere(path: string): string {
  try {
    // People keep their own settings behind links.
    return readSmall(realpathSync(path), largest)?.toString("latin1") ?? "";
  } catch (error) {
    // It is not there, most of the time.
    if (error instanceof Error && "syscall" in error) return "";
    throw error;
  }
}
