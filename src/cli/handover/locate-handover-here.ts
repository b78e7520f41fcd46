import type { HandoverPlace } from "../../workspace/choose-handover-place.ts";
import { chooseHandoverPlace } from "../../workspace/choose-handover-place.ts";
import { locateHome } from "../../workspace/locate-home.ts";
import { locatePlace } from "../../workspace/recognise-project.ts";
import type { CommandContext } from "../command-context.ts";

/** Returns where the handover documents of the current folder are, without a store. */
export async function locateHandoverHere({ cwd, env, userHome }: CommandContext): Promise<HandoverPlace> {
  const { root } = await locatePlace(cwd);
  return chooseHandoverPlace({ home: locateHome(env, userHome), root });
}
