/** Writes the hook as files that need nothing else: `node scripts/bundle-hook.ts [FOLDER]`. */
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "rolldown";
import { gatesFile, hookFile, redactionFile } from "../src/lib/hook-files.ts";

const [folder = "dist/hooks"] = process.argv.slice(2);
const entryOf = (name: string) => fileURLToPath(new URL(`../src/hooks/${name}.ts`, import.meta.url));
const usual = { platform: "node", logLevel: "warn" } as const;
const form = { format: "cjs", minify: true } as const;
for (const [name, file] of [
  ["main", hookFile],
  ["redaction", redactionFile],
] as const) {
  await build({ ...usual, input: entryOf(name), output: { ...form, file: `${folder}/${file}` } });
}

// What every guarded call needs is in one file, since each file costs a look at the disk; what few need is in others.
const gates = basename(gatesFile, ".cjs");
await build({
  ...usual,
  input: { [gates]: entryOf("gates") },
  output: {
    ...form,
    dir: folder,
    entryFileNames: "[name].cjs",
    chunkFileNames: `${gates}-[name].cjs`,
    codeSplitting: {
      groups: [
        { name: "base", tags: ["$initial"], priority: 5 },
        { name: "shell", test: /unbash|gates\/shell/, priority: 4 },
        { name: "patterns", test: /re2js|re2-pattern/, priority: 3 },
        { name: "writer", test: /src\/(?!gates\/config)/, priority: 2 },
        { name: "config", test: /yaml|gates\/config/, priority: 1 },
      ],
    },
  },
});
