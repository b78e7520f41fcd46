/** The names of the files in the folder `bin` of the home: the hook that clients run, and the rules that it may load. */
export const hookFile = "carryon-hook.cjs";
export const redactionFile = "carryon-redaction.cjs";

/** The file beside them in which `carryon init` says how Carryon is started. */
export const launchFile = "carryon.json";
