import { type LaunchSite, placeOf, readLaunch } from "./launch.ts";

/** Starts `carryon sync` and does not wait for it; does nothing where it is not known how. */
export function startSync(site: LaunchSite): void {
  const launch = readLaunch(site.home);
  if (launch === undefined) return;
  const child = process
    .getBuiltinModule("node:child_process")
    .spawn(launch.node, [launch.launcher, "sync", "--quiet", "--recorded"], {
      ...placeOf(site),
      detached: true,
      stdio: "ignore",
    });
  // Sync catches up whenever it is started next.
  child.on("error", () => undefined);
  child.unref();
}
