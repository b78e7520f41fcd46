import { type Argument, equals, exactly, isOutput } from "../argument.ts";
import { type Classification, quote, reads, unknown, worst, writes } from "../classification.ts";
import {
  findOption,
  findOptions,
  isOption,
  listWords,
  looks,
  type ParsedOptions,
  parseOptions,
} from "../options.ts";
import { type Call, type Programs, plainly, type Rule } from "../program.ts";

const tarLetters = "fCTXIFbHLKNVg";
const tarValues = `-${tarLetters} --file --directory --exclude --use-compress-program --to-command --checkpoint-action
  --info-script --rsh-command --files-from --exclude-from --transform --xform --newer --owner --group --mode --format
  --label --starting-file --suffix --volno-file --index-file`;
/** The lines of the file that `-T` names may be options. */
const tarRuns = `--to-command --checkpoint-action -I --use-compress-program -F --info-script --new-volume-script
  --rsh-command --rmt-command -T --files-from`;
const tarWrites = "-g --listed-incremental --index-file --remove-files --delete --volno-file";

const tar: Rule = (call) => {
  const [first, ...others] = call.args;
  // The letters may stand without their dash: `tar xzf a.tgz`.
  const isBundle = first !== undefined && /^[A-Za-z]+$/.test(first.text);
  const parsed = parseOptions(isBundle ? unbundle(first, others) : call.args, { values: tarValues });
  const running = findOption(parsed, tarRuns);
  // That program alone gets the content.
  if (running?.name.startsWith("--to-c") === true) return unknown("`tar --to-command` runs a program.");
  if (running !== undefined)
    return worst(judgeTar(call, parsed), unknown(`${quote(`tar ${running.name}`)} may run a program.`));
  const isRemote = findOptions(parsed, "-f --file").some(({ value }) => /^[^/]*:/.test(value?.text ?? ""));
  const found = judgeTar(call, parsed);
  return isRemote ? worst(found, unknown("`tar` starts a program to reach another machine.")) : found;
};

/** Gives each letter of an old-style bundle its dash and its value: the values follow in the same order. */
function unbundle({ text }: Argument, others: readonly Argument[]): readonly Argument[] {
  const waiting = [...others];
  const options = [...text].flatMap((letter) => {
    const value = tarLetters.includes(letter) ? waiting.shift() : undefined;
    return value === undefined ? [exactly(`-${letter}`)] : [exactly(`-${letter}`), value];
  });
  return [...options, ...waiting];
}

function judgeTar({ name }: Call, parsed: ParsedOptions): Classification {
  // `--list` is also the beginning of a longer name.
  const writing = findOptions(parsed, tarWrites).find(({ name: given }) => given !== "--list");
  if (writing !== undefined) return writes(`${quote(`tar ${writing.name}`)} changes files.`);
  if (parsed.isLoose) return plainly("unknown", name);
  if (findOption(parsed, "-x --extract --get") !== undefined)
    return looks(parsed, "-O --to-stdout")
      ? reads("`tar -xO` only prints.")
      : writes("`tar -x` writes the files of an archive.");
  if (findOption(parsed, "-c --create") !== undefined)
    return isPrinted(parsed) ? reads("`tar -c` prints the archive.") : writes("`tar -c` writes an archive.");
  const lists = findOption(parsed, "-t --list -d --diff --compare") !== undefined;
  return lists ? plainly("reads", name) : writes("`tar` changes an archive.");
}

function isPrinted(parsed: ParsedOptions): boolean {
  const files = findOptions(parsed, "-f --file");
  return files.length > 0 && files.every((file) => isOutput(file.value) && isOption(file));
}

/** The archive stands first; some options remove the packed files, or keep a log. */
const zip: Rule = ({ name, args }) => {
  const { operands, options, isLoose } = parseOptions(args, { values: "-xi" });
  const isPlain = options.every((option) => /^-[rqjyvDXxi0-9]$/.test(option.name));
  return plainly(equals(operands[0], "-") && isPlain && !isLoose ? "reads" : "writes", name);
};

/** Programs that change files and folders, or pack and unpack them. */
export const fileRules: Programs = {
  [`cp mv rm ln link unlink touch mkdir rmdir chmod chown chgrp truncate fallocate shred srm install mkfifo mknod scp
    setfacl setfattr chattr chflags mmv trash trash-put rmtrash gio-trash ditto ctags etags dos2unix unix2dos mac2unix
    mkfs mkfs.ext2 mkfs.ext3 mkfs.ext4 mkfs.xfs mkfs.btrfs mkfs.vfat mkswap swapon swapoff losetup umount
    useradd usermod userdel groupadd passwd visudo vipw update-alternatives logrotate
    ed ex vi vim nvim nano pico emacs micro joe kak hx helix sudoedit`]: "writes",
  "getfacl lsattr zipinfo": "reads",
  patch: `writes -pidrBDFYVzg= -o=! -C. --strip= --fuzz= --input= --output=! --reject-file= --ifdef=
    --prefix= --basename-prefix= --suffix= --version-control= --directory= --get= --quoting-style=
    --reject-format= --read-only= --dry-run. --check.`,
  rsync: `writes -e=? -fTBM@= -n. --rsh=? --rsync-path=? --exclude= --exclude-from= --include=
    --include-from= --filter= --files-from= --log-file=! --log-file-format= --backup-dir= --suffix=
    --chmod= --chown= --usermap= --groupmap= --block-size= --bwlimit= --temp-dir= --compare-dest=
    --copy-dest= --link-dest= --compress-choice= --compress-level= --skip-compress= --max-delete=
    --max-size= --min-size= --max-alloc= --partial-dir= --timeout= --contimeout= --modify-window=
    --port= --sockopts= --out-format= --password-file= --early-input= --only-write-batch=!
    --write-batch=! --read-batch= --protocol= --iconv= --checksum-choice= --checksum-seed= --info=
    --debug= --stderr= --remote-option= --address= --config= --outbuf= --stop-after= --stop-at=
    --copy-as= --zc= --cc= --zl= --dry-run. --list-only.`,
  rename: "writes -n. --nono. --no-act. --dry-run.",
  stow: "writes -dt= -n. --no. --simulate.",
  xattr: "reads -wdc!",
  gio: {
    does: "unknown",
    subcommands: {
      "cat info list tree version help": "reads",
      "copy mkdir move remove rename save set trash": "writes",
    },
  },
  defaults: ({ name, args }) => {
    const isRead = listWords("read read-type domains find help").some((word) => equals(args[0], word));
    return plainly(isRead ? "reads" : "writes", name);
  },
  "tar gtar bsdtar": tar,
  zip,
  // Compressors replace their files, unless they print or only look.
  "gzip gunzip bzip2 bunzip2 xz unxz lzma unlzma lz4 unlz4 zstd unzstd brotli compress uncompress": {
    does: "writes",
    bare: "reads",
    options: `-STMDFb= -o=! -clt. --suffix= --output=! --trace=! --rm! --output-dir-flat!
      --output-dir-mirror! --stdout. --to-stdout. --list. --test.`,
  },
  // The words behind the archive are names in it.
  unzip: { does: "writes", options: "-dxP= -ltpcZvz.", endsAtOperand: true },
  unrar: { does: "writes", subcommands: { "l lt lb v t p": "reads" } },
  "7z": { does: "writes", subcommands: { "l t i h b": "reads" } },
  ar: {
    does: "writes",
    takesOptionsAnywhere: true,
    options: "--plugin?",
    subcommands: { "t tv p pv": "reads" },
  },
  cpio: "writes -FO=! -EDHI= -ip! -to. --pass-through! --rsh-command? --list. --create.",
};
