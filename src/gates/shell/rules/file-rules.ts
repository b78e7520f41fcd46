import { equals } from "../argument.ts";
import { byOptions } from "../by-options.ts";
import { bySubcommand } from "../by-subcommand.ts";
import { listed, plainly, type Rules } from "../rule.ts";

const rsyncValues =
  `rsh rsync-path exclude exclude-from include include-from filter files-from log-file log-file-format
  backup-dir suffix chmod chown usermap groupmap block-size bwlimit temp-dir compare-dest copy-dest link-dest compress-choice
  compress-level skip-compress max-delete max-size min-size max-alloc partial-dir timeout contimeout modify-window port
  sockopts out-format password-file early-input only-write-batch write-batch read-batch protocol iconv checksum-choice
  checksum-seed info debug stderr remote-option address config outbuf stop-after stop-at copy-as zc cc zl`
    .split(/\s+/)
    .map((name) => `--${name}`);

/** Programs that change files, folders and what is noted about them. */
export const fileRules: Rules = {
  ...listed(
    "writes",
    `cp mv rm ln link unlink touch mkdir rmdir chmod chown chgrp truncate fallocate shred srm install mkfifo mknod
     setfacl setfattr chattr chflags mmv trash trash-put rmtrash gio-trash ditto ctags etags dos2unix unix2dos mac2unix
     mkfs mkfs.ext2 mkfs.ext3 mkfs.ext4 mkfs.xfs mkfs.btrfs mkfs.vfat mkswap swapon swapoff losetup umount useradd usermod userdel groupadd passwd visudo vipw update-alternatives
     ed ex vi vim nvim nano pico emacs micro joe kak hx helix sudoedit logrotate`,
  ),
  ...listed("unknown", "view code cursor subl open xdg-open"),
  patch: byOptions({
    otherwise: "writes",
    short: "pidorBDFYVzg",
    long: [
      "--strip",
      "--fuzz",
      "--input",
      "--output",
      "--reject-file",
      "--ifdef",
      "--prefix",
      "--basename-prefix",
      "--suffix",
      "--version-control",
      "--directory",
      "--get",
      "--quoting-style",
      "--reject-format",
      "--read-only",
    ],
    // The result is written there in a dry run too.
    writes: ["-o", "--output"],
    reads: ["--dry-run", "-C", "--check"],
  }),
  rsync: byOptions({
    otherwise: "writes",
    short: "efTBM@",
    long: rsyncValues,
    writes: ["--log-file", "--write-batch", "--only-write-batch"],
    runs: ["-e", "--rsh", "--rsync-path"],
    reads: ["-n", "--dry-run", "--list-only"],
  }),
  rename: byOptions({ otherwise: "writes", reads: ["-n", "--nono", "--no-act", "--dry-run"] }),
  scp: byOptions({ otherwise: "writes" }),
  sftp: byOptions({ otherwise: "unknown" }),
  gio: bySubcommand({
    bare: "reads",
    otherwise: "unknown",
    subcommands: {
      ...listed("reads", "cat info list tree version help"),
      ...listed("writes", "copy mkdir move remove rename save set trash"),
    },
  }),
  xattr: byOptions({ otherwise: "reads", writes: ["-w", "-d", "-c"] }),
  getfacl: byOptions({ otherwise: "reads" }),
  lsattr: byOptions({ otherwise: "reads" }),
  stow: byOptions({ otherwise: "writes", short: "dt", reads: ["-n", "--no", "--simulate"] }),
  defaults: ({ name, args }) =>
    plainly(
      ["read", "read-type", "domains", "find", "help"].some((word) => equals(args[0], word))
        ? "reads"
        : "writes",
      name,
    ),
};
