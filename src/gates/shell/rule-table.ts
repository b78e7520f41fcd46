import type { Rule } from "./rule.ts";
import { archiveRules } from "./rules/archive-rules.ts";
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
import { systemPackageRules } from "./rules/system-package-rules.ts";
import { systemRules } from "./rules/system-rules.ts";
import { textRules } from "./rules/text-rules.ts";
import { toolRules } from "./rules/tool-rules.ts";

const table: ReadonlyMap<string, Rule> = new Map(
  Object.entries({
    ...textRules,
    ...streamRules,
    ...systemRules,
    ...fileRules,
    ...archiveRules,
    ...networkRules,
    ...findRules,
    ...interpreterRules,
    ...packageRules,
    ...systemPackageRules,
    ...nodePackageRules,
    ...toolRules,
    ...serviceRules,
    ...gitRules,
    ...runnerRules,
    ...builtinRules,
  }),
);

/** Returns the rule of a program or builtin by its bare name. */
export const findRule = (name: string): Rule | undefined => table.get(name);
