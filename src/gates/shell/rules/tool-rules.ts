import { equals } from "../argument.ts";
import {
  type Entry,
  indexPrograms,
  judgeCall,
  type Program,
  type Programs,
  plainly,
  type Rule,
} from "../program.ts";

const fixing: Entry = "unknown -c= -o=! -vh. --config= --output-file=! --fix! --cache! --env-info.";
const formatValues =
  "--config= --line-length= --target-version= --profile= --settings-path= --exclude= --include=";
const formatting: Program = { does: "writes", options: `-clt= ${formatValues} --check. --diff.` };
const inPlace: Entry = "reads -i! --in-place!";

/** Biome reads no code of the project, so that only these options let it write. */
const biome: Program = {
  does: "unknown",
  subcommands: {
    "check format lint ci": "reads --write! --fix! --apply! --apply-unsafe! --unsafe! --suppress!",
    "explain rage version search": "reads",
    "init migrate": "writes",
  },
};

const ruff: Program = {
  does: "unknown",
  subcommands: {
    check: "unknown -o=! --fix! --fix-only! --add-noqa! --output-file!",
    format: formatting,
    "rule config linter version help": "reads",
    clean: "writes",
  },
};

const compiling: Entry = "writes -p= -vh. --project= --init! --showConfig. --listFilesOnly. --all.";

/** With `--noEmit` it may still write its build information. */
const tsc: Rule = (call) =>
  judgeCall(call.args.some(({ text }) => /^--?noemit$/i.test(text)) ? "unknown" : compiling, call);

/** Compilers write what they make, unless they only print or look at the code. */
const compiler: Rule = ({ name, args }) => {
  const looks = args.some((word) => equals(word, "-E") || equals(word, "-fsyntax-only"));
  // Any other option that names a file, a plugin or further options may write.
  const isPlain = args.every(
    ({ text, rest }) => rest === "nothing" && /^(?:[^-@]|-(?:E|fsyntax-only|[IDUW][^,]*|std=.*)$)/.test(text),
  );
  return plainly(looks && isPlain ? "reads" : "writes", name);
};

/** Tools that come with a project, and are found through `npx` too. */
const tools: Programs = {
  tsc,
  biome,
  prettier: "unknown -w! --write! --cache! --support-info. --find-config-path. --file-info.",
  "eslint stylelint oxlint standard": fixing,
  markdownlint: "unknown -fo! --fix! --output!",
  oxfmt: formatting,
  dprint: { does: "unknown", subcommands: { "check help": "reads", "fmt init add config": "writes" } },
};

/** The names of those tools. */
export const projectTools: ReadonlySet<string> = new Set(indexPrograms(tools).keys());

/** Compilers, formatters and checkers. */
export const toolRules: Programs = {
  ...tools,
  "shellcheck hadolint yamllint": "reads",
  "latexmk lualatex sphinx-build ranlib unar ld as strip objcopy javac protoc latex pdflatex xelatex":
    "writes",
  "convert magick ffmpeg": "writes",
  "gcc g++ cc c++ clang clang++": compiler,
  black: formatting,
  isort: {
    does: "writes",
    options: `-lswdpofbtiam= ${formatValues} --check. --diff. --check-only. -c. --show-files.`,
  },
  yapf: "reads -i! --in-place! -el=",
  autopep8: inPlace,
  autoflake: "unknown -i! --in-place!",
  ruff,
  gofmt: { does: "reads", options: "-r= -w! -cpuprofile?", hasOneDash: true },
  goimports: { does: "reads", options: "-w!", hasOneDash: true },
  rustfmt: {
    does: "writes",
    options: "--edition= --emit= --config= --config-path= --check. --print-config.",
    bare: "reads",
  },
  "clang-format": "reads -i! --i!",
  "clang-tidy": {
    does: "unknown",
    options: "--fix! -fix! --fix-errors! --fix-notes! --export-fixes!",
    hasOneDash: true,
  },
  shfmt: "reads -i= -w! --write!",
  actionlint: { does: "reads", options: "-shellcheck? -pyflakes?", hasOneDash: true },
  rubocop: "unknown -aA! --autocorrect! --autocorrect-all! --auto-gen-config!",
  "golangci-lint": "unknown --fix!",
  rustc: {
    does: "writes",
    // Given a file it compiles that, whatever it is asked to print.
    bare: "reads",
    options: `-o=! -LlCAWDFZ= -V. --print= --emit= --out-dir= --crate-name= --crate-type= --edition=
      --target= --cfg= --explain.`,
  },
  gpg: `unknown -o=! -ru= -cesb! --output=! --recipient= --local-user= --symmetric! --encrypt! --sign!
    --import!`,
  dot: "reads -o=! -TKGNEsln= -Oc!",
  ffprobe: { does: "reads", hasOneDash: true, options: "-o=! -report!" },
  exiftool: { does: "unknown", words: [[/=|^-(?:o|w|delete_|overwrite_|tagsfromfile)/i, "writes"]] },
  "terraform tofu": {
    does: "unknown",
    hasOneDash: true,
    options: "-chdir?",
    subcommands: {
      version: "reads",
      "init get": "writes",
      fmt: { does: "writes", hasOneDash: true, options: "-check." },
    },
  },
};
