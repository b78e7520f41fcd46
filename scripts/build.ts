import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import { build } from "rolldown";

// What was built before may hold files whose source is gone.
rmSync("dist", { recursive: true, force: true });
execFileSync("tsc", ["-p", "tsconfig.build.json"], { stdio: "inherit" });
// Node takes longer to find and link hundreds of modules than to run a command. What is loaded on demand stays so, and
// everything stays two folders below the top, from where modules find other files of the package.
await build({
  input: { index: "src/index.ts", "cli/main": "src/cli/main.ts" },
  platform: "node",
  external: /^[^./]/,
  logLevel: "warn",
  output: {
    dir: "dist",
    format: "esm",
    entryFileNames: "[name].js",
    chunkFileNames: "chunks/[name].js",
  },
});
execFileSync(process.execPath, ["scripts/bundle-hook.ts", "dist/hooks"], { stdio: "inherit" });
