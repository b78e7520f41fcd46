import { mkdir } from "node:fs/promises";
import { writeFileAtomically } from "../../lib/atomic-file.ts";
import { sweepStrays } from "../../lib/sweep-strays.ts";
import type { BranchSize } from "./branch-size.ts";
import { locateSize, sizeVersion } from "./read-kept-size.ts";

/** A figure, and whose it is. */
export interface Measured {
  readonly root: string;
  readonly branch: string;
  /** The commit that was checked out. */
  readonly head: string;
  readonly at: Date;
  readonly size: BranchSize;
}

/** Keeps a figure for the next time. */
export async function keepSize(folder: string, { root, branch, head, at, size }: Measured): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await sweepStrays(folder);
  const text = JSON.stringify({ version: sizeVersion, root, branch, head, at: at.toISOString(), size });
  await writeFileAtomically(locateSize(folder, root, branch), `${text}\n`);
}
