import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { build } from "rolldown";

// What was built before may hold files whose source is gone.
rmSync("dist", { recursive: true, force: true });
execFileSync("tsc", ["-p", "tsconfig.build.json"], { stdio: "inherit" });
// Node takes longer to find and link hundreds of modules than to run a command. What is loaded on demand stays so, and
// everything stays two folders below the top, from where modules find other files of the package.
const { output } = await build({
  input: { index: "src/index.ts", "cli/main": "src/cli/main.ts" },
  platform: "node",
  // What few commands need stays with its package.
  external: /^(?:node:|pg$|zod$|openai$|@anthropic-ai\/|@earendil-works\/|@modelcontextprotocol\/|@clack\/)/,
  logLevel: "warn",
  output: {
    dir: "dist",
    format: "esm",
    entryFileNames: "[name].js",
    chunkFileNames: "chunks/[name].js",
    codeSplitting: {
      groups: [
        { name: "yaml", test: /node_modules\/yaml/ },
        { name: "markdown", test: /node_modules\/(?!commander|@commander-js|re2js|unbash|string-width)/ },
        { name: "commander", test: /node_modules\/(?:commander|@commander-js)/ },
      ],
    },
  },
});
for (const [script, folder] of [
  ["scripts/bundle-hook.ts", "dist/hooks"],
  ["scripts/bundle-start.ts", "dist/cli"],
] as const)
  execFileSync(process.execPath, [script, folder], { stdio: "inherit" });
const modules = output.flatMap((file) => (file.type === "chunk" ? file.moduleIds : []));
const packages = modules.flatMap((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id)?.[0] ?? []);
writeFileSync("dist/LICENSES.txt", [...new Set(packages)].sort().map(readLicense).join("\n"));

/** Returns under what terms a package that is built in was given, which have to go with it. */
function readLicense(folder: string): string {
  const { name, version } = JSON.parse(readFileSync(`${folder}/package.json`, "utf8"));
  const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each));
  if (file === undefined) throw new Error(`${name} has no license.`);
  return `${name} ${version}\n\n${readFileSync(`${folder}/${file}`, "utf8").trim()}\n`;
}
