import { becomeStarter } from "./become-starter.ts";
import { type LaunchSite, placeOf, readLaunch } from "./launch.ts";

/**
 * Starts `carryon sync` and does not wait for it; does nothing where it is not known how.
 *
 * It is the last thing that a hook does: this process mostly ends in it.
 */
export function startSync(site: LaunchSite): void {
  const launch = readLaunch(site.home);
  if (launch === undefined) return;
  const [path, args] = [launch.node, [launch.launcher, "sync", "--quiet", "--recorded"]];
  const place = placeOf(site);
  becomeStarter({ path, args, ...place });
  const child = process
    .getBuiltinModule("node:child_process")
    .spawn(path, args, { ...place, detached: true, stdio: "ignore" });
  // Sync catches up whenever it is started next.
  child.on("error", () => undefined);
  child.unref();
}
