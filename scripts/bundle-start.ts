/** Writes what answers the beginning of a session as a few files: `node scripts/bundle-start.ts [FOLDER]`. */
import { fileURLToPath } from "node:url";
import { build } from "rolldown";

const [folder = "dist/cli"] = process.argv.slice(2);
const inSource = (path: string) => fileURLToPath(new URL(`../src/${path}`, import.meta.url));
await build({
  input: { start: inSource("cli/start.ts") },
  platform: "node",
  external: /^(?:node:(?!fs\/promises$)|pg$|zod$)/,
  // A hook has nothing to do while it waits for a file.
  resolve: { alias: { "node:fs/promises": inSource("lib/direct-files.ts") } },
  logLevel: "warn",
  checks: { ineffectiveDynamicImport: false },
  output: {
    dir: folder,
    // A hook loads it into its own process, and Node finds such modules several times faster.
    format: "cjs",
    minify: true,
    entryFileNames: "[name].cjs",
    chunkFileNames: "start-[name].cjs",
    // What a usual start needs is in one file, since each file costs several looks at the disk; what few need is in others.
    codeSplitting: {
      groups: [
        { name: "base", tags: ["$initial"], priority: 3 },
        { name: "shell", test: /unbash|gates\/shell/, priority: 2 },
        { name: "config", test: /yaml|re2|gates\/config/, priority: 2 },
        {
          name: "more",
          test: /cli|sync|gates|clients|ingestion|follow-projects|approvals|installed-since/,
          priority: 1,
        },
      ],
    },
  },
});
