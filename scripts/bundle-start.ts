/** Writes what answers the beginning of a session as a few files: `node scripts/bundle-start.ts [FOLDER]`. */
import { fileURLToPath } from "node:url";
import { build, type OutputAsset, type OutputChunk } from "rolldown";
import { markdownFile } from "../src/lib/markdown-on-demand.ts";

const [folder = "dist/cli"] = process.argv.slice(2);
const inSource = (path: string) => fileURLToPath(new URL(`../src/${path}`, import.meta.url));
/** Node reads a file of ASCII several times faster than another, and keeps half as many bytes of it. */
const asciiOnly = {
  name: "ascii-only",
  generateBundle(_: unknown, bundle: Record<string, OutputChunk | OutputAsset>) {
    for (const file of Object.values(bundle)) if (file.type === "chunk") file.code = toAscii(file.code);
  },
};

const usual = { platform: "node", logLevel: "warn" } as const;
await build({
  ...usual,
  plugins: [asciiOnly],
  input: { start: inSource("cli/start.ts") },
  external: /^(?:node:(?!fs\/promises$)|pg$|zod$)/,
  resolve: {
    alias: {
      // A hook has nothing to do while it waits for a file.
      "node:fs/promises": inSource("lib/direct-files.ts"),
      // Most documents are plain lines.
      "mdast-util-from-markdown": inSource("lib/markdown-on-demand.ts"),
    },
  },
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
        { name: "config", test: /yaml|re2js|re2-pattern|gates\/config/, priority: 2 },
        {
          name: "more",
          test: /cli|recording|gates|clients|ingestion|follow-projects|approvals|installed-since|sql-digest-store|is-unwritable-store|standing-blockers/,
          priority: 1,
        },
      ],
    },
  },
});

await build({
  ...usual,
  input: "mdast-util-from-markdown",
  output: { file: `${folder}/${markdownFile}`, format: "cjs", minify: true },
});

/** Escapes characters as strings, templates and patterns all may; one behind a backslash would become something else. */
function toAscii(code: string): string {
  const [escaped] = /\\[^\0-\x7f]/.exec(code) ?? [];
  if (escaped !== undefined) throw new Error(`The bundle has ${escaped}, which cannot be escaped again.`);
  return code.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
