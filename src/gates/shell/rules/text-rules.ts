import { equals, isOutput } from "../argument.ts";
import { byOptions } from "../by-options.ts";
import { nothing, unknown, worst } from "../classification.ts";
import { listed, plainly, type Rule, type Rules } from "../rule.ts";

const looking = byOptions({
  otherwise: "reads",
  short: "oObpPtTkxyz",
  writes: ["-o", "-O", "--log-file", "--LOG-FILE"],
  runs: ["-k", "--cmd", "--lesskey-file", "--lesskey-content", "--lesskey-src"],
});

/** A word that begins with a plus is a command for it, and such a command may start a program. */
const less: Rule = (call) => {
  const starts = call.args.some(({ text }) => /^\+.*[!|#sv]/s.test(text));
  return worst(looking(call), starts ? unknown("`less` is told to run a command.") : looking(call));
};

/** `bat cache` keeps what it shows texts with. */
const bat: Rule = (call) => {
  const found = showing(call);
  return equals(call.args[0], "cache") ? worst(found, plainly("unknown", call.name)) : found;
};
const showing = byOptions({
  otherwise: "reads",
  long: ["--pager", "--config-file"],
  runs: ["--pager", "--config-file", "--lessopen"],
  writes: ["--generate-config-file"],
});

/** A reader or writer of its own is a program. */
const pandoc: Rule = (call) => {
  const isOwn = call.args.some(({ text }) => /\.lua(?:[-+]|$)/i.test(text));
  return worst(converting(call), isOwn ? plainly("unknown", call.name) : nothing);
};
const converting = byOptions({
  otherwise: "reads",
  printsToDash: true,
  short: "oftrwFLAHBcTVM",
  long: ["--output", "--from", "--to", "--filter", "--lua-filter", "--metadata", "--template"],
  writes: ["-o", "--output", "--extract-media", "--log"],
  runs: ["-F", "--filter", "-L", "--lua-filter", "-d", "--defaults", "--pdf-engine", "--data-dir"],
});

/** Programs that read text and print what they make of it. */
export const textRules: Rules = {
  ...listed(
    "reads",
    `cat head tail wc grep egrep fgrep zgrep zegrep zfgrep cut tr paste join comm diff cmp nl tac rev fold fmt pr
     expand unexpand column od hexdump hd strings look tsort cksum sum md5sum sha1sum sha224sum sha256sum
     sha384sum sha512sum b2sum md5 shasum base32 basenc bc expr factor numfmt seq yes gron zcat bzcat xzcat zstdcat
     gzcat lzcat lz4cat zdiff zcmp tokei readelf size addr2line c++filt envsubst
     difft colordiff icdiff hexyl mdcat lsd exa eza`,
  ),
  sort: byOptions({
    otherwise: "reads",
    short: "kStTo",
    long: [
      "--key",
      "--field-separator",
      "--buffer-size",
      "--temporary-directory",
      "--output",
      "--parallel",
      "--sort",
    ],
    writes: ["-o", "--output"],
    runs: ["--compress-program"],
  }),
  uniq: byOptions({
    otherwise: "reads",
    short: "fsw",
    long: ["--skip-fields", "--skip-chars", "--check-chars"],
    writesFrom: 1,
    printsToDash: true,
  }),
  shuf: byOptions({
    otherwise: "reads",
    short: "nio",
    long: ["--head-count", "--output"],
    writes: ["-o", "--output"],
  }),
  iconv: byOptions({
    otherwise: "reads",
    printsToDash: true,
    short: "fto",
    long: ["--output"],
    writes: ["-o", "--output"],
  }),
  sdiff: byOptions({
    otherwise: "reads",
    short: "Iow",
    long: ["--output", "--diff-program"],
    writes: ["-o", "--output"],
    runs: ["--diff-program"],
  }),
  diff3: byOptions({ otherwise: "reads", long: ["--diff-program"], runs: ["--diff-program"] }),
  delta: byOptions({ otherwise: "reads", runs: ["--pager", "--config"] }),
  tree: byOptions({ otherwise: "reads", short: "LPIo", writes: ["-o"], runs: ["-R"] }),
  xxd: byOptions({
    otherwise: "reads",
    short: "cglosnR",
    writesFrom: 1,
    printsToDash: true,
  }),
  nm: byOptions({ otherwise: "reads", long: ["--plugin"], runs: ["--plugin"] }),
  objdump: byOptions({ otherwise: "reads", long: ["--plugin"], runs: ["--plugin"] }),
  xmllint: byOptions({
    otherwise: "reads",
    runs: ["--shell"],
    long: ["--output"],
    writes: ["--output", "-o"],
    short: "o",
  }),
  yq: byOptions({
    otherwise: "reads",
    short: "Iopsw",
    writes: ["-i", "--inplace", "--in-place", "-s", "--split-exp"],
    runs: ["--security-enable-system-operator"],
  }),
  // The original has no such option; those that follow it edit files with it.
  jq: byOptions({ otherwise: "reads", short: "L", writes: ["-i", "--in-place"] }),
  tomlq: byOptions({ otherwise: "reads", writes: ["-i", "--in-place"] }),
  ag: byOptions({ otherwise: "reads", runs: ["--pager"] }),
  ack: byOptions({ otherwise: "reads", runs: ["--pager", "--ackrc"] }),
  rg: byOptions({
    otherwise: "reads",
    short: "efgtTmjABCMEdr",
    long: ["--pre", "--regexp", "--glob", "--type", "--hostname-bin"],
    runs: ["--pre", "--hostname-bin"],
  }),
  less,
  zless: less,
  zmore: less,
  ...listed("reads", "more most"),
  file: byOptions({ otherwise: "reads", short: "mfFPe", writes: ["-C", "--compile"] }),
  base64: byOptions({ otherwise: "reads", short: "owbi", writes: ["-o", "--output"] }),
  cloc: byOptions({
    otherwise: "reads",
    writes: [
      "--out",
      "--report-file",
      "--sql",
      "--write-lang-def",
      "--counted",
      "--found",
      "--ignored",
      "--categorized",
      "--diff-alignment",
    ],
    runs: ["--extract-with", "--vcs", "--config"],
  }),
  scc: byOptions({ otherwise: "reads", short: "ofies", writes: ["-o", "--output"] }),
  xmlstarlet: byOptions({ otherwise: "reads", writes: ["-L", "--inplace"] }),
  pdftotext: (call) => plainly(isOutput(call.args.at(-1)) ? "reads" : "writes", call.name),
  pandoc,
  bat,
  batcat: bat,
  man: byOptions({
    otherwise: "reads",
    short: "PCHTMS",
    attached: "",
    runs: ["-P", "--pager", "-H", "--html", "-C", "--config-file", "-X", "--gxditview", "-u", "--update"],
  }),
  info: byOptions({
    otherwise: "reads",
    short: "o",
    long: ["--output", "--dribble"],
    writes: ["-o", "--output", "--dribble"],
  }),
  fzf: byOptions({
    otherwise: "reads",
    writes: ["--history"],
    runs: ["--preview", "--bind", "--listen", "--become", "--with-shell"],
  }),
  csplit: () => ({ verdict: "writes", why: "`csplit` writes the pieces to files." }),
  split: () => ({ verdict: "writes", why: "`split` writes the pieces to files." }),
  sponge: byOptions({ otherwise: "reads", writesFrom: 0 }),
  tee: byOptions({ otherwise: "reads", writesFrom: 0 }),
};
