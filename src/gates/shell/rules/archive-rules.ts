import { type Argument, equals, exactly, isOutput } from "../argument.ts";
import { byOptions, type OptionSpec } from "../by-options.ts";
import { bySubcommand } from "../by-subcommand.ts";
import { type Classification, quote, reads, unknown, worst, writes } from "../classification.ts";
import { isOption, looks } from "../looking.ts";
import { findOption, findOptions, type ParsedOptions, parseOptions } from "../options.ts";
import { type Call, listed, plainly, type Rule, type Rules } from "../rule.ts";

const tarShape = {
  short: "fCTXIFbHLKNVg",
  long: [
    "--file",
    "--directory",
    "--exclude",
    "--use-compress-program",
    "--to-command",
    "--checkpoint-action",
    "--info-script",
    "--rsh-command",
    "--files-from",
    "--exclude-from",
    "--transform",
    "--xform",
    "--newer",
    "--owner",
    "--group",
    "--mode",
    "--format",
    "--label",
    "--starting-file",
    "--suffix",
    "--volno-file",
    "--index-file",
  ],
};
const tarRuns = [
  "--to-command",
  "--checkpoint-action",
  "-I",
  "--use-compress-program",
  "-F",
  "--info-script",
  "--new-volume-script",
  "--rsh-command",
  "--rmt-command",
  // Its lines may be options.
  "-T",
  "--files-from",
];

const tar: Rule = (call) => {
  const [first, ...others] = call.args;
  // The letters may stand without their dash: `tar xzf a.tgz`.
  const isBundle = first !== undefined && /^[A-Za-z]+$/.test(first.text);
  const args = isBundle ? unbundle(first, others) : call.args;
  const parsed = parseOptions(args, tarShape);
  const running = findOption(parsed, tarRuns);
  // What it unpacks goes to that program alone.
  if (running?.name.startsWith("--to-c") === true) return unknown("`tar --to-command` runs a program.");
  if (running !== undefined)
    return worst(judgeTar(call, parsed), unknown(`${quote(`tar ${running.name}`)} may run a program.`));
  const isRemote = findOptions(parsed, ["-f", "--file"]).some(({ value }) =>
    /^[^/]*:/.test(value?.text ?? ""),
  );
  if (isRemote)
    return worst(judgeTar(call, parsed), unknown("`tar` starts a program to reach another machine."));
  return judgeTar(call, parsed);
};

/** Gives each letter of an old-style bundle its dash and its value: the values follow in the same order. */
function unbundle({ text }: Argument, others: readonly Argument[]): readonly Argument[] {
  const waiting = [...others];
  const options = [...text].flatMap((letter) => {
    const value = tarShape.short.includes(letter) ? waiting.shift() : undefined;
    return value === undefined ? [exactly(`-${letter}`)] : [exactly(`-${letter}`), value];
  });
  return [...options, ...waiting];
}

const tarWrites = [
  "-g",
  "--listed-incremental",
  "--index-file",
  "--remove-files",
  "--delete",
  "--volno-file",
];

function judgeTar({ name }: Call, parsed: ParsedOptions): Classification {
  // `--list` is also the beginning of a longer name.
  const writing = findOptions(parsed, tarWrites).find(({ name: given }) => given !== "--list");
  if (writing !== undefined) return writes(`${quote(`tar ${writing.name}`)} changes files.`);
  if (parsed.isLoose) return plainly("unknown", name);
  if (findOption(parsed, ["-x", "--extract", "--get"]) !== undefined)
    return looks(parsed, ["-O", "--to-stdout"])
      ? reads("`tar -xO` only prints.")
      : writes("`tar -x` writes what it unpacks.");
  if (findOption(parsed, ["-c", "--create"]) !== undefined)
    return isPrinted(parsed) ? reads("`tar -c` prints the archive.") : writes("`tar -c` writes an archive.");
  if (findOption(parsed, ["-t", "--list", "-d", "--diff", "--compare"]) !== undefined)
    return plainly("reads", name);
  return writes("`tar` changes an archive.");
}

function isPrinted(parsed: ParsedOptions): boolean {
  const files = findOptions(parsed, ["-f", "--file"]);
  return files.length > 0 && files.every((file) => isOutput(file.value) && isOption(file));
}

/** Compressors replace their files, unless they print or only look. */
const compressor = (more: Partial<OptionSpec> = {}): Rule =>
  byOptions({
    otherwise: "writes",
    bare: "reads",
    reads: ["-c", "--stdout", "--to-stdout", "-l", "--list", "-t", "--test"],
    ...more,
  });

/** Programs that pack and unpack. */
export const archiveRules: Rules = {
  tar,
  gtar: tar,
  bsdtar: tar,
  ...Object.fromEntries(
    "gzip gunzip bzip2 bunzip2 xz unxz lzma unlzma lz4 unlz4 zstd unzstd brotli compress uncompress"
      .split(" ")
      .map((name) => [
        name,
        compressor({
          short: "SoTMDFb",
          long: ["--suffix", "--output", "--trace"],
          writes: ["-o", "--output", "--rm", "--trace", "--output-dir-flat", "--output-dir-mirror"],
        }),
      ]),
  ),
  // What stands behind the archive are names in it.
  unzip: byOptions({
    otherwise: "writes",
    short: "dxP",
    endsAtOperand: true,
    reads: ["-l", "-t", "-p", "-c", "-Z", "-v", "-z"],
  }),
  zipinfo: byOptions({ otherwise: "reads" }),
  // The archive stands first; some options remove what was packed, or keep a log.
  zip: ({ name, args }) => {
    const { operands, options, isLoose } = parseOptions(args, { short: "xi" });
    const isPlain = options.every((option) => /^-[rqjyvDXxi0-9]$/.test(option.name));
    return plainly(equals(operands[0], "-") && isPlain && !isLoose ? "reads" : "writes", name);
  },
  unrar: bySubcommand({ bare: "reads", otherwise: "writes", subcommands: listed("reads", "l lt lb v t p") }),
  "7z": bySubcommand({ bare: "reads", otherwise: "writes", subcommands: listed("reads", "l t i h b") }),
  ar: bySubcommand({
    bare: "reads",
    otherwise: "writes",
    takesOptionsAnywhere: true,
    runs: ["--plugin"],
    subcommands: listed("reads", "t tv p pv"),
  }),
  cpio: byOptions({
    otherwise: "writes",
    short: "FEDHIO",
    reads: ["-t", "--list", "-o", "--create"],
    writes: ["-F", "-O", "-i", "-p", "--pass-through"],
    runs: ["--rsh-command"],
  }),
};
