import type { FileChange } from "./file-change.ts";
import type { Install } from "./install-record.ts";
import type { InstallSite } from "./locate-settings.ts";
import { planNoOwnFiles, planOwnFiles } from "./own-files.ts";
import { planNoServer, planServer } from "./server-entry.ts";

/** What the client will offer its user and its model: commands, the skill and the MCP server. */
interface OffersPlan {
  readonly changes: readonly FileChange[];
  readonly record: Pick<Install, "files" | "server">;
  readonly warnings: readonly string[];
}

/** Plans what the client is to offer; what is not ours stays as it is, and is named. */
export async function planOffers(site: InstallSite, recorded: Install | undefined): Promise<OffersPlan> {
  const files = await planOwnFiles(site, recorded);
  const server = await planServer(site, recorded?.server ?? null);
  return {
    changes: [...files.changes, ...server.changes],
    record: { files: files.record, server: server.record },
    warnings: [
      ...files.foreign.map((path) => `${path} is not Carryon's, or was changed, and stays as it is.`),
      ...server.warnings,
    ],
  };
}

/** Plans to take back what the client offers; what was changed since stays, and is named. */
export async function planNoOffers(
  site: Omit<InstallSite, "isRepository">,
  recorded: Install | undefined,
): Promise<{ readonly changes: readonly FileChange[]; readonly stays: readonly string[] }> {
  const files = await planNoOwnFiles(site, recorded);
  const server = await planNoServer(site, recorded?.server ?? null);
  return {
    changes: [...server.changes, ...files.changes],
    stays: [...files.changed.map((path) => `${path} was changed and stays as it is.`), ...server.stays],
  };
}
