import type { GitFacts } from "../git/git-facts.ts";
import { openRepository, type Repository, type RepositoryOptions } from "../git/repository.ts";
import type { RecordSite } from "../sessions/project-record.ts";
import type { BlockerSettings } from "./blockers/to-blocker.ts";

/** All that is needed to save and load the work of a project. */
export interface WorkDesk {
  readonly site: RecordSite;
  /** Undefined outside a repository. */
  readonly git: GitFacts | undefined;
  /** The folder of what Carryon keeps for this user. */
  readonly home: string;
  /** What the user has set about blockers. */
  readonly settings: BlockerSettings;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Whether git, ssh and gpg may ask on the terminal. */
  readonly mayAsk: boolean;
  /** Is told what the user's hooks say of a commit, line by line as it comes. */
  readonly hear?: Repository["hear"];
  /** The folder of the handover documents, from the top of the project. */
  readonly sddDir: string;
}

/** Returns the repository of a project; undefined outside of one. */
export async function repositoryOf(
  { git, site, home, env, mayAsk, hear }: WorkDesk,
  { signal, say }: Pick<RepositoryOptions, "signal" | "say"> = {},
): Promise<Repository | undefined> {
  return (
    git && openRepository(site.root, env, { mayAsk, hear, signal, say, withheld: [home], files: git.files })
  );
}
