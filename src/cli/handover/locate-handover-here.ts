import type { HandoverPlace } from "../../handover/handover-folder.ts";
import { chooseHandoverPlace } from "../../project/handover/choose-place.ts";
import { locateHome } from "../../project/locate-home.ts";
import { locatePlace } from "../../project/recognise-project.ts";
import type { CommandContext } from "../command-context.ts";

/** Returns where the handover documents of the current folder are, without a store. */
export async function locateHandoverHere({ cwd, env, userHome }: CommandContext): Promise<HandoverPlace> {
  const { root } = await locatePlace(cwd);
  return chooseHandoverPlace({ home: locateHome(env, userHome), root });
}
