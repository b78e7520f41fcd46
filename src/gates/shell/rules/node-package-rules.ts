import { type Argument, equals, exactly, isExact } from "../argument.ts";
import { type Classification, unknown, worst } from "../classification.ts";
import { parseOptions } from "../options.ts";
import { type Call, type Program, type Programs, plainly, type Rule } from "../program.ts";
import { projectTools } from "./tool-rules.ts";

/** `npx X …`: a tool that is known here is judged by its own rule, and anything else may be any package. */
const execute: Rule = (call) => {
  const values = "-pcw --package --call --workspace --registry";
  const parsed = parseOptions(call.args, { values, endsAtOperand: true });
  const line = parsed.options.find(({ name }) => name === "-c" || name === "--call")?.value;
  if (line !== undefined) return worst(call.script(line), plainly("unknown", call.name));
  return runTool(call, parsed.operands);
};

function runTool(call: Call, words: readonly Argument[]): Classification {
  const [first, ...args] = words;
  if (first === undefined || !isExact(first)) return plainly("unknown", call.name);
  if (equals(first, "carryon")) return call.runs(words);
  // `prettier@3`, `@biomejs/biome`
  const name = first.text.replace(/(?<=.)@[^/@]*$/, "").replace(/^@[^/]+\//, "");
  const found = call.runs([exactly(name), ...args]);
  return projectTools.has(name)
    ? found
    : worst(found, unknown(`What \`${call.name}\` runs comes from a package.`));
}

/** `pnpm eslint --fix`: a script of the project, or else its tool of that name. */
const tool: Rule = (call) => worst(runTool(call, call.args), plainly("unknown", call.name));

const shared = `-Cw= --prefix= --workspace= --loglevel= --registry= --filter= --dir= --cwd= --userconfig= --cache=
  --script-shell=`;

/** A command that changes packages, unless in a dry run. */
const dry: Program = {
  does: "writes",
  options: `${shared} --globalconfig= --tag= --omit= --include= --access= --otp= --depth= --install-strategy= --before=
    --audit-level= --location= --install-links= --cpu= --os= --libc= --node-options= --heading= --scope=
    --pack-destination= --fetch-retries= --fetch-timeout= --maxsockets= --noproxy= --proxy= --https-proxy= --save-prefix=
    --umask= --backend= --config= --cache-dir= --dry-run.`,
  // A switch of npm takes the next word where that says whether it is on.
  words: [[/^(?:false|null)$/, "writes"]],
};
const settings: Program = { does: "writes", subcommands: { "get list ls": "reads" } };
const readsList: Program = { does: "unknown", subcommands: { "ls list": "reads" } };
/** Without a name it lists the scripts. */
const run: Program = { does: "unknown", bare: "reads", options: "--script-shell?" };
const audit: Program = { does: "reads", words: [[/^(?:fix$|--fix)/, "writes"]] };

const readers = `ls list ll la view info show v outdated search find help root prefix bin whoami ping doctor explain why
  fund query diff sbom stars licenses completion`;
const dryWriters =
  "install i in add ci clean-install uninstall un remove rm r update up upgrade dedupe ddp prune pack";
const writers =
  "install-test it unlink link ln rebuild rb init shrinkwrap set patch patch-commit import fetch";
const runners = "test t tst start stop restart explore publish create docs repo bugs";

const npm: Program = {
  does: "unknown",
  options: `${shared} -v. --script-shell? --node-options? --userconfig? --globalconfig? --git? --viewer? --browser?
    --logs-dir!`,
  takesOptionsAnywhere: true,
  subcommands: {
    [`${readers} get`]: "reads",
    [writers]: "writes",
    [dryWriters]: dry,
    [runners]: "unknown",
    "run run-script": run,
    "exec x": execute,
    audit,
    version: { does: "writes", bare: "reads" },
    "config c": settings,
    pkg: { does: "writes", subcommands: { get: "reads" } },
    cache: { does: "writes", subcommands: { ls: "reads" } },
    "owner dist-tag": readsList,
  },
};

const pnpm: Program = {
  does: "unknown",
  options: `${shared} -v.`,
  others: tool,
  subcommands: {
    [`${readers} store-path`]: "reads",
    [`${writers} ${dryWriters}`]: "writes",
    [runners]: "unknown",
    run,
    "exec dlx": execute,
    audit,
    "config c": settings,
  },
};

const yarn: Program = {
  does: "unknown",
  bare: "writes",
  options: `${shared} -v.`,
  others: tool,
  subcommands: {
    "list info why outdated licenses help versions check": "reads",
    [`install add remove upgrade up upgrade-interactive link unlink import init dedupe cache autoclean pack set
      plugin`]: "writes",
    [runners]: "unknown",
    run,
    "exec dlx": execute,
    audit,
    config: settings,
    npm: { does: "unknown", subcommands: { "info audit whoami": "reads" } },
  },
};

const bun: Program = {
  does: "unknown",
  options: `${shared} -v. -ep? --eval? --print?`,
  others: tool,
  subcommands: {
    "outdated help why info": "reads",
    "install i add a remove rm update link unlink init upgrade patch": dry,
    [runners]: "unknown",
    x: execute,
    pm: { does: "writes", subcommands: { "ls bin hash whoami view why": "reads" } },
  },
};

const deno: Program = {
  does: "unknown",
  bare: "unknown",
  options: "-V.",
  subcommands: {
    "types help": "reads",
    "add remove install uninstall upgrade init compile cache clean": "writes",
    fmt: "writes --check.",
  },
};

/** Package managers of JavaScript. */
export const nodePackageRules: Programs = { npm, pnpm, yarn, bun, deno, "npx pnpx bunx": execute };
