import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { writeFileAtomically } from "../../lib/atomic-file.ts";
import { readBytes } from "../../lib/markdown/read-document.ts";
import { unlessGone } from "../../lib/unless-gone.ts";
import { ensureFolder, type OpenHandover } from "../handover-folder.ts";
import { nextArchiveName, sortArchives } from "./archive-name.ts";

/**
 * Copies session.md into the archive under the name of a day, and returns the path of the copy; undefined when there
 * is no session.md.
 *
 * Done before a new one is written, so that a crash leaves both. Done again after that, it finds its copy and makes no
 * second one.
 */
export async function archiveSession(handover: OpenHandover, today: string): Promise<string | undefined> {
  const { place, session, archive } = handover;
  const bytes = await readBytes(place.root, session);
  if (bytes === undefined) return undefined;
  await ensureFolder(place.root, archive);
  const names = (await unlessGone(readdir(archive))) ?? [];
  const last = sortArchives(names).at(-1);
  if (last?.startsWith(today) === true) {
    const kept = await readBytes(place.root, join(archive, last));
    if (kept !== undefined && Buffer.from(kept).equals(bytes)) return join(archive, last);
  }
  const path = join(archive, nextArchiveName(today, names));
  await writeFileAtomically(path, bytes);
  return path;
}
