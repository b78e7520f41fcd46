import { parseIfJson } from "../lib/json.ts";
import { parseJsonc, toValue } from "../lib/jsonc/parse-jsonc.ts";

/** Returns why hooks in a file of settings may not run, in sentences for its owner. */
export function warnOfSettings(path: string, text: string): readonly string[] {
  const settings: unknown = toValue(parseJsonc(text));
  const isOff =
    typeof settings === "object" &&
    settings !== null &&
    "disableAllHooks" in settings &&
    settings.disableAllHooks === true;
  return [
    // The client reads past a mark of the byte order, JSON.parse does not.
    ...(parseIfJson(text.replace(/^\uFEFF/, "")) === undefined
      ? [
          `${path} has comments or trailing commas: Claude Code may not load it, and then nothing is recorded.`,
        ]
      : []),
    ...(isOff ? [`${path} turns all hooks off with disableAllHooks, so that nothing is recorded.`] : []),
  ];
}
