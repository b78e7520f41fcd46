import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { unlessGone } from "../../lib/app-error.ts";
import { writeFileAtomically } from "../../lib/atomic-file.ts";
import { readBytes } from "../../lib/markdown/read-document.ts";
import { ensureFolder, type OpenHandover } from "../handover-folder.ts";

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

/** The name of an archived session.md: its day, and its place among those of the day. */
interface ArchiveName {
  readonly date: string;
  readonly number: number;
}

/** Reads the name of a file in `sessions/`; undefined for one that is no archive. */
function parseArchiveName(name: string): ArchiveName | undefined {
  const [, date, number = "1"] = /^(\d{4}-\d{2}-\d{2})(?:-([1-9]\d{0,5}))?\.md$/.exec(name) ?? [];
  return date === undefined ? undefined : { date, number: Number(number) };
}

/** Returns the name of a file in `sessions/`. */
function renderArchiveName({ date, number }: ArchiveName): string {
  return number === 1 ? `${date}.md` : `${date}-${number}.md`;
}

/** Returns the names that are archives, oldest first: `-10` comes after `-9`. */
export function sortArchives(names: readonly string[]): readonly string[] {
  const known = names.flatMap((name) => {
    const archive = parseArchiveName(name);
    return archive === undefined ? [] : [{ name, ...archive }];
  });
  known.sort((one, other) =>
    one.date === other.date ? one.number - other.number : one.date < other.date ? -1 : 1,
  );
  return known.map(({ name }) => name);
}

/** Returns the name for the next archive of a day: after all that are there. */
export function nextArchiveName(date: string, names: readonly string[]): string {
  const numbers = names.flatMap((name) => {
    const archive = parseArchiveName(name);
    return archive?.date === date ? [archive.number] : [];
  });
  return renderArchiveName({ date, number: Math.max(0, ...numbers) + 1 });
}
