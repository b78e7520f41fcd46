import { equals, isOutput } from "../argument.ts";
import { type Entry, judgeCall, type Program, type Programs, plainly, type Rule } from "../program.ts";

const inPlace: Entry = "reads -i! --in-place!";
const plugin: Entry = "reads --plugin=?";
const less: Program = {
  does: "reads",
  options: `-oO=! -bpPtTxyz= -k=? --log-file! --LOG-FILE! --cmd? --lesskey-file? --lesskey-content?
      --lesskey-src?`,
  // A word that begins with a plus is a command, and such a command may start a program.
  words: [[/^\+.*[!|#sv]/s, "unknown"]],
};

/** `bat cache` keeps its syntaxes. */
const bat: Rule = (call) =>
  judgeCall(
    equals(call.args[0], "cache")
      ? "unknown"
      : "reads --pager=? --config-file=? --generate-config-file! --lessopen?",
    call,
  );

/** Programs that read text and print what they make of it. */
export const textRules: Programs = {
  [`cat head tail wc grep egrep fgrep zgrep zegrep zfgrep cut tr paste join comm diff cmp nl tac rev fold fmt pr
    expand unexpand column od hexdump hd strings look tsort cksum sum md5sum sha1sum sha224sum sha256sum
    sha384sum sha512sum b2sum md5 shasum base32 basenc bc expr factor numfmt seq yes gron zcat bzcat xzcat zstdcat
    gzcat lzcat lz4cat zdiff zcmp tokei readelf size addr2line c++filt envsubst
    difft colordiff icdiff hexyl mdcat lsd exa eza more most`]: "reads",
  "csplit split": "writes",
  "sponge tee": { does: "reads", writesFrom: 0 },
  sort: `reads -kStT= -o=! --key= --field-separator= --buffer-size= --temporary-directory= --output=!
    --parallel= --sort= --compress-program?`,
  uniq: {
    does: "reads",
    options: "-fsw= --skip-fields= --skip-chars= --check-chars=",
    writesFrom: 1,
    printsToDash: true,
  },
  shuf: "reads -ni= -o=! --head-count= --output=!",
  iconv: { does: "reads", options: "-ft= -o=! --output=!", printsToDash: true },
  sdiff: "reads -Iw= -o=! --output=! --diff-program=?",
  diff3: "reads --diff-program=?",
  delta: "reads --pager? --config?",
  tree: "reads -LPI= -o=! -R?",
  xxd: { does: "reads", options: "-cglosnR=", writesFrom: 1, printsToDash: true },
  "nm objdump": plugin,
  xmllint: "reads -o=! --output=! --shell?",
  yq: "reads -Iopw= -s=! -i! --inplace! --in-place! --split-exp! --security-enable-system-operator?",
  // The original has no option to edit files; those that follow it have.
  jq: "reads -i! --in-place! -L=",
  tomlq: inPlace,
  ag: "reads --pager?",
  ack: "reads --pager? --ackrc?",
  rg: "reads -efgtTmjABCMEdr= --pre=? --regexp= --glob= --type= --hostname-bin=?",
  "less zless zmore": less,
  file: "reads -mfFPe= -C! --compile!",
  base64: "reads -o=! -wbi= --output!",
  cloc: `reads --out! --report-file! --sql! --write-lang-def! --counted! --found! --ignored! --categorized!
    --diff-alignment! --extract-with? --vcs? --config?`,
  scc: "reads -o=! -fies= --output!",
  xmlstarlet: "reads -L! --inplace!",
  pdftotext: ({ name, args }) => plainly(isOutput(args.at(-1)) ? "reads" : "writes", name),
  pandoc: {
    does: "reads",
    printsToDash: true,
    options: `-o=! -ftrwAHBcTVM= -FL=? -d? --output=! --from= --to= --filter=? --lua-filter=? --metadata=
      --template= --extract-media! --log! --defaults? --pdf-engine? --data-dir?`,
    // A reader or writer in Lua is a program.
    words: [[/\.lua(?:[-+]|$)/i, "unknown"]],
  },
  "bat batcat": bat,
  man: "reads -PCH=? -TMS= -Xu? --pager? --html? --config-file? --gxditview? --update?",
  info: "reads -o=! --output=! --dribble=!",
  fzf: "reads --history! --preview? --bind? --listen? --become? --with-shell?",
};
