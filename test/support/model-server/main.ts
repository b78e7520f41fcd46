/** Runs the scripted model as a program: `npm run model-server -- --help`. */
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { openModelServer } from "./open-model-server.ts";
import { parseScenario, readScenario } from "./scenario.ts";
import { describeServer } from "./welcome.ts";

const help = `Usage: npm run model-server -- [options] [SCENARIO]

A model that answers as a scenario tells it to, over Anthropic's Messages API and OpenAI's chat completions. It
listens on 127.0.0.1 only, prints its address, and ends with its parent process or with Ctrl+C. GET /__requests shows
what it was asked.

SCENARIO is a JSON file; test/fixtures/scenarios/README.md says what is in one. Without it the model knows a few words:
say "help" to it.

Options:
  --port N          Listen on this port instead of a free one
  --set NAME=VALUE  Fill in {{NAME}} in the scenario; can be given several times
  --help            Show this text
`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    port: { type: "string" },
    set: { type: "string", multiple: true, default: [] },
    help: { type: "boolean", default: false },
  },
});
const [path, ...others] = positionals;

if (values.help) process.stdout.write(help);
else if (others.length > 0) {
  process.stderr.write(help);
  process.exitCode = 2;
} else {
  const pairs = values.set.map((each) => [each.replace(/=.*$/s, ""), each.replace(/^[^=]*=/, "")]);
  const scenario =
    path === undefined
      ? readScenario("newcomer")
      : parseScenario(readFileSync(path, "utf8"), Object.fromEntries(pairs));
  const { url } = await openModelServer(scenario, Number(values.port ?? 0));
  // A program reads the first line; a person reads on.
  const isForPerson = path === undefined || process.stdout.isTTY;
  process.stdout.write(`${url}\n${isForPerson ? describeServer(url) : ""}`);
  endWithParent(process.ppid);
}

/** The kernel gives an orphan another parent, however the first one ended. */
function endWithParent(parent: number): void {
  setInterval(() => {
    if (process.ppid !== parent) process.exit();
  }, 250);
}
