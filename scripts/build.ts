import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";

// What was built before may hold files whose source is gone.
rmSync("dist", { recursive: true, force: true });
execFileSync("tsc", ["-p", "tsconfig.build.json"], { stdio: "inherit" });
execFileSync(process.execPath, ["scripts/bundle-hook.ts", "dist/hooks"], { stdio: "inherit" });
