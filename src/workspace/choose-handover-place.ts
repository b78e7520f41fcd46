import { lstat } from "node:fs/promises";
import { join } from "node:path";
import { unlessGone } from "../lib/app-error.ts";
import { locateHome } from "./locate-home.ts";
import { readSddDir } from "./parse-sdd-dir.ts";
import { readConfig } from "./read-config.ts";
import { locatePlace } from "./recognise-project.ts";
import type { Caller } from "./workspace.ts";

/** Where the handover of a project lies. */
export interface HandoverPlace {
  /** The top of the repository, or the folder of a project outside git. */
  readonly root: string;
  /** The folder of the documents inside it: `.claude/sdd` or `.sdd`, unless the user says otherwise. */
  readonly sddDir: string;
}

const usual = ".claude/sdd";
const short = ".sdd";

/** What decides where the documents of a project are. */
export interface PlaceChoice {
  /** The folder of config.yaml: see `locateHome`. */
  readonly home: string;
  /** The top of the project. */
  readonly root: string;
}

/**
 * Returns where the documents of a project are: where config.yaml says, else in `.sdd` if there is one, else in
 * `.claude/sdd`. A `.sdd` without documents does not hide those that are in `.claude/sdd`.
 */
export async function chooseHandoverPlace({ home, root }: PlaceChoice): Promise<HandoverPlace> {
  return choosePlaceBy(await readConfig(home, () => ({ sddDir: readSddDir })), root);
}

/** Returns where the documents of the current folder are, without a store. */
export async function locateHandoverHere({
  cwd,
  env,
  userHome,
}: Pick<Caller, "cwd" | "env" | "userHome">): Promise<HandoverPlace> {
  const { root } = await locatePlace(cwd);
  return chooseHandoverPlace({ home: locateHome(env, userHome), root });
}

/** Returns the same by what was read of config.yaml. */
export async function choosePlaceBy(
  { sddDir }: { readonly sddDir?: string },
  root: string,
): Promise<HandoverPlace> {
  if (sddDir !== undefined) return { root, sddDir };
  const isShort = (await isFolder(root, short)) && !(await isLeft(root));
  return { root, sddDir: isShort ? short : usual };
}

/** Tells whether all documents are where they were before there was a `.sdd`. */
async function isLeft(root: string): Promise<boolean> {
  return (await isFolder(root, usual, "handover")) && !(await isFolder(root, short, "handover"));
}

async function isFolder(...path: readonly string[]): Promise<boolean> {
  return (await unlessGone(lstat(join(...path))))?.isDirectory() === true;
}
