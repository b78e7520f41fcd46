import { existsSync, mkdirSync, realpathSync } from "node:fs";
import { createRequire, enableCompileCache } from "node:module";
import { dirname, join } from "node:path";
import type { Launch } from "./launch.ts";

/** What of Carryon answers the beginning of a session. */
export interface Starter {
  /** Says the answer, a line of JSON, and resolves when all is done that a start calls for. */
  readonly start: (heard: {
    readonly cwd: string;
    readonly env: Readonly<Record<string, string | undefined>>;
    readonly userHome: string;
    /** What the client wrote. */
    readonly input: string;
    readonly say: (line: string) => void;
    readonly note: (what: string) => void;
  }) => Promise<void>;
}

/**
 * Loads what answers the beginning of a session from the package that is started otherwise, so that both say the same.
 * Undefined where the package has to be started: a checkout runs its source, and another Node may be meant.
 */
export function loadStarter({ node, launcher }: Launch, home: string): Starter | undefined {
  const root = dirname(dirname(realpathSync(launcher)));
  const file = join(root, "dist", "cli", "start.cjs");
  if (node !== process.execPath || existsSync(join(root, "src", "cli", "main.ts")) || !existsSync(file))
    return undefined;
  cacheCompiledCode(join(home, "cache"));
  return createRequire(file)(file);
}

/** Lets Node keep what it compiled, where the launcher does. Without it the answer takes longer. */
function cacheCompiledCode(folder: string): void {
  if (!existsSync(folder)) mkdirSync(folder, { mode: 0o700 });
  enableCompileCache(folder);
}
