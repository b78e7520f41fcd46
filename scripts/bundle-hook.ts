/** Writes the hook as one file that needs nothing else: `node scripts/bundle-hook.ts FILE`. */
import { fileURLToPath } from "node:url";
import { build } from "rolldown";

const [file = "dist/hooks/hook.cjs"] = process.argv.slice(2);
await build({
  input: fileURLToPath(new URL("../src/hooks/main.ts", import.meta.url)),
  platform: "node",
  logLevel: "warn",
  output: { file, format: "cjs", minify: true },
});
