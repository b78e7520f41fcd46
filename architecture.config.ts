import type { ICruiseOptions, IForbiddenRuleType } from "dependency-cruiser";

/**
 * The folders of src/. Each may import the folders of the rows above its own, and those to its left in its own row.
 *
 * A folder that is not there yet is in the list, so that its first file has a place.
 */
export const rows: readonly (readonly string[])[] = [
  ["lib", "redaction", "git"],
  ["sessions", "storage"],
  ["clients", "formats", "model", "tools"],
  ["workspace"],
  ["outcomes", "digest"],
  ["work", "handover", "gates"],
  ["memory"],
  ["recording", "share", "install"],
  ["lifecycle"],
  ["turn", "chat", "run"],
  ["care"],
  ["helper", "hooks", "acp", "mcp", "web", "cli"],
];

/** Rows are read as text is: what stands later may import what stands earlier. */
const order = rows.flat();

const anyOf = (folders: readonly string[]): string => `^src/(?:${folders.join("|")})/`;

/**
 * The files that are private to a capability: those in its subfolders. Each client has a folder of its own in clients/, and
 * the helpers of lib/ are grouped by subject; `src/index.ts` may export everything.
 */
const privateFiles = "^src/(?!lib/|clients/)[^/]+/[^/]+/|^src/clients/[^/]+/[^/]+/";

/** What must not be imported. */
export const forbidden: IForbiddenRuleType[] = [
  { name: "no-cycle", severity: "error", from: {}, to: { circular: true } },
  ...order.slice(0, -1).map((folder, at) => ({
    name: `${folder}-imports-only-what-stands-before-it`,
    severity: "error" as const,
    from: { path: anyOf([folder]) },
    to: { path: anyOf(order.slice(at + 1)) },
  })),
  {
    name: "subfolders-are-private",
    severity: "error",
    from: { path: "^src/([^/]+)/" },
    to: { path: privateFiles, pathNot: "^src/$1/" },
  },
  {
    name: "only-storage-and-locks-know-sqlite",
    severity: "error",
    from: { path: "^src/", pathNot: "^src/storage/|^src/lib/file-lock\\.ts$" },
    to: { path: "^(node:)?sqlite$|^pg$" },
  },
  {
    name: "nothing-imports-the-index",
    severity: "error",
    from: { path: "^src/" },
    to: { path: "^src/index\\.ts$" },
  },
  {
    name: "nothing-outside-src",
    severity: "error",
    from: { path: "^src/" },
    to: { path: "^(test|bench|scripts)/" },
  },
  { name: "resolvable", severity: "error", from: {}, to: { couldNotResolve: true } },
];

/** How the imports are read: those of types count too. */
export const options: ICruiseOptions = {
  doNotFollow: { path: "node_modules" },
  tsPreCompilationDeps: true,
  tsConfig: { fileName: "tsconfig.json" },
  // A package may name its entry point in `exports` alone.
  enhancedResolveOptions: {
    exportsFields: ["exports"],
    conditionNames: ["import", "node", "default", "types"],
  },
};
