import type { Gate, GateConfig } from "../gate.ts";
import { isEditor, writesOf } from "./guards-call.ts";

/**
 * Returns what a configuration says of files that a command may write from elsewhere. The command itself is up to where it
 * runs, and of whether it writes here nothing is certain before.
 */
export function toWritesOnly(config: GateConfig): GateConfig {
  const narrow = (gate: Gate): Gate => ({
    ...gate,
    triggers: gate.triggers.filter(({ tool }) => isEditor(tool)),
    shellWrites: writesOf(gate, config) === "ignore" ? "ignore" : "check",
  });
  return { ...config, gates: config.gates.map(narrow) };
}
