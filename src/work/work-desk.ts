import { openDigests, type ReadDigests } from "../digest/read-digests.ts";
import type { GitFacts } from "../git/git-facts.ts";
import { openRepository, type Repository, type RepositoryOptions } from "../git/repository.ts";
import { type Clock, systemClock } from "../lib/clock.ts";
import { type RandomSource, systemRandom } from "../lib/uuid-v7.ts";
import type { RecordSite } from "../sessions/project-record.ts";
import { choosePlaceBy } from "../workspace/choose-handover-place.ts";
import { readSddDir } from "../workspace/parse-sdd-dir.ts";
import { readConfig } from "../workspace/read-config.ts";
import type { Workspace } from "../workspace/workspace.ts";
import type { BlockerSettings } from "./blockers/to-blocker.ts";

/** All that is needed to save and load the work of a project. */
export interface WorkDesk {
  readonly site: RecordSite;
  readonly digests: ReadDigests;
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
  /** Reads what the recorded sessions call for next, in a sentence. */
  readonly recordedNext?: () => Promise<string | undefined>;
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

/** Who saves and loads. */
export interface WorkAuthor {
  /** The name of this machine. */
  readonly machine: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Whether git, ssh and gpg may ask on the terminal; they may not unless told. */
  readonly mayAsk?: boolean;
  /** Is told what the user's hooks say of a commit, line by line as it comes, and a question before its line ends; it is not fit for a terminal as it is. */
  readonly hear?: WorkDesk["hear"];
  readonly clock?: Clock;
  readonly random?: RandomSource;
}

/** Brings together what is needed to save and load the work of a project. */
export async function openWorkDesk(
  here: Pick<Workspace, "project" | "root" | "git" | "home"> & {
    readonly store: Pick<Workspace["store"], "log" | "digests">;
    /** Reads the digests; who reads them for something else too gives what reads each once. */
    readonly digests?: ReadDigests;
  } & WorkAuthor,
): Promise<WorkDesk> {
  const { store, project, root, git, home, machine, env, mayAsk = false, hear } = here;
  const { clock = systemClock, random = systemRandom, digests = openDigests(store) } = here;
  const config = await readConfig(home, loadReaders);
  const { sddDir } = await choosePlaceBy(config, root);
  const { blockers, recoveryAgents, maxRecoveryAttempts } = config;
  const settings = { rules: blockers?.patterns, agents: recoveryAgents, mostAttempts: maxRecoveryAttempts };
  return {
    site: { log: store.log, project, root, machine, clock, random },
    ...{ digests, git, home, env, mayAsk, hear, sddDir, settings },
  };
}

/** Loaded here, so that nobody pays for it who has no configuration. */
async function loadReaders() {
  const { readBlockers, readMaxRecoveryAttempts, readRecoveryAgents } = await import("./blocker-settings.ts");
  return {
    sddDir: readSddDir,
    blockers: readBlockers,
    recoveryAgents: readRecoveryAgents,
    maxRecoveryAttempts: readMaxRecoveryAttempts,
  };
}
