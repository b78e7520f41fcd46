import { appendFileSync, statSync, writeSync } from "node:fs";
import { createRequire } from "node:module";
import { homedir } from "node:os";
import { basename, dirname, isAbsolute, join } from "node:path";
import { gatesFile, hookFile, redactionFile } from "../lib/hook-files.ts";
import { runHook } from "./run-hook.ts";
import type { HookSurroundings } from "./surroundings.ts";

// Whatever Node warns of, the client would show to its user.
process.emitWarning = () => undefined;
// Nothing that Carryon makes is for others to read.
process.umask(0o077);
const file = process.argv[1] ?? "";
// Under any other name it cannot know which folder is its home, and must not take another for it.
const isHook = isAbsolute(file) && basename(file) === hookFile;
// Without waiting for what Node would put in order before it ends.
const end = () => process.exit(0);
if (isHook) runHook(openSurroundings(dirname(dirname(file)))).then(end, end);

function openSurroundings(home: string): HookSurroundings {
  return {
    home,
    env: process.env,
    userHome: process.env.HOME || homedir(),
    process: { pid: process.pid, client: process.ppid },
    loadRedaction: () => load(redactionFile, "the rules of redaction"),
    loadGates: () => load(gatesFile, "the rules of gates"),
    note: (what) => noteFailure(home, what, new Date()),
    say: (text) => void writeSync(1, text),
  };
}

function load<Module>(name: string, what: string): Module {
  try {
    return createRequire(file)(`./${name}`);
  } catch (cause) {
    throw new Error(`${what} are missing`, { cause });
  }
}

/** A log that nobody reads must not fill the disk. */
const logLimit = 1_048_576;

/** Adds one line to `carryon.log` in the home folder. Nothing of a payload may be in it. */
function noteFailure(home: string, what: string, now: Date): void {
  const path = join(home, "carryon.log");
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > logLimit) return;
  const line = what.slice(0, 2000).replace(/\s+/g, " ");
  appendFileSync(path, `${now.toISOString()} hook: ${line}\n`, { mode: 0o600 });
}
