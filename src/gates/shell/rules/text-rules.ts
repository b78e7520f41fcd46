import { isOutput } from "../argument.ts";
import { type Program, type Programs, plainly } from "../program.ts";

const inPlace: Program = { does: "reads", writes: "-i --in-place" };
const plugin: Program = { does: "reads", values: "--plugin", runs: "--plugin" };
const less: Program = {
  does: "reads",
  values: "-oObpPtTkxyz",
  writes: "-o -O --log-file --LOG-FILE",
  runs: "-k --cmd --lesskey-file --lesskey-content --lesskey-src",
  // A word that begins with a plus is a command, and such a command may start a program.
  words: [[/^\+.*[!|#sv]/s, "unknown"]],
};

/** Programs that read text and print what they make of it. */
export const textRules: Programs = {
  [`cat head tail wc grep egrep fgrep zgrep zegrep zfgrep cut tr paste join comm diff cmp nl tac rev fold fmt pr
    expand unexpand column od hexdump hd strings look tsort cksum sum md5sum sha1sum sha224sum sha256sum
    sha384sum sha512sum b2sum md5 shasum base32 basenc bc expr factor numfmt seq yes gron zcat bzcat xzcat zstdcat
    gzcat lzcat lz4cat zdiff zcmp tokei readelf size addr2line c++filt envsubst
    difft colordiff icdiff hexyl mdcat lsd exa eza more most`]: "reads",
  "csplit split": "writes",
  "sponge tee": { does: "reads", writesFrom: 0 },
  sort: {
    does: "reads",
    values: "-kStTo --key --field-separator --buffer-size --temporary-directory --output --parallel --sort",
    writes: "-o --output",
    runs: "--compress-program",
  },
  uniq: {
    does: "reads",
    values: "-fsw --skip-fields --skip-chars --check-chars",
    writesFrom: 1,
    printsToDash: true,
  },
  shuf: { does: "reads", values: "-nio --head-count --output", writes: "-o --output" },
  iconv: { does: "reads", values: "-fto --output", printsToDash: true, writes: "-o --output" },
  sdiff: {
    does: "reads",
    values: "-Iow --output --diff-program",
    writes: "-o --output",
    runs: "--diff-program",
  },
  diff3: { does: "reads", values: "--diff-program", runs: "--diff-program" },
  delta: { does: "reads", runs: "--pager --config" },
  tree: { does: "reads", values: "-LPIo", writes: "-o", runs: "-R" },
  xxd: { does: "reads", values: "-cglosnR", writesFrom: 1, printsToDash: true },
  "nm objdump": plugin,
  xmllint: { does: "reads", values: "-o --output", writes: "-o --output", runs: "--shell" },
  yq: {
    does: "reads",
    values: "-Iopsw",
    writes: "-i --inplace --in-place -s --split-exp",
    runs: "--security-enable-system-operator",
  },
  // The original has no option to edit files; those that follow it have.
  jq: { ...inPlace, values: "-L" },
  tomlq: inPlace,
  ag: { does: "reads", runs: "--pager" },
  ack: { does: "reads", runs: "--pager --ackrc" },
  rg: {
    does: "reads",
    values: "-efgtTmjABCMEdr --pre --regexp --glob --type --hostname-bin",
    runs: "--pre --hostname-bin",
  },
  "less zless zmore": less,
  file: { does: "reads", values: "-mfFPe", writes: "-C --compile" },
  base64: { does: "reads", values: "-owbi", writes: "-o --output" },
  cloc: {
    does: "reads",
    writes: `--out --report-file --sql --write-lang-def --counted --found --ignored --categorized
      --diff-alignment`,
    runs: "--extract-with --vcs --config",
  },
  scc: { does: "reads", values: "-ofies", writes: "-o --output" },
  xmlstarlet: { does: "reads", writes: "-L --inplace" },
  pdftotext: ({ name, args }) => plainly(isOutput(args.at(-1)) ? "reads" : "writes", name),
  pandoc: {
    does: "reads",
    printsToDash: true,
    values: `-oftrwFLAHBcTVM --output --from --to --filter --lua-filter --metadata --template`,
    writes: "-o --output --extract-media --log",
    runs: "-F --filter -L --lua-filter -d --defaults --pdf-engine --data-dir",
    // A reader or writer in Lua is a program.
    words: [[/\.lua(?:[-+]|$)/i, "unknown"]],
  },
  "bat batcat": {
    does: "reads",
    values: "--pager --config-file",
    runs: "--pager --config-file --lessopen",
    writes: "--generate-config-file",
    // `bat cache` keeps its syntaxes.
    words: [[/^cache$/, "unknown"]],
  },
  man: {
    does: "reads",
    values: "-PCHTMS",
    runs: "-P --pager -H --html -C --config-file -X --gxditview -u --update",
  },
  info: { does: "reads", values: "-o --output --dribble", writes: "-o --output --dribble" },
  fzf: { does: "reads", writes: "--history", runs: "--preview --bind --listen --become --with-shell" },
};
