/** Writes the hook as two files that need nothing else: `node scripts/bundle-hook.ts [FOLDER]`. */
import { fileURLToPath } from "node:url";
import { build } from "rolldown";

const [folder = "dist/hooks"] = process.argv.slice(2);
const bundles = { main: "carryon-hook.cjs", redaction: "carryon-redaction.cjs" };
for (const [entry, name] of Object.entries(bundles)) {
  await build({
    input: fileURLToPath(new URL(`../src/hooks/${entry}.ts`, import.meta.url)),
    platform: "node",
    logLevel: "warn",
    output: { file: `${folder}/${name}`, format: "cjs", minify: true },
  });
}
