import { type Argument, equals, exactly, isExact } from "../argument.ts";
import { byOptions } from "../by-options.ts";
import { bySubcommand } from "../by-subcommand.ts";
import { type Classification, unknown, worst } from "../classification.ts";
import { parseOptions } from "../options.ts";
import { type Call, listed, plainly, type Rule, type Rules } from "../rule.ts";
import { projectTools } from "./tool-rules.ts";

const executeShape = {
  short: "pcw",
  long: ["--package", "--call", "--workspace", "--registry"],
  endsAtOperand: true,
};

/** `npx X …`: a tool that is known here is judged by its own rule, and anything else may be any package. */
const execute: Rule = (call) => {
  const parsed = parseOptions(call.args, executeShape);
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

const dryShape = byOptions({
  otherwise: "writes",
  short: "Cw",
  long: `prefix workspace loglevel registry filter dir cwd userconfig globalconfig cache script-shell tag omit include access
    otp depth install-strategy before audit-level location install-links cpu os libc node-options heading scope
    pack-destination before fetch-retries fetch-timeout maxsockets noproxy proxy https-proxy save-prefix umask backend config
    cache-dir registry`
    .split(/\s+/)
    .map((name) => `--${name}`),
  reads: ["--dry-run"],
});
/** A switch of npm takes the next word where that says whether it is on. */
const dry: Rule = (call) =>
  call.args.some(({ text }) => /^(?:false|null)$/.test(text)) ? plainly("writes", call.name) : dryShape(call);
const settings = bySubcommand({
  bare: "reads",
  otherwise: "writes",
  subcommands: listed("reads", "get list ls"),
});
const dryRunnable = (names: string): Rules => Object.fromEntries(names.split(" ").map((name) => [name, dry]));

const readers =
  "ls list ll la view info show v outdated search find help root prefix bin whoami ping doctor explain why fund query diff sbom stars licenses completion";
const dryWriters =
  "install i in add ci clean-install uninstall un remove rm r update up upgrade dedupe ddp prune pack";
const writers =
  "install i in add ci clean-install install-test it uninstall un unlink remove rm r update up upgrade dedupe ddp prune link ln rebuild rb init shrinkwrap pack set patch patch-commit import fetch";
const runners = listed("unknown", "test t tst start stop restart explore publish create docs repo bugs");

const shape = {
  short: "Cw",
  long: [
    "--prefix",
    "--workspace",
    "--loglevel",
    "--registry",
    "--filter",
    "--dir",
    "--cwd",
    "--userconfig",
    "--cache",
    "--script-shell",
  ],
};

/** Without a name it lists the scripts. */
const run = byOptions({ otherwise: "unknown", bare: "reads", runs: ["--script-shell"] });
const audit: Rule = ({ name, args }) =>
  plainly(
    args.some((word) => equals(word, "fix") || word.text.startsWith("--fix")) ? "writes" : "reads",
    name,
  );

const npm = bySubcommand({
  ...shape,
  bare: "reads",
  otherwise: "unknown",
  reads: ["-v"],
  takesOptionsAnywhere: true,
  runs: [
    "--script-shell",
    "--node-options",
    "--userconfig",
    "--globalconfig",
    "--git",
    "--viewer",
    "--browser",
  ],
  writes: ["--logs-dir"],
  subcommands: {
    ...listed("reads", readers),
    ...listed("writes", writers),
    ...dryRunnable(dryWriters),
    ...runners,
    run,
    "run-script": run,
    exec: execute,
    x: execute,
    audit,
    version: byOptions({ otherwise: "writes", bare: "reads" }),
    config: settings,
    c: settings,
    get: byOptions({ otherwise: "reads" }),
    pkg: bySubcommand({ bare: "reads", otherwise: "writes", subcommands: listed("reads", "get") }),
    cache: bySubcommand({ bare: "reads", otherwise: "writes", subcommands: listed("reads", "ls") }),
    owner: bySubcommand({ bare: "reads", otherwise: "unknown", subcommands: listed("reads", "ls list") }),
    "dist-tag": bySubcommand({
      bare: "reads",
      otherwise: "unknown",
      subcommands: listed("reads", "ls list"),
    }),
  },
});

/** `pnpm eslint --fix`: a script of the project, or else its tool of that name. */
const tool: Rule = (call) => worst(runTool(call, call.args), plainly("unknown", call.name));

const pnpm = bySubcommand({
  ...shape,
  others: tool,
  bare: "reads",
  otherwise: "unknown",
  reads: ["-v"],
  subcommands: {
    ...listed("reads", `${readers} store-path`),
    ...listed("writes", writers),
    ...runners,
    run,
    exec: execute,
    dlx: execute,
    audit,
    config: settings,
    c: settings,
  },
});

const yarn = bySubcommand({
  ...shape,
  others: tool,
  bare: "writes",
  otherwise: "unknown",
  reads: ["-v"],
  subcommands: {
    ...listed("reads", "list info why outdated licenses help versions check"),
    ...listed(
      "writes",
      "install add remove upgrade up upgrade-interactive link unlink import init dedupe cache autoclean pack set plugin",
    ),
    ...runners,
    run,
    exec: execute,
    dlx: execute,
    audit,
    config: settings,
    npm: bySubcommand({
      bare: "reads",
      otherwise: "unknown",
      subcommands: listed("reads", "info audit whoami"),
    }),
  },
});

const bun = bySubcommand({
  ...shape,
  others: tool,
  bare: "reads",
  otherwise: "unknown",
  reads: ["-v"],
  runs: ["-e", "--eval", "-p", "--print"],
  subcommands: {
    ...listed("reads", "outdated help why info"),
    ...dryRunnable("install i add a remove rm update link unlink init upgrade patch"),
    ...runners,
    x: execute,
    pm: bySubcommand({
      bare: "reads",
      otherwise: "writes",
      subcommands: listed("reads", "ls bin hash whoami view why"),
    }),
  },
});

const deno = bySubcommand({
  bare: "unknown",
  otherwise: "unknown",
  reads: ["-V"],
  subcommands: {
    ...listed("reads", "types help"),
    ...listed("writes", "add remove install uninstall upgrade init compile cache clean"),
    fmt: byOptions({ otherwise: "writes", reads: ["--check"] }),
  },
});

/** Package managers of JavaScript. */
export const nodePackageRules: Rules = {
  npm,
  pnpm,
  yarn,
  bun,
  deno,
  npx: execute,
  pnpx: execute,
  bunx: execute,
};
