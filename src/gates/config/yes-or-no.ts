/** The keys whose value is yes or no. Elsewhere such a word is a text. */
const keys = new Set([
  "clear_session_state",
  "enabled",
  "inherit",
  "inject_context",
  "stop_only",
  "verify_requirements",
]);

/** Tells whether the value of a key is yes or no. */
export function isYesOrNo(key: string): boolean {
  return keys.has(key);
}

/** Reads a word of YAML 1.1, in which the files of other tools are written; YAML 1.2 knows only true and false. */
export function toYesOrNo(word: string): boolean | undefined {
  if (/^(?:yes|Yes|YES|on|On|ON)$/.test(word)) return true;
  return /^(?:no|No|NO|off|Off|OFF)$/.test(word) ? false : undefined;
}
