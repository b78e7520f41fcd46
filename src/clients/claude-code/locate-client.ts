import { join } from "node:path";

/** Returns the client's folder: where `CLAUDE_CONFIG_DIR` says, else `.claude` in the user's home. */
export function locateClient(home: string, configDir: string | undefined): string {
  return configDir === undefined || configDir === "" ? join(home, ".claude") : configDir;
}

/** Returns the client's folder of the user whose process asks. */
export function clientFolderOf(caller: {
  readonly userHome: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}): string {
  return locateClient(caller.userHome, caller.env.CLAUDE_CONFIG_DIR);
}
