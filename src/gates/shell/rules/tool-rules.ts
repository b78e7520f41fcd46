import { equals } from "../argument.ts";
import { byOptions } from "../by-options.ts";
import { bySubcommand } from "../by-subcommand.ts";
import { always, listed, plainly, type Rule, type Rules } from "../rule.ts";

const fixing = byOptions({
  otherwise: "unknown",
  short: "co",
  long: ["--config", "--output-file"],
  writes: ["--fix", "-o", "--output-file", "--cache"],
  reads: ["-v", "-h", "--env-info"],
});
const formatting = (more: readonly string[] = [], short = "clt"): Rule =>
  byOptions({
    otherwise: "writes",
    short,
    long: [
      "--config",
      "--line-length",
      "--target-version",
      "--profile",
      "--settings-path",
      "--exclude",
      "--include",
    ],
    reads: ["--check", "--diff", ...more],
  });

/** Biome reads no code of the project, so that only these options let it write. */
const biome = bySubcommand({
  bare: "reads",
  otherwise: "unknown",
  subcommands: {
    ...Object.fromEntries(
      ["check", "format", "lint", "ci"].map((name) => [
        name,
        byOptions({
          otherwise: "reads",
          writes: ["--write", "--fix", "--apply", "--apply-unsafe", "--unsafe", "--suppress"],
        }),
      ]),
    ),
    ...listed("reads", "explain rage version search"),
    ...listed("writes", "init migrate"),
  },
});

const ruff = bySubcommand({
  bare: "reads",
  otherwise: "unknown",
  subcommands: {
    check: byOptions({
      otherwise: "unknown",
      writes: ["--fix", "--fix-only", "--add-noqa", "-o", "--output-file"],
      short: "o",
    }),
    format: formatting(),
    ...listed("reads", "rule config linter version help"),
    clean: always("writes"),
  },
});

const compiling = byOptions({
  otherwise: "writes",
  short: "p",
  long: ["--project"],
  writes: ["--init"],
  reads: ["-v", "-h", "--showConfig", "--listFilesOnly", "--all"],
});

/** With `--noEmit` it may still note down what it has checked. */
const tsc: Rule = (call) =>
  call.args.some(({ text }) => /^--?noemit$/i.test(text)) ? plainly("unknown", call.name) : compiling(call);

/** Compilers write what they make, unless they only print or look at the code. */
const compiler: Rule = ({ name, args }) => {
  const looks = args.some((word) => equals(word, "-E") || equals(word, "-fsyntax-only"));
  // Whatever else names a file, a plugin or other options may write.
  const isPlain = args.every(
    ({ text, rest }) => rest === "nothing" && /^(?:[^-@]|-(?:E|fsyntax-only|[IDUW][^,]*|std=.*)$)/.test(text),
  );
  return plainly(looks && isPlain ? "reads" : "writes", name);
};

const terraform = bySubcommand({
  bare: "reads",
  otherwise: "unknown",
  hasOneDash: true,
  runs: ["-chdir"],
  subcommands: {
    ...listed("reads", "version"),
    ...listed("writes", "init get"),
    fmt: byOptions({ otherwise: "writes", hasOneDash: true, reads: ["-check"] }),
  },
});

/** Tools that come with a project, and are found through `npx` too. */
const tools: Rules = {
  tsc,
  biome,
  prettier: byOptions({
    otherwise: "unknown",
    writes: ["-w", "--write", "--cache"],
    reads: ["--support-info", "--find-config-path", "--file-info"],
  }),
  eslint: fixing,
  stylelint: fixing,
  oxlint: fixing,
  standard: fixing,
  markdownlint: byOptions({ otherwise: "unknown", writes: ["-f", "--fix", "-o", "--output"] }),
  oxfmt: formatting(),
  dprint: bySubcommand({
    bare: "reads",
    otherwise: "unknown",
    subcommands: { ...listed("reads", "check help"), ...listed("writes", "fmt init add config") },
  }),
  ...listed(
    "unknown",
    "vitest jest mocha ava tap playwright cypress vite webpack rollup esbuild tsup turbo nx lerna knip tsx ts-node nodemon",
  ),
};

/** The names of those tools. */
export const projectTools: ReadonlySet<string> = new Set(Object.keys(tools));

/** Compilers, formatters and checkers. */
export const toolRules: Rules = {
  ...tools,
  black: formatting(),
  isort: formatting(["--check-only", "-c", "--show-files"], "lswdpofbtiam"),
  yapf: byOptions({ otherwise: "reads", writes: ["-i", "--in-place"], short: "el" }),
  autopep8: byOptions({ otherwise: "reads", writes: ["-i", "--in-place"] }),
  ruff,
  gofmt: byOptions({
    otherwise: "reads",
    short: "r",
    writes: ["-w"],
    hasOneDash: true,
    long: ["-r"],
    runs: ["-cpuprofile"],
  }),
  goimports: byOptions({ otherwise: "reads", writes: ["-w"], hasOneDash: true }),
  rustfmt: byOptions({
    otherwise: "writes",
    long: ["--edition", "--emit", "--config", "--config-path"],
    bare: "reads",
    reads: ["--check", "--print-config"],
  }),
  "clang-format": byOptions({ otherwise: "reads", writes: ["-i", "--i"] }),
  shfmt: byOptions({ otherwise: "reads", short: "i", writes: ["-w", "--write"] }),
  shellcheck: always("reads"),
  hadolint: always("reads"),
  yamllint: always("reads"),
  actionlint: byOptions({ otherwise: "reads", runs: ["-shellcheck", "-pyflakes"], hasOneDash: true }),
  rubocop: byOptions({
    otherwise: "unknown",
    writes: ["-a", "-A", "--autocorrect", "--autocorrect-all", "--auto-gen-config"],
  }),
  rustc: byOptions({
    otherwise: "writes",
    // Given a file it compiles that, whatever it is asked to print.
    bare: "reads",
    short: "oLlCAWDFZ",
    long: [
      "--print",
      "--emit",
      "--out-dir",
      "--crate-name",
      "--crate-type",
      "--edition",
      "--target",
      "--cfg",
    ],
    writes: ["-o"],
    reads: ["-V", "--explain"],
  }),
  ...Object.fromEntries("gcc g++ cc c++ clang clang++".split(" ").map((name) => [name, compiler])),
  autoflake: byOptions({ otherwise: "unknown", writes: ["-i", "--in-place"] }),
  "clang-tidy": byOptions({
    otherwise: "unknown",
    writes: ["--fix", "-fix", "--fix-errors", "--fix-notes", "--export-fixes"],
    hasOneDash: true,
  }),
  "golangci-lint": byOptions({ otherwise: "unknown", writes: ["--fix"] }),
  gpg: byOptions({
    otherwise: "unknown",
    short: "oru",
    long: ["--output", "--recipient", "--local-user"],
    writes: ["-o", "--output", "-c", "--symmetric", "-e", "--encrypt", "-s", "--sign", "-b", "--import"],
  }),
  dot: byOptions({ otherwise: "reads", short: "oTKGNEsln", writes: ["-o", "-O", "-c"] }),
  ffprobe: byOptions({ otherwise: "reads", hasOneDash: true, long: ["-o"], writes: ["-o", "-report"] }),
  exiftool: ({ name, args }) =>
    plainly(
      args.some(({ text }) => /=|^-(?:o|w|delete_|overwrite_|tagsfromfile)/i.test(text))
        ? "writes"
        : "unknown",
      name,
    ),
  terraform,
  tofu: terraform,
  ...listed(
    "writes",
    "latexmk lualatex sphinx-build ranlib unar ld as strip objcopy javac protoc latex pdflatex xelatex convert magick ffmpeg",
  ),
  ...listed(
    "unknown",
    "pytest py.test mypy pyright flake8 pylint rspec phpunit phpstan java kotlin pre-commit act ansible ansible-playbook pulumi vagrant",
  ),
};
