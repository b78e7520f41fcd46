/** Writes the hook as two files that need nothing else: `node scripts/bundle-hook.ts [FOLDER]`. */
import { fileURLToPath } from "node:url";
import { build } from "rolldown";
import { hookFile, redactionFile } from "../src/lib/hook-files.ts";

const [folder = "dist/hooks"] = process.argv.slice(2);
const bundles = { main: hookFile, redaction: redactionFile };
for (const [entry, name] of Object.entries(bundles)) {
  await build({
    input: fileURLToPath(new URL(`../src/hooks/${entry}.ts`, import.meta.url)),
    platform: "node",
    logLevel: "warn",
    output: { file: `${folder}/${name}`, format: "cjs", minify: true },
  });
}
