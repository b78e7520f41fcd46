import type { Detection } from "../blocker.ts";
import { assessResult, type CommandResult } from "./assess-result.ts";
import type { Rule } from "./rule.ts";

/**
 * Returns the blocker that a command's result tells of, if it does.
 *
 * A command that succeeded tells of none, whatever it printed; where the line hides the exit code of the tool, as
 * `npm test | tail` does, the tool's own summary decides. Text that a command only shows is never taken for its result.
 * The cost is linear in the output.
 */
export function detectBlocker(result: CommandResult, own?: readonly Rule[]): Detection | undefined {
  return assessResult(result, own).failed?.detection;
}
