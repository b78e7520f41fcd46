import { readModels } from "../model/models-setting.ts";
import { readRecord } from "../recording/record-rules.ts";
import { readCloud } from "../share/cloud-setting.ts";
import { readRemote } from "../share/remote-setting.ts";
import {
  readBlockers,
  readMaxRecoveryAttempts,
  readRecovery,
  readRecoveryAgents,
} from "../work/blocker-settings.ts";
import { readSddDir } from "../workspace/parse-sdd-dir.ts";
import { readStore } from "../workspace/store-setting.ts";

/** The reader of each setting of config.yaml, for those who examine the whole file. */
export const settingReaders = {
  store: readStore,
  remote: readRemote,
  cloud: readCloud,
  sddDir: readSddDir,
  blockers: readBlockers,
  recoveryAgents: readRecoveryAgents,
  recovery: readRecovery,
  maxRecoveryAttempts: readMaxRecoveryAttempts,
  models: readModels,
  record: readRecord,
};
