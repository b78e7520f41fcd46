/** What the configuration of a git folder says of its work tree. */
export interface FolderConfig {
  readonly isBare: boolean;
  /** Where the work tree is, from the git folder; undefined where nothing is said. */
  readonly workTree: string | undefined;
  /** Whether each work tree has settings of its own. */
  readonly hasOwnSettings: boolean;
  /** How many digits its hashes have. */
  readonly hashLength: number;
}

const header = /^\[\s*([a-z0-9.-]+)\s*("(?:[^"\\]|\\.)*")?\s*\](.*)$/i;
const setting = /^([a-z][a-z0-9-]*)\s*(?:=\s*(.*))?$/i;

type Values = ReadonlyMap<string, string>;

/**
 * Reads from a configuration what says where a repository is; undefined for what only git can judge: a quoted path, a
 * newer format, another way to keep refs.
 */
export function parseFolderConfig(text: string): FolderConfig | undefined {
  const values = parseSettings(text);
  const isBare = toFlag(values.get("core.bare"));
  const hasOwnSettings = toFlag(values.get("extensions.worktreeconfig"));
  const workTree = values.get("core.worktree");
  const hashLength = hashLengthOf(values);
  if (isBare === undefined || hasOwnSettings === undefined || hashLength === undefined) return undefined;
  if (workTree !== undefined && /["\\#;]/.test(workTree)) return undefined;
  return { isBare, workTree, hasOwnSettings, hashLength };
}

/**
 * Reads from a configuration where a repository was cloned from: null where it does not say so, undefined where only git
 * can tell what it says.
 */
export function parseOrigin(text: string): string | null | undefined {
  if (/^\s*\[\s*include/im.test(text)) return undefined;
  const address = parseSettings(text).get("remote.origin.url") ?? null;
  return address !== null && /["\\#;]/.test(address) ? undefined : address;
}

/** Undefined for a format that is not known here. */
function hashLengthOf(values: Values): number | undefined {
  const version = values.get("core.repositoryformatversion") ?? "0";
  const refs = values.get("extensions.refstorage") ?? "files";
  const hash = values.get("extensions.objectformat") ?? "sha1";
  if ((version !== "0" && version !== "1") || refs !== "files") return undefined;
  if (hash === "sha1") return 40;
  return hash === "sha256" && version === "1" ? 64 : undefined;
}

/** Returns the settings by their names in small letters, the last one of a name; a subsection is as it is written. */
function parseSettings(text: string): Values {
  const values = new Map<string, string>();
  let section = "";
  for (const line of text.replace(/\\\r?\n/g, "").split("\n")) {
    const [, name, subsection, rest] = header.exec(line.trim()) ?? [];
    if (name !== undefined)
      section = `${name.toLowerCase()}${subsection?.replace(/^"([^"\\]*)"$/, ".$1") ?? ""}`;
    const [, key, value] = setting.exec((rest ?? line).trim()) ?? [];
    // A name without a value means that it is so.
    if (key !== undefined) values.set(`${section}.${key.toLowerCase()}`, value ?? "true");
  }
  return values;
}

function toFlag(value: string | undefined): boolean | undefined {
  if (value === undefined || /^(?:false|no|off|0|)$/i.test(value)) return false;
  return /^(?:true|yes|on|1)$/i.test(value) ? true : undefined;
}
