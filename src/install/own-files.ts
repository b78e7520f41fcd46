import { createHash } from "node:crypto";
import { lstat, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { AppError, unlessGone } from "../lib/app-error.ts";
import { locateLauncher } from "../lib/hook-files.ts";
import { findLink } from "../lib/read-below.ts";
import { readText } from "../lib/read-text.ts";
import { renderShellWord } from "../lib/shell-word.ts";
import type { FileChange } from "./file-change.ts";
import type { Install } from "./install-record.ts";
import { type InstallSite, realpathOf } from "./locate-settings.ts";
import { planNoServer, planServer } from "./server-entry.ts";

/** What the client will offer its user and its model: commands, skills and the MCP server. */
interface OffersPlan {
  readonly changes: readonly FileChange[];
  readonly record: Pick<Install, "files" | "server">;
  readonly warnings: readonly string[];
}

/** Plans what the client is to offer; what is not ours stays as it is, and is named. */
export async function planOffers(site: InstallSite, recorded: Install | undefined): Promise<OffersPlan> {
  const files = await planOwnFiles(site, recorded);
  const server = await planServer(site, recorded?.server ?? null);
  return {
    changes: [...files.changes, ...server.changes],
    record: { files: files.record, server: server.record },
    warnings: [
      ...files.foreign.map((path) => `${path} is not Carryon's, or was changed, and stays as it is.`),
      ...server.warnings,
    ],
  };
}

/** Plans to take back what the client offers; what was changed since stays, and is named. */
export async function planNoOffers(
  site: Omit<InstallSite, "isRepository">,
  recorded: Install | undefined,
): Promise<{ readonly changes: readonly FileChange[]; readonly stays: readonly string[] }> {
  const files = await planNoOwnFiles(site, recorded);
  const server = await planNoServer(site, recorded?.server ?? null);
  return {
    changes: [...server.changes, ...files.changes],
    stays: [...files.changed.map((path) => `${path} was changed and stays as it is.`), ...server.stays],
  };
}

/** A text that the client offers to its user: a command or a skill. */
interface PluginText {
  /** Its path from the folder of the client. */
  readonly name: string;
  readonly text: string;
}

/** Where each text stands in the plugin, and where the client looks for it outside of one, under the same name. */
const places = [
  ["commands/load.md", "commands/session/load.md"],
  ["commands/new.md", "commands/session/new.md"],
  ["commands/save.md", "commands/session/save.md"],
  ["commands/status.md", "commands/session/status.md"],
  ["skills/arch-review/SKILL.md", "skills/arch-review/SKILL.md"],
  ["skills/plan-review/SKILL.md", "skills/plan-review/SKILL.md"],
  ["skills/sdd-handover/SKILL.md", "skills/sdd-handover/SKILL.md"],
] as const;

/** Reads the commands and skills of the plugin as they are installed without it: they start Carryon by its path. */
export function readPluginTexts(launcher: string): Promise<readonly PluginText[]> {
  return Promise.all(
    places.map(async ([source, name]) => {
      const path = fileURLToPath(new URL(`../../plugin/${source}`, import.meta.url));
      return { name, text: nameProgram(await readFile(path, "utf8"), launcher) };
    }),
  );
}

/** Puts a path in the place of the name wherever a text says what to run, or allows it. */
function nameProgram(text: string, launcher: string): string {
  const word = renderShellWord(launcher);
  return text.replace(/(?<=`|Bash\()carryon(?= )/g, () => word);
}

/** Commands and skills that are to be installed. */
interface OwnFilesPlan {
  readonly changes: readonly FileChange[];
  readonly record: Install["files"];
  /** Files of the same names that are not ours, or were changed, and stay as they are. */
  readonly foreign: readonly string[];
}

type FileSite = Pick<InstallSite, "home" | "scope" | "client" | "root">;
type Remembered = Pick<Install, "files" | "made"> | undefined;

/** Whose file it is: nobody's, for there is none; ours as it should be; ours as it was once; or somebody else's. */
type Standing = "missing" | "current" | "outdated" | "foreign";

/** A command or skill, and what is in its place. */
interface OwnFile extends PluginText {
  readonly path: string;
  readonly found: string | undefined;
  readonly standing: Standing;
}

/** Reads what stands where the commands and skills of a scope belong. */
export async function readOwnFiles(site: FileSite, remembered: Remembered): Promise<readonly OwnFile[]> {
  const texts = await readPluginTexts(locateLauncher(site.home));
  const folder = await locateFolder(site);
  return Promise.all(
    texts.map(async ({ name, text }) => {
      const path = join(folder, name);
      const known = remembered?.files.hashes[name];
      return { name, text, path, ...(await judge(site, { path, text, known })) };
    }),
  );
}

/** Plans the commands and skills; what somebody else put there, or has changed, stays as it is. */
async function planOwnFiles(site: FileSite, remembered: Remembered): Promise<OwnFilesPlan> {
  const files = await readOwnFiles(site, remembered);
  const own = files.filter(({ standing }) => standing !== "foreign");
  const missing = await findMissing(await locateFolder(site), own);
  return {
    changes: own.map(({ path, text, found }) => ({ path, before: found, after: text })),
    record: {
      hashes: Object.fromEntries(own.map(({ name, text }) => [name, hashOf(text)])),
      folders: [...new Set([...(remembered?.files.folders ?? []), ...missing])].sort(),
    },
    foreign: files.flatMap(({ path, standing }) => (standing === "foreign" ? [path] : [])),
  };
}

/** Plans to take the commands and skills back; one that was changed since stays, and is named. */
async function planNoOwnFiles(
  site: FileSite,
  remembered: Remembered,
): Promise<{ readonly changes: readonly FileChange[]; readonly changed: readonly string[] }> {
  const files = await readOwnFiles(site, remembered);
  const folder = await locateFolder(site);
  const made = new Set(remembered?.files.folders ?? []);
  const above = remembered?.made.folder === true ? [folder] : [];
  const ours = files.filter(({ standing }) => standing === "current" || standing === "outdated");
  const goWith = (name: string) => [
    ...foldersOf(name).flatMap((each) => (made.has(each) ? [join(folder, each)] : [])),
    ...above,
  ];
  return {
    changes: ours.map(({ name, path, found }) => ({
      ...{ path, before: found, after: undefined },
      folders: goWith(name),
    })),
    // What never was ours is no business of ours.
    changed: files.flatMap(({ name, path, standing }) =>
      standing === "foreign" && remembered?.files.hashes[name] !== undefined ? [path] : [],
    ),
  };
}

interface Wanted {
  readonly path: string;
  readonly text: string;
  /** The hash of what we last wrote there. */
  readonly known: string | undefined;
}

async function judge(
  { scope, root }: FileSite,
  { path, text, known }: Wanted,
): Promise<Pick<OwnFile, "found" | "standing">> {
  // A link in a repository must not lead writes elsewhere; the user's own folders may be links.
  const isLed = scope === "project" && (await findLink(root, path)) !== undefined;
  const found = isLed ? taken : await readText(path).catch(takenIfRefused);
  if (found === taken) return { found: undefined, standing: "foreign" };
  if (found === undefined) return { found, standing: "missing" };
  if (found === text) return { found, standing: "current" };
  return { found, standing: hashOf(found) === known ? "outdated" : "foreign" };
}

const taken = Symbol("taken");

/** A folder, a pipe, or bytes that are no text are not what we wrote. */
function takenIfRefused(error: unknown): typeof taken {
  if (error instanceof AppError) return taken;
  throw error;
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** Returns the folder of the client whose commands count in a scope. */
async function locateFolder({ scope, client, root }: FileSite): Promise<string> {
  return scope === "project" ? join(root, ".claude") : ((await realpathOf(client)) ?? client);
}

/** Returns the folders that have to be made for files, by their paths from the folder of the client. */
async function findMissing(folder: string, files: readonly OwnFile[]): Promise<readonly string[]> {
  const names = [...new Set(files.flatMap(({ name }) => foldersOf(name)))];
  const stats = await Promise.all(names.map((name) => unlessGone(lstat(join(folder, name)))));
  return names.filter((_, index) => stats[index] === undefined);
}

/** Returns the folders that a file is in, the innermost first. */
function foldersOf(name: string): readonly string[] {
  const folder = dirname(name);
  return folder === "." ? [] : [folder, ...foldersOf(folder)];
}
