import { relative } from "node:path";
import type { FileChange } from "../../install/file-change.ts";
import type { InstallSite } from "../../install/locate-settings.ts";
import { locateServers, renderAddServer } from "../../install/server-entry.ts";

interface Extras {
  readonly changes: readonly FileChange[];
  readonly trusts: boolean;
  readonly documents: "private" | "committed" | undefined;
}

const documentsWill = {
  private: "The handover documents will be kept out of commits.",
  committed: "The handover documents will be committed with the project.",
} as const;

/** Describes what an installation comes to beyond the files that it changes, a line each. */
export function describeExtras(site: InstallSite, { changes, trusts, documents }: Extras): string {
  const lists = changes.some(({ path }) => path === locateServers(site.root));
  const lines = [
    ...(lists ? ["Claude Code will ask you once whether it may start the server of .mcp.json."] : []),
    // The plugin, which changes nothing but our own files, brings the server.
    ...(site.scope === "user" && changes.some(({ path }) => relative(site.home, path).startsWith(".."))
      ? [`The MCP server is for you to add: ${renderAddServer(site)}`]
      : []),
    ...(documents === undefined ? [] : [documentsWill[documents]]),
    ...(trusts ? ["This project will be trusted: its gates and documents count."] : []),
  ];
  return lines.map((line) => `${line}\n`).join("");
}
