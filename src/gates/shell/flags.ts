/** Long options that take no value, whatever the program. */
const flags: ReadonlySet<string> = new Set(
  `abort all allow-empty amend archive atomic autostash backup branch bare cached check checksum clean compress copy-links
   debug delete delete-after delete-before delete-during delete-excluded diff dry-run edit existing force force-if-includes
   force-with-lease frozen frozen-lockfile follow-tags global hard-links help hidden human-readable ignore-errors
   ignore-existing ignore-missing ignore-scripts ignore-times inplace in-place intent-to-add interactive itemize-changes json
   keep keep-index legacy-peer-deps list links locked long mirror null numstat offline one-file-system owner package-lock-only
   parseable partial patch perms porcelain prefer-offline progress prune prune-empty-dirs quiet recursive relative renormalize
   save save-dev save-exact save-optional save-peer save-prod set-upstream short signoff silent size-only staged stat stats
   stdout summary tags thin times unified update verbose version whole-file workspaces yes`
    .split(/\s+/)
    .map((name) => `--${name}`),
);

/** Tells whether a long option, of one dash or two, is known to take no value, so that what follows is a word of its own. */
export function isFlag(given: string): boolean {
  const name = given.replace(/^--?/, "--");
  return flags.has(name) || /^--no-(?!contains$|merged$)/.test(name);
}
