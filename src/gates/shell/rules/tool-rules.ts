import { equals } from "../argument.ts";
import { indexPrograms, judgeCall, type Program, type Programs, plainly, type Rule } from "../program.ts";

const fixing: Program = {
  does: "unknown",
  values: "-co --config --output-file",
  writes: "--fix -o --output-file --cache",
  reads: "-v -h --env-info",
};
const formatValues = "--config --line-length --target-version --profile --settings-path --exclude --include";
const formatting: Program = { does: "writes", values: `-clt ${formatValues}`, reads: "--check --diff" };
const inPlace: Program = { does: "reads", writes: "-i --in-place" };

/** Biome reads no code of the project, so that only these options let it write. */
const biome: Program = {
  does: "unknown",
  subcommands: {
    "check format lint ci": {
      does: "reads",
      writes: "--write --fix --apply --apply-unsafe --unsafe --suppress",
    },
    "explain rage version search": "reads",
    "init migrate": "writes",
  },
};

const ruff: Program = {
  does: "unknown",
  subcommands: {
    check: { does: "unknown", values: "-o", writes: "--fix --fix-only --add-noqa -o --output-file" },
    format: formatting,
    "rule config linter version help": "reads",
    clean: "writes",
  },
};

const compiling: Program = {
  does: "writes",
  values: "-p --project",
  writes: "--init",
  reads: "-v -h --showConfig --listFilesOnly --all",
};

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
  prettier: {
    does: "unknown",
    writes: "-w --write --cache",
    reads: "--support-info --find-config-path --file-info",
  },
  "eslint stylelint oxlint standard": fixing,
  markdownlint: { does: "unknown", writes: "-f --fix -o --output" },
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
    ...formatting,
    values: `-lswdpofbtiam ${formatValues}`,
    reads: "--check --diff --check-only -c --show-files",
  },
  yapf: { ...inPlace, values: "-el" },
  autopep8: inPlace,
  autoflake: { ...inPlace, does: "unknown" },
  ruff,
  gofmt: { does: "reads", values: "-r", writes: "-w", hasOneDash: true, runs: "-cpuprofile" },
  goimports: { does: "reads", writes: "-w", hasOneDash: true },
  rustfmt: {
    does: "writes",
    values: "--edition --emit --config --config-path",
    bare: "reads",
    reads: "--check --print-config",
  },
  "clang-format": { does: "reads", writes: "-i --i" },
  "clang-tidy": {
    does: "unknown",
    writes: "--fix -fix --fix-errors --fix-notes --export-fixes",
    hasOneDash: true,
  },
  shfmt: { does: "reads", values: "-i", writes: "-w --write" },
  actionlint: { does: "reads", runs: "-shellcheck -pyflakes", hasOneDash: true },
  rubocop: { does: "unknown", writes: "-a -A --autocorrect --autocorrect-all --auto-gen-config" },
  "golangci-lint": { does: "unknown", writes: "--fix" },
  rustc: {
    does: "writes",
    // Given a file it compiles that, whatever it is asked to print.
    bare: "reads",
    values: `-oLlCAWDFZ --print --emit --out-dir --crate-name --crate-type --edition --target --cfg`,
    writes: "-o",
    reads: "-V --explain",
  },
  gpg: {
    does: "unknown",
    values: "-oru --output --recipient --local-user",
    writes: "-o --output -c --symmetric -e --encrypt -s --sign -b --import",
  },
  dot: { does: "reads", values: "-oTKGNEsln", writes: "-o -O -c" },
  ffprobe: { does: "reads", hasOneDash: true, values: "-o", writes: "-o -report" },
  exiftool: { does: "unknown", words: [[/=|^-(?:o|w|delete_|overwrite_|tagsfromfile)/i, "writes"]] },
  "terraform tofu": {
    does: "unknown",
    hasOneDash: true,
    runs: "-chdir",
    subcommands: {
      version: "reads",
      "init get": "writes",
      fmt: { does: "writes", hasOneDash: true, reads: "-check" },
    },
  },
};
