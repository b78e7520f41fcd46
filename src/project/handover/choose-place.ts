import { lstat } from "node:fs/promises";
import { join } from "node:path";
import type { HandoverPlace } from "../../handover/handover-folder.ts";
import { unlessGone } from "../../lib/unless-gone.ts";

const usual = ".claude/sdd";
const short = ".sdd";

/** Returns where the documents of a project are: in `.sdd` if there is one, else in `.claude/sdd`. */
export async function chooseHandoverPlace(root: string): Promise<HandoverPlace> {
  const stats = await unlessGone(lstat(join(root, short)));
  return { root, sddDir: stats?.isDirectory() === true ? short : usual };
}
