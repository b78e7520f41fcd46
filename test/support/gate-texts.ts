import { parseRequirements } from "../../src/gates/config/parse-requirements.ts";
import { mergeLayers, type ReadConfig, toGateConfig } from "../../src/gates/config/to-gate-config.ts";

/** The texts of the files of a configuration. */
export interface GateTexts {
  readonly user?: string;
  readonly project?: string;
  readonly local?: string;
}

/** Reads texts as if they stood in the files `user`, `project` and `local`. */
export function readTexts(texts: GateTexts): ReadConfig {
  const layer = (name: keyof GateTexts) => {
    const text = texts[name];
    return text === undefined ? undefined : parseRequirements(text, name);
  };
  return toGateConfig(mergeLayers({ user: layer("user"), project: layer("project"), local: layer("local") }));
}
