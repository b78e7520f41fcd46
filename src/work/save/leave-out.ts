import type { Content } from "../../git/file-content.ts";
import type { GitPath } from "../../git/git-path.ts";
import type { ChangedPath } from "../../git/git-status.ts";
import { formatBytes } from "../../lib/describe.ts";
import { findSecrets } from "../../redaction/find-secrets.ts";
import { stateFile } from "../work-state.ts";

/** Names that files with secrets have by custom. What may hold one or not, such as `*.pem`, is judged by its content. */
const names: readonly RegExp[] = [
  /^id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?$/,
  /\.(?:key|p12|pfx|pkcs12|jks|keystore|kdbx|ppk|ovpn|asc\.key|age-key)$/,
  /^(?:\.netrc|_netrc|\.pgpass|\.my\.cnf|\.git-credentials|\.pypirc|\.htpasswd|\.dockercfg|\.vault-token)$/,
  /^(?:credentials|secrets?)(?:\.(?:json|ya?ml|toml|ini|txt|properties))?$/,
  /^(?:service[-_]?account|client[-_]?secret)[^/]{0,100}\.json$/,
  /\.(?:tfvars|tfstate)$/,
];

/** Tells whether a file is called as files with secrets are. */
function isSecretName(path: GitPath): boolean {
  const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
  return names.some((pattern) => pattern.test(name));
}

/** Tells whether a file is called as one with settings of an environment, be it an example of them. */
export function isEnvironmentName(path: GitPath): boolean {
  return /(?:^|\/)\.env[^/]*$/i.test(path);
}

/** Tells whether real secrets are likely to be written into a file of this name, whatever is in it now. */
export function isMadeForSecrets(path: GitPath): boolean {
  if (isSecretName(path)) return true;
  return isEnvironmentName(path) && !/(?:example|sample|template)[^/]*$/i.test(path);
}

/** Why a file is not committed. */
export type LeftOutReason =
  | "state-file"
  | "secret-name"
  | "secret-content"
  | "too-big"
  | "environment"
  | "personal"
  | "session-file"
  | "repository"
  | "submodule-changes"
  | "unreadable"
  | "not-a-file"
  | "untracked-on-purpose"
  | "moved-away";

/** A file that a save commits. */
export interface Taken {
  readonly path: GitPath;
  /** The hash of its content; null when it is gone, or too big to be read. */
  readonly sha256: string | null;
}

/** A file that a save does not commit. */
export interface LeftOut extends Taken, Objection {}

/** Why a file is left out, and what more is to be known, such as its size or the kind of secret. */
interface Objection {
  readonly reason: LeftOutReason;
  readonly detail?: string;
}

/** What becomes of a changed file. */
export type Judgement =
  | { readonly type: "taken"; readonly file: Taken }
  | { readonly type: "left-out"; readonly file: LeftOut };

/** What else must be known of a file to judge it. */
export interface JudgeOptions {
  /** Tells whether git keeps the content of a large file elsewhere. */
  readonly isKeptElsewhere: (path: GitPath) => Promise<boolean>;
  /** Returns what the commit says of a file. */
  readonly readCommitted: (change: ChangedPath) => Promise<string>;
  /** Tells whether .gitmodules names a folder. */
  readonly isSubmodule: (path: GitPath) => Promise<boolean>;
  /** Returns what the commit says of the files that are gone. */
  readonly readGone: () => Promise<string>;
}

/** The mode of a link to a commit of another repository. */
const linkMode = "160000";

const aboutContent: ReadonlySet<LeftOutReason> = new Set([
  "secret-name",
  "secret-content",
  "too-big",
  "environment",
]);

/** Tells whether a file is left out for what it holds or may hold: no reason where the commit has held that already. */
export function isAboutContent({ reason }: LeftOut): boolean {
  return aboutContent.has(reason);
}

/** Decides whether a changed file is committed. */
export async function judgeFile(
  change: ChangedPath,
  content: Content,
  options: JudgeOptions,
): Promise<Judgement> {
  const { path } = change;
  const byKind = objectToKind(change) ?? (await objectToLink(change, options));
  if (byKind !== undefined) return { type: "left-out", file: { path, sha256: null, ...byKind } };
  if (change.submodule !== undefined) return { type: "taken", file: { path, sha256: null } };
  const file = { path, sha256: content.sha256 };
  const objection = await objectToContent(change, content, options);
  return objection === undefined
    ? { type: "taken", file }
    : { type: "left-out", file: { ...file, ...objection } };
}

function objectToKind({ path, submodule, isStaged }: ChangedPath): Objection | undefined {
  // Git lists a repository inside this one as a folder.
  if (path.endsWith("/")) return { reason: "repository" };
  if (submodule !== undefined && !submodule.hasMoved && !isStaged) return { reason: "submodule-changes" };
  return undefined;
}

/** Whoever adds a folder with a repository in it gets a link to one of its commits, which nobody else can follow. */
async function objectToLink(
  { path, submodule, head, index }: ChangedPath,
  { isSubmodule }: JudgeOptions,
): Promise<Objection | undefined> {
  if (submodule === undefined || index === undefined || head?.mode === linkMode) return undefined;
  return (await isSubmodule(path)) ? undefined : { reason: "repository" };
}

async function objectToContent(
  change: ChangedPath,
  content: Content,
  options: JudgeOptions,
): Promise<Objection | undefined> {
  if (change.isTakenOut) return { reason: "untracked-on-purpose" };
  if (change.path === stateFile && !isTakenAway(change)) return { reason: "state-file" };
  switch (content.type) {
    case "gone":
      return undefined;
    case "unreadable":
    case "not-a-file":
      return { reason: content.type };
    case "too-big":
      if (await options.isKeptElsewhere(change.path)) return undefined;
      return { reason: "too-big", detail: formatBytes(content.size) };
    case "bytes":
      return objectToName(change) ?? objectToSecret(content.bytes, change, options);
  }
}

function isTakenAway({ head, index }: ChangedPath): boolean {
  return head !== undefined && index === undefined;
}

/** What one user says of gates, be it written by hand. */
const personalGates = ".claude/requirements.local.yaml";

/** Tells whether a file is where claude-master, and a run that is told so, keep whole talks. */
function isSessionFile(path: GitPath): boolean {
  return /(?:^|\/)\.claude-master\/sessions\//.test(path);
}

/** A file that a commit has already is there on purpose, whatever it is called. */
function objectToName({ path, head }: ChangedPath): Objection | undefined {
  if (head !== undefined) return undefined;
  if (isEnvironmentName(path)) return { reason: "environment" };
  if (path === personalGates) return { reason: "personal" };
  if (isSessionFile(path)) return { reason: "session-file" };
  return isSecretName(path) ? { reason: "secret-name" } : undefined;
}

/** A secret that the commit has already, be it in a file that was moved here, is there on purpose too. */
async function objectToSecret(
  bytes: Buffer,
  change: ChangedPath,
  { readCommitted, readGone }: JudgeOptions,
): Promise<Objection | undefined> {
  const found = findStrongSecrets(decodeText(bytes) ?? "");
  if (found.length === 0) return undefined;
  const known = change.head === undefined ? "" : await readCommitted(change);
  const unknown = found.filter(({ secret }) => !holds(known, secret));
  if (unknown.length === 0) return undefined;
  const moved = await readGone();
  const added = unknown.find(({ secret }) => !holds(moved, secret));
  return added && { reason: "secret-content", detail: added.kind };
}

/** Tells whether a text holds a secret, be it in UTF-16 that was read as UTF-8: a zero between all characters. */
function holds(text: string, secret: string): boolean {
  return text.includes(secret) || text.includes([...secret].join("\0"));
}

/** Kinds that a guess finds, or that source code and its tests are full of: they are hidden in the log, but no reason to leave a file out of a commit. */
const weakKinds: ReadonlySet<string> = new Set([
  "authorization",
  "basic-credentials",
  "bearer-token",
  "command-password",
  "cookie",
  "jwe",
  "jwt",
  "netrc-password",
  "password",
  "password-hash",
  "pgpass-password",
  "request-signature",
  "seed-phrase",
  "sentry-dsn",
  "sql-password",
  "url-password",
  "url-token",
]);

/** A secret whose form leaves no doubt. */
interface StrongSecret {
  readonly kind: string;
  readonly secret: string;
}

/** Returns the secrets of a text whose form leaves no doubt: keys and tokens of known services, private keys. */
function findStrongSecrets(text: string): readonly StrongSecret[] {
  return findSecrets(text).flatMap(({ kind, start, end }) =>
    weakKinds.has(kind) ? [] : [{ kind, secret: text.slice(start, end) }],
  );
}

/** How much of a file tells what it is; git looks at as much. */
const sample = 8000;

/** Returns the text of a file in UTF-8, or in UTF-16 as some editors of Windows write it; undefined where it is none. */
export function decodeText(bytes: Buffer): string | undefined {
  const order = findWideOrder(bytes);
  if (order === "little") return bytes.toString("utf16le");
  if (order === "big") return swap(bytes).toString("utf16le");
  // What git takes for a binary file holds no text that can be read.
  return bytes.subarray(0, sample).includes(0) ? undefined : bytes.toString();
}

/** Tells in which order the two bytes of a character stand: by the mark at the beginning, else by where the zeros are. */
function findWideOrder(bytes: Buffer): "little" | "big" | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "little";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "big";
  const { pairs, first, second } = countZeros(bytes.subarray(0, sample));
  // Text of other scripts has fewer zeros than English, but hardly any on the other side.
  const [some, hardlyAny] = [pairs * 0.4, pairs * 0.05];
  if (second > some && first <= hardlyAny) return "little";
  return first > some && second <= hardlyAny ? "big" : undefined;
}

/** Counts the pairs of bytes of which the first, or the second, is zero. */
function countZeros(bytes: Buffer): Readonly<Record<"pairs" | "first" | "second", number>> {
  const pairs = Math.floor(bytes.length / 2);
  let [first, second] = [0, 0];
  for (let at = 0; at < pairs * 2; at += 2) {
    if (bytes[at] === 0) first++;
    if (bytes[at + 1] === 0) second++;
  }
  return { pairs, first, second };
}

function swap(bytes: Buffer): Buffer {
  return Buffer.from(bytes.subarray(0, bytes.length - (bytes.length % 2))).swap16();
}
