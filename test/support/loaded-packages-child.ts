/** Runs a command in the folder and home that are given, and prints which packages that only some need were loaded. */
import { registerHooks } from "node:module";

const named = [
  "@anthropic-ai/sdk",
  "@earendil-works/pi-tui",
  "@modelcontextprotocol/sdk",
  "express",
  "hono",
  "mdast-util-from-markdown",
  "openai",
  "pg",
  "string-width",
  "yaml",
  "zod",
];
const loaded = new Set<string>();
registerHooks({
  load: (url, context, next) => {
    for (const name of named) if (url.includes(`/node_modules/${name}/`)) loaded.add(name);
    return next(url, context);
  },
});
const { runCli } = await import("../../src/cli/run-cli.ts");
const { inputOf, testContext } = await import("./test-context.ts");

const [folder = "", store = "", ...args] = process.argv.slice(2);
const env = { CARRYON_HOME: `${folder}/home`, CARRYON_STORE: store };
await runCli(args, testContext(folder, { env, input: inputOf({ role: "user", text: "하나" }) }));
process.stdout.write(`${[...loaded].sort().join(" ")}\n`);
