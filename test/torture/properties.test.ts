/** Tries all cases of the properties of which `npm test` tries a hundred, or eight. */
import { globSync, readFileSync } from "node:fs";
import { resolve } from "node:path";

process.env.TORTURE_PROPERTIES = "all";

const files = globSync("test/**/*.test.ts", { exclude: ["test/torture/**"] });
const hasMore = (file: string) => /numRuns: cases(?:WithPrograms)?\(/.test(readFileSync(file, "utf8"));
for (const file of files.filter(hasMore)) await import(/* @vite-ignore */ resolve(file));
