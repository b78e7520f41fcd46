import { locateClient } from "../../clients/claude-code/locate-client.ts";
import type { CommandContext } from "../command-context.ts";

/** Returns the folder of the client, where the user's gates and the list of sessions are. */
export function clientFolderOf({ userHome, env }: Pick<CommandContext, "userHome" | "env">): string {
  return locateClient(userHome, env.CLAUDE_CONFIG_DIR);
}
