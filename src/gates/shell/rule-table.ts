import { type Entry, indexPrograms } from "./program.ts";
import { builtinRules } from "./rules/builtin-rules.ts";
import { fileRules } from "./rules/file-rules.ts";
import { findRules } from "./rules/find-rules.ts";
import { gitRules } from "./rules/git-rules.ts";
import { interpreterRules } from "./rules/interpreter-rules.ts";
import { networkRules } from "./rules/network-rules.ts";
import { nodePackageRules } from "./rules/node-package-rules.ts";
import { packageRules } from "./rules/package-rules.ts";
import { runnerRules } from "./rules/runner-rules.ts";
import { serviceRules } from "./rules/service-rules.ts";
import { streamRules } from "./rules/stream-rules.ts";
import { systemRules } from "./rules/system-rules.ts";
import { textRules } from "./rules/text-rules.ts";
import { toolRules } from "./rules/tool-rules.ts";

const table: ReadonlyMap<string, Entry> = indexPrograms({
  ...textRules,
  ...streamRules,
  ...systemRules,
  ...fileRules,
  ...networkRules,
  ...findRules,
  ...interpreterRules,
  ...packageRules,
  ...nodePackageRules,
  ...toolRules,
  ...serviceRules,
  ...gitRules,
  ...runnerRules,
  ...builtinRules,
});

/** Returns how a program or builtin is judged, by its bare name. */
export const findEntry = (name: string): Entry | undefined => table.get(name);
