/** Tries all cases of the properties of which `npm test` tries a hundred. */
import { globSync, readFileSync } from "node:fs";
import { resolve } from "node:path";

process.env.TORTURE_PROPERTIES = "all";

const files = globSync("test/**/*.test.ts", { exclude: ["test/torture/**"] });
for (const file of files.filter((each) => readFileSync(each, "utf8").includes("numRuns: cases(")))
  await import(/* @vite-ignore */ resolve(file));
