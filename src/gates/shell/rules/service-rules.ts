import { equals, isExact } from "../argument.ts";
import { type Classification, quote, unknown, writes } from "../classification.ts";
import { findOption, findOptions, listWords, looks, parseOptions } from "../options.ts";
import { type Call, type Entry, type Program, type Programs, plainly, type Rule } from "../program.ts";

const saves: Entry = "reads -o=! --output=!";
const inspecting = (names: string): Program => ({ does: "unknown", subcommands: { [names]: "reads" } });

const docker: Program = {
  does: "unknown",
  options: "-Hcl= -v. --host= --context= --config=? --log-level=",
  subcommands: {
    "ps images logs inspect version info top stats port diff history search events help": "reads",
    cp: "writes",
    "save export": saves,
    container: inspecting("ls list inspect logs top stats port diff"),
    image: inspecting("ls list inspect history"),
    "volume network": inspecting("ls list inspect"),
    context: inspecting("ls list show inspect"),
    system: inspecting("df info events"),
    compose: {
      does: "unknown",
      options: "-fp= --file= --project-name= --profile= --env-file=",
      subcommands: { "ps logs images top port version ls events": "reads", config: saves },
    },
  },
};

const kubectl: Program = {
  does: "unknown",
  options: `-ns= --namespace= --context= --kubeconfig=? --cluster= --log-file=! --profile-output=!
      --output-directory=! --log-dir!`,
  takesOptionsAnywhere: true,
  subcommands: {
    "get describe logs top explain version api-resources api-versions cluster-info": "reads",
    cp: "writes",
    config: {
      does: "writes",
      subcommands: { "view get-contexts current-context get-clusters get-users": "reads" },
    },
  },
};

const opensBrowser: Entry = "reads -w? --web?";

/** Any field that it sends makes it change something. */
const api: Rule = (call) => {
  const parsed = parseOptions(call.args, { values: "-XfFHqtp --method --header --jq --cache" });
  const methods = findOptions(parsed, "-X --method");
  const sends = findOption(parsed, "-f -F --field --raw-field --input") !== undefined;
  const gets = methods.every(({ value }) => equals(value, "GET") || equals(value, "get"));
  return plainly(!gets || parsed.isLoose || (sends && methods.length === 0) ? "unknown" : "reads", call.name);
};

const gh: Program = {
  does: "unknown",
  subcommands: {
    "pr issue run release repo workflow gist label project cache ruleset auth config extension": {
      does: "unknown",
      options: "-R= --repo=",
      subcommands: {
        "list view status diff checks watch": opensBrowser,
        "checkout clone download fork sync install remove upgrade login logout refresh setup-git set":
          "writes",
      },
    },
    "status help version": "reads",
    search: opensBrowser,
    api,
    co: "writes",
  },
};

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
    values: "-cmd -init -separator -nullvalue -newline -maxsize --cmd --init",
  });
  const [, ...statements] = parsed.operands;
  const given = [
    ...statements,
    ...parsed.options.flatMap(({ name, value }) => (/^--?cmd$/.test(name) && value ? [value] : [])),
  ];
  if (parsed.isLoose || findOption(parsed, "-init --init") !== undefined)
    return plainly("unknown", call.name);
  const found = judgeSql(
    call,
    (given.length > 0 ? given : [call.stdin]).map((known) =>
      isExact(known) ? known.text : `${known.text};?`,
    ),
  );
  const isReadOnly = looks(parsed, "-readonly --readonly");
  // Without that option it makes a database that is not there.
  return found.verdict === "reads" && !isReadOnly ? plainly("unknown", call.name) : found;
};

const sqlClient =
  (code: string, output: string): Rule =>
  (call) => {
    const values = `-cdfhopULvFPTe --command --dbname --file --host --output --port --username --execute --log-file`;
    const parsed = parseOptions(call.args, { values });
    const target = findOption(parsed, output);
    const isFile = call.name === "psql" && findOption(parsed, "-f --file") !== undefined;
    if (target !== undefined) return writes(`${quote(`${call.name} ${target.name}`)} writes a file.`);
    if (looks(parsed, "-l --list") && call.name === "psql") return plainly("reads", call.name);
    const statements = parsed.options
      .filter(({ name }) => listWords(code).includes(name))
      .flatMap(({ value }) => (value?.rest === "nothing" ? [value.text] : ["?"]));
    // More is said in files, or before anything else.
    const isHidden = parsed.options.some(({ name }) =>
      /^--(?:init-command|defaults-|plugin-dir|login-path)/.test(name),
    );
    return parsed.isLoose || isFile || isHidden ? plainly("unknown", call.name) : judgeSql(call, statements);
  };

/** Programs that talk to a service or a database. */
export const serviceRules: Programs = {
  "docker podman": docker,
  "docker-compose": {
    does: "unknown",
    options: "-fp=",
    subcommands: { "ps logs images top port version ls": "reads" },
  },
  kubectl,
  gh,
  helm: {
    does: "unknown",
    subcommands: {
      "list ls status get history show search version": "reads",
      "create package pull": "writes",
    },
  },
  sqlite3: sqlite,
  psql: sqlClient("-c --command", "-o --output -L --log-file"),
  mysql: sqlClient("-e --execute", "--tee"),
  aws: {
    does: "unknown",
    options: "--profile= --region= --output= --query= --endpoint-url=",
    subcommands: { s3: { does: "unknown", subcommands: { "ls presign": "reads", "cp mv sync": "writes" } } },
  },
  mysqldump: "reads -hPuS= -rT=! --result-file=! --tab=! --host= --user= --log-error!",
  pg_dump: "reads -f=! -dhpUnNtT= --file=! --dbname=",
};
