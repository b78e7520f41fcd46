import { createRequire } from "node:module";
import { basename, dirname, isAbsolute } from "node:path";
import { hookFile, redactionFile } from "../lib/hook-files.ts";
import { noteFailure } from "./note-failure.ts";
import { runHook } from "./run-hook.ts";
import type { Redaction } from "./surroundings.ts";

// Whatever Node warns of, the client would show to its user.
process.emitWarning = () => undefined;
// Nothing that Carryon makes is for others to read.
process.umask(0o077);
const file = process.argv[1] ?? "";
// Under any other name it cannot know which folder is its home, and must not take another for it.
if (isAbsolute(file) && basename(file) === hookFile) {
  const home = dirname(dirname(file));
  runHook({
    home,
    env: process.env,
    loadRedaction: () => loadRedaction(file),
    note: (what) => noteFailure(home, what, new Date()),
  });
}
// Without waiting for what Node would put in order before it ends.
process.exit(0);

function loadRedaction(file: string): Redaction {
  try {
    return createRequire(file)(`./${redactionFile}`);
  } catch (cause) {
    throw new Error("the rules of redaction are missing", { cause });
  }
}
