import { locateClient } from "../../clients/claude-code/locate-client.ts";
import type { InstallScope } from "../../install/install-record.ts";
import type { InstallSite } from "../../install/locate-settings.ts";
import type { Launch } from "../../install/programs.ts";
import { locateHome } from "../../workspace/locate-home.ts";
import { listIdentities, locatePlace } from "../../workspace/recognise-project.ts";
import type { CommandContext } from "../command-context.ts";
import { readVersion } from "../version.ts";

/** Returns where the hooks of a scope belong, as seen from the current folder. */
export async function locateInstall(context: CommandContext, scope: InstallScope): Promise<InstallSite> {
  const { env, userHome, cwd } = context;
  const { root, git } = await locatePlace(cwd);
  return {
    home: locateHome(env, userHome),
    scope,
    client: locateClient(userHome, env.CLAUDE_CONFIG_DIR),
    root,
    isRepository: git !== undefined,
  };
}

/** Returns everything that the project of the current folder is known by, whatever the store knows of it. */
export async function identifyHere({ cwd }: CommandContext): Promise<readonly string[]> {
  return (await listIdentities(await locatePlace(cwd))).identities;
}

/** Returns how this program is started again. */
export async function describeLaunch({ program: [node, launcher] }: CommandContext): Promise<Launch> {
  return { node, launcher, version: await readVersion() };
}
