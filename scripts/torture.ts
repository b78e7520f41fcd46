/** Runs the campaigns of test/torture: `npm run torture -- --help` says which there are. */
import { spawnSync } from "node:child_process";
import { parseTorture, tortureUsage } from "./parse-torture.ts";

function run(args: readonly string[]): number {
  const torture = parseTorture(args);
  if (torture === undefined) {
    console.log(tortureUsage);
    return 0;
  }
  const env = { ...process.env, ...torture.env };
  const vitest = ["run", "--project", "torture", ...torture.files];
  return spawnSync("vitest", vitest, { stdio: "inherit", env }).status ?? 1;
}

try {
  process.exitCode = run(process.argv.slice(2));
} catch (error) {
  console.error(`${error instanceof Error ? error.message : error}\n\n${tortureUsage}`);
  process.exitCode = 2;
}
