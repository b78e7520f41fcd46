import { refuseReadOnly } from "./file-change.ts";
import { findPlugin, pluginId } from "./find-plugin.ts";
import type { InstallSite } from "./locate-settings.ts";
import type { InstallPlan } from "./plan-init.ts";
import { type Launch, planPrograms } from "./programs.ts";

/** Plans what our plugin needs of this machine: the programs that it runs. The client has all the rest from the plugin. */
export async function planForPlugin(site: InstallSite, launch: Launch): Promise<InstallPlan> {
  const changes = await planPrograms(site.home, launch);
  await refuseReadOnly(changes);
  const isOn = (await findPlugin(site)).length > 0;
  return {
    changes: changes.filter(({ before, after }) => before !== after),
    warnings: [],
    doubts: isOn ? [] : [`The plugin ${pluginId} is not on yet, and nothing is recorded until it is.`],
  };
}
