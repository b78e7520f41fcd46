import type { ICruiseOptions, IForbiddenRuleType } from "dependency-cruiser";

/** The folders of src/ from the bottom up; each may import what stands in a row below its own, and itself. */
export const layers: readonly (readonly string[])[] = [
  ["lib"],
  ["git"],
  ["conversation", "work"],
  ["gates", "handover", "storage", "clients", "exchange", "model", "tools"],
  ["chat", "run", "sync"],
  ["project"],
  ["hooks", "mcp", "viewer", "cli"],
];

/** The parts of the command line that start another surface. */
const starters = "^src/cli/(commands/mcp\\.ts$|mcp/)";

const anyOf = (folders: readonly string[]): string => `^src/(${folders.join("|")})/`;

/** What must not be imported. */
export const forbidden: IForbiddenRuleType[] = [
  { name: "no-cycle", severity: "error", from: {}, to: { circular: true } },
  ...layers.map((folders, index) => ({
    name: `${folders.join("-")}-imports-only-what-is-below`,
    severity: "error" as const,
    from: { path: anyOf(folders), pathNot: starters },
    to: { path: anyOf(layers.slice(index).flat()), pathNot: "^src/$1/" },
  })),
  {
    name: "only-the-mcp-server-is-started",
    severity: "error",
    from: { path: starters },
    to: { path: "^src/(hooks|viewer)/" },
  },
  {
    name: "only-storage-and-locks-know-sqlite",
    severity: "error",
    from: { path: "^src/", pathNot: "^src/storage/|^src/lib/file-lock\\.ts$" },
    to: { path: "^(node:)?sqlite$|^pg$" },
  },
  {
    name: "gates-know-no-conversation",
    severity: "error",
    from: { path: "^src/gates/" },
    to: { path: "^src/conversation/" },
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
