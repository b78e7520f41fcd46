import { BadStoreUrl, parseStoreUrl, type StoreUrl } from "../storage/postgres/parse-store-url.ts";
import type { BlockerType } from "../work/blockers/blocker.ts";
import type { RecoveryAgents } from "../work/blockers/recovery-agent.ts";
import type { Command } from "../work/recovery/command.ts";
import { BadSetting } from "./bad-setting.ts";
import { parseSddDir } from "./handover/parse-sdd-dir.ts";
import { type ModelsSetting, readModels } from "./model/models-setting.ts";
import { type CloudSetting, readCloud } from "./share/cloud-setting.ts";
import { type RemoteSetting, readRemote } from "./share/remote-setting.ts";
import {
  type BlockerPatterns,
  readBlockers,
  readMaxRecoveryAttempts,
  readRecovery,
  readRecoveryAgents,
} from "./work/blocker-settings.ts";

/** What a user has set: docs/formats/config.md. */
export interface Config {
  /** Where the store is, unless it is the file in the home folder. */
  readonly store?: StoreUrl;
  /** The store that projects are shared through. */
  readonly remote?: RemoteSetting;
  /** The store that runs are saved to as well. */
  readonly cloud?: CloudSetting;
  /** The folder of the handover documents in every project, by its path from the top. */
  readonly sddDir?: string;
  /** How blockers are found besides what is known of tools. */
  readonly blockers?: BlockerPatterns;
  /** The agents that clear a type of blocker. */
  readonly recoveryAgents?: RecoveryAgents;
  /** The command that clears a type of blocker, in every project. */
  readonly recovery?: Readonly<Partial<Record<BlockerType, Command>>>;
  /** How often recovery may be tried. */
  readonly maxRecoveryAttempts?: number;
  /** Which language models are asked, and how they are reached. */
  readonly models?: ModelsSetting;
}

/** What reads the value of each setting. */
export const readers: { readonly [Name in keyof Config]-?: (value: unknown) => Required<Config>[Name] } = {
  store: readStore,
  remote: readRemote,
  cloud: readCloud,
  sddDir: readSddDir,
  blockers: readBlockers,
  recoveryAgents: readRecoveryAgents,
  recovery: readRecovery,
  maxRecoveryAttempts: readMaxRecoveryAttempts,
  models: readModels,
};

/** Shows how a line of the file looks. */
export const exampleHint = "Write a line such as `store: postgres://user@host/database`.";

function readStore(value: unknown): StoreUrl {
  const text = toText("store", value, exampleHint);
  try {
    return parseStoreUrl(text);
  } catch (error) {
    if (error instanceof BadStoreUrl)
      throw new BadSetting(`store is not a valid address: ${error.reason}`, error.hint);
    throw error;
  }
}

function readSddDir(value: unknown): string {
  const hint = "Write a line such as `sddDir: docs/sdd`; it is a folder inside each project.";
  const dir = parseSddDir(toText("sddDir", value, hint));
  if (dir.type === "folder") return dir.path;
  throw new BadSetting(`sddDir is not a folder inside a project: ${dir.reason}`, hint);
}

function toText(name: keyof Config, value: unknown, hint: string): string {
  if (typeof value === "string") return value;
  throw new BadSetting(`${name} must be text`, hint);
}
