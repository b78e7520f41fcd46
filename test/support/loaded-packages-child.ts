/** Runs a command in the folder and home that are given, and prints which packages that only some need were loaded. */
import { createRequire } from "node:module";
import { runCli } from "../../src/cli/run-cli.ts";
import { inputOf, testContext } from "./test-context.ts";

const [folder = "", store = "", ...args] = process.argv.slice(2);
const env = { CARRYON_HOME: `${folder}/home`, CARRYON_STORE: store };
await runCli(args, testContext(folder, { env, input: inputOf({ role: "user", text: "one" }) }));
const files = Object.keys(createRequire(import.meta.url).cache);
process.stdout.write(
  `${["pg", "yaml"].filter((name) => files.some((file) => file.includes(`/node_modules/${name}/`))).join(" ")}\n`,
);
