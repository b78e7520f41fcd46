import { listHooks, recordedEvents } from "../clients/claude-code/hook-settings.ts";
import { readText } from "../lib/read-text.ts";
import type { Problem } from "../storage/store-report.ts";
import type { InstallScope } from "./install-record.ts";
import { warnOfSettings } from "./warn-of-settings.ts";

/** A file of settings that can be read. */
interface Settings {
  readonly scope: InstallScope;
  readonly settings: string;
}

/** Returns at which events nothing is recorded, although hooks are installed in a file of settings. */
export async function inspectEvents({ scope, settings }: Settings): Promise<readonly Problem[]> {
  const text = (await readText(settings)) ?? "{}";
  const events = new Set(listHooks(text).map(({ event }) => event));
  const missing = recordedEvents.filter((event) => !events.has(event));
  if (missing.length === 0) return [];
  const what = `${settings} has no hook of Carryon at ${missing.join(", ")}, so that not everything is recorded.`;
  return [{ what, hint: `Run \`carryon init --scope ${scope}\` again.` }];
}

/** Returns why the client may not run the hooks that are installed, be it in this file of settings or in another. */
export async function inspectSwitches({ settings }: Settings): Promise<readonly Problem[]> {
  const text = ((await readText(settings)) ?? "").trim();
  if (text === "") return [];
  const hint = "Change it there if sessions are to be recorded.";
  return warnOfSettings(settings, text).map((what) => ({ what, hint }));
}
