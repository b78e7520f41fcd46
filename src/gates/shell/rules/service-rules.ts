import { equals, isExact } from "../argument.ts";
import { byOptions } from "../by-options.ts";
import { bySubcommand } from "../by-subcommand.ts";
import { type Classification, quote, unknown, writes } from "../classification.ts";
import { looks } from "../looking.ts";
import { findOption, findOptions, parseOptions } from "../options.ts";
import { always, type Call, listed, plainly, type Rule, type Rules } from "../rule.ts";

const saves = byOptions({ otherwise: "reads", short: "o", long: ["--output"], writes: ["-o", "--output"] });
const inspecting = (names: string): Rule =>
  bySubcommand({ bare: "reads", otherwise: "unknown", subcommands: listed("reads", names) });

const docker = bySubcommand({
  bare: "reads",
  otherwise: "unknown",
  short: "Hcl",
  long: ["--host", "--context", "--config", "--log-level"],
  runs: ["--config"],
  reads: ["-v"],
  subcommands: {
    ...listed("reads", "ps images logs inspect version info top stats port diff history search events help"),
    cp: always("writes"),
    save: saves,
    export: saves,
    container: inspecting("ls list inspect logs top stats port diff"),
    image: inspecting("ls list inspect history"),
    volume: inspecting("ls list inspect"),
    network: inspecting("ls list inspect"),
    context: inspecting("ls list show inspect"),
    system: inspecting("df info events"),
    compose: bySubcommand({
      bare: "reads",
      otherwise: "unknown",
      short: "fp",
      long: ["--file", "--project-name", "--profile", "--env-file"],
      subcommands: { ...listed("reads", "ps logs images top port version ls events"), config: saves },
    }),
  },
});

const kubectl = bySubcommand({
  bare: "reads",
  otherwise: "unknown",
  short: "ns",
  long: [
    "--namespace",
    "--context",
    "--kubeconfig",
    "--cluster",
    "--log-file",
    "--profile-output",
    "--output-directory",
  ],
  takesOptionsAnywhere: true,
  // It names the programs by which one signs in.
  runs: ["--kubeconfig"],
  writes: ["--log-file", "--log-dir", "--profile-output", "--output-directory"],
  subcommands: {
    ...listed("reads", "get describe logs top explain version api-resources api-versions cluster-info"),
    cp: always("writes"),
    config: bySubcommand({
      bare: "reads",
      otherwise: "writes",
      subcommands: listed("reads", "view get-contexts current-context get-clusters get-users"),
    }),
  },
});

const opensBrowser = byOptions({ otherwise: "reads", runs: ["-w", "--web"] });

/** Whatever is sent with it makes it change something. */
const api: Rule = (call) => {
  const parsed = parseOptions(call.args, {
    short: "XfFHqtp",
    long: ["--method", "--header", "--jq", "--cache"],
  });
  const methods = findOptions(parsed, ["-X", "--method"]);
  const sends = findOption(parsed, ["-f", "-F", "--field", "--raw-field", "--input"]) !== undefined;
  const gets = methods.every(({ value }) => equals(value, "GET") || equals(value, "get"));
  return plainly(!gets || parsed.isLoose || (sends && methods.length === 0) ? "unknown" : "reads", call.name);
};

/** What a subject of `gh` is asked: looking is the same everywhere. */
const subject = bySubcommand({
  bare: "reads",
  otherwise: "unknown",
  short: "R",
  long: ["--repo"],
  subcommands: {
    ...Object.fromEntries(
      "list view status diff checks watch".split(" ").map((name) => [name, opensBrowser]),
    ),
    ...listed(
      "writes",
      "checkout clone download fork sync install remove upgrade login logout refresh setup-git set",
    ),
  },
});
const gh = bySubcommand({
  bare: "reads",
  otherwise: "unknown",
  subcommands: {
    ...Object.fromEntries(
      "pr issue run release repo workflow gist label project cache ruleset auth config extension"
        .split(" ")
        .map((name) => [name, subject]),
    ),
    ...listed("reads", "status help version"),
    search: opensBrowser,
    api,
    co: always("writes"),
  },
});

const changing =
  /\b(?:insert|update|delete|create|drop|alter|replace|truncate|vacuum|reindex|attach|merge|grant|revoke|copy)\b|^\s*(?:\.(?:import|output|once|save|backup|restore|clone|open|log|excel)|\\(?:o|w|copy))\b/im;
const looking =
  /^\s*(?:select|show|explain|describe|with|values|\.(?:tables|schema|indexes|databases|dump|help|show)|\\(?:d|l|z|conninfo)\w*\+?)\b/i;
const hiding =
  /\.(?:shell|system|read|load)\b|\\(?:!|i|g|gexec|watch)|load_extension|writefile|\bedit\s*\(|\binto\s+(?:outfile|dumpfile)\b|pg_\w+\(|lo_export|dblink/i;

/** Judges statements of SQL by their words. */
function judgeSql({ name }: Call, statements: readonly string[]): Classification {
  const text = statements.join("\n").slice(0, 100_000);
  if (hiding.test(text)) return unknown(`What ${quote(name)} is told reaches beyond the database.`);
  if (changing.test(text)) return writes(`${quote(name)} is told to change something.`);
  return plainly(
    statements.length > 0 && statements.flatMap(splitSql).every((each) => looking.test(each))
      ? "reads"
      : "unknown",
    name,
  );
}

/** Returns the statements of a text, and the lines that are commands for the program itself. */
function splitSql(text: string): readonly string[] {
  const commands = text.match(/^\s*[.\\].*$/gm) ?? [];
  return [...text.split(";"), ...commands].filter((each) => each.trim() !== "");
}

const sqlite: Rule = (call) => {
  const parsed = parseOptions(call.args, {
    hasOneDash: true,
    long: ["-cmd", "-init", "-separator", "-nullvalue", "-newline", "-maxsize", "--cmd", "--init"],
  });
  const [, ...statements] = parsed.operands;
  const given = [
    ...statements,
    ...parsed.options.flatMap(({ name, value }) => (/^--?cmd$/.test(name) && value ? [value] : [])),
  ];
  if (parsed.isLoose || findOption(parsed, ["-init", "--init"]) !== undefined)
    return plainly("unknown", call.name);
  const found = judgeSql(
    call,
    (given.length > 0 ? given : [call.stdin]).map((known) =>
      isExact(known) ? known.text : `${known.text};?`,
    ),
  );
  const isReadOnly = looks(parsed, ["-readonly", "--readonly"]);
  // Without that option it makes a database that is not there.
  return found.verdict === "reads" && !isReadOnly ? plainly("unknown", call.name) : found;
};

const sqlClient =
  (code: readonly string[], output: readonly string[]): Rule =>
  (call) => {
    const parsed = parseOptions(call.args, {
      short: "cdfhopULvFPTe",
      long: [
        "--command",
        "--dbname",
        "--file",
        "--host",
        "--output",
        "--port",
        "--username",
        "--execute",
        "--log-file",
      ],
    });
    const target = findOption(parsed, output);
    const isFile = call.name === "psql" && findOption(parsed, ["-f", "--file"]) !== undefined;
    if (target !== undefined) return writes(`${quote(`${call.name} ${target.name}`)} writes a file.`);
    if (looks(parsed, ["-l", "--list"]) && call.name === "psql") return plainly("reads", call.name);
    const statements = parsed.options
      .filter(({ name }) => code.includes(name))
      .flatMap(({ value }) => (value?.rest === "nothing" ? [value.text] : ["?"]));
    // More is said in files, or before anything else.
    const isHidden = parsed.options.some(({ name }) =>
      /^--(?:init-command|defaults-|plugin-dir|login-path)/.test(name),
    );
    return parsed.isLoose || isFile || isHidden ? plainly("unknown", call.name) : judgeSql(call, statements);
  };

/** Programs that talk to a service or a database. */
export const serviceRules: Rules = {
  docker,
  podman: docker,
  "docker-compose": bySubcommand({
    bare: "reads",
    otherwise: "unknown",
    short: "fp",
    subcommands: listed("reads", "ps logs images top port version ls"),
  }),
  kubectl,
  gh,
  helm: bySubcommand({
    bare: "reads",
    otherwise: "unknown",
    subcommands: {
      ...listed("reads", "list ls status get history show search version"),
      ...listed("writes", "create package pull"),
    },
  }),
  sqlite3: sqlite,
  psql: sqlClient(["-c", "--command"], ["-o", "--output", "-L", "--log-file"]),
  mysql: sqlClient(["-e", "--execute"], ["--tee"]),
  ...listed("unknown", "duckdb redis-cli mongosh mongo gcloud az heroku vercel netlify"),
  aws: bySubcommand({
    bare: "reads",
    otherwise: "unknown",
    long: ["--profile", "--region", "--output", "--query", "--endpoint-url"],
    subcommands: {
      s3: bySubcommand({
        bare: "reads",
        otherwise: "unknown",
        subcommands: { ...listed("reads", "ls presign"), ...listed("writes", "cp mv sync") },
      }),
    },
  }),
  mysqldump: byOptions({
    otherwise: "reads",
    short: "hPurTS",
    long: ["--result-file", "--tab", "--host", "--user"],
    writes: ["-r", "--result-file", "-T", "--tab", "--log-error"],
  }),
  pg_dump: byOptions({
    otherwise: "reads",
    short: "fdhpUnNtT",
    long: ["--file", "--dbname"],
    writes: ["-f", "--file"],
  }),
};
