import { lstat } from "node:fs/promises";
import { join } from "node:path";
import type { HandoverPlace } from "../../handover/handover-folder.ts";
import { unlessGone } from "../../lib/unless-gone.ts";
import { readConfig } from "../read-config.ts";

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
 * `.claude/sdd`.
 */
export async function chooseHandoverPlace({ home, root }: PlaceChoice): Promise<HandoverPlace> {
  const { sddDir } = await readConfig(home);
  if (sddDir !== undefined) return { root, sddDir };
  const stats = await unlessGone(lstat(join(root, short)));
  return { root, sddDir: stats?.isDirectory() === true ? short : usual };
}
