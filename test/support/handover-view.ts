import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { parseBuffer } from "../../src/handover/buffer/buffer-doc.ts";
import type { ProjectHandover } from "../../src/handover/project-handover.ts";
import { unlessGone } from "../../src/lib/app-error.ts";

/** All that a handover holds. */
export interface HandoverView {
  readonly session: string | undefined;
  readonly buffer: string | undefined;
  /** "" where there is none. */
  readonly decisions: string;
  /** The files of the archive and of the knowledge, by their names. */
  readonly files: Readonly<Record<string, string>>;
  /** The versions of session.md that the log has. */
  readonly versions: readonly string[];
}

/** Looks at a handover. Files in the making are not part of it. */
export async function viewHandover(handover: ProjectHandover): Promise<HandoverView> {
  const { session, buffer, decisions, archive, knowledge } = handover.paths;
  const read = (path: string) => unlessGone(readFile(path, "utf8"));
  return {
    session: await read(session),
    buffer: await read(buffer),
    decisions: (await read(decisions)) ?? "",
    files: { ...(await readFolder(archive)), ...(await readFolder(knowledge)) },
    versions: (await handover.history()).map(({ text }) => text),
  };
}

async function readFolder(folder: string): Promise<Readonly<Record<string, string>>> {
  const names = ((await unlessGone(readdir(folder))) ?? []).filter((name) => name.endsWith(".md")).sort();
  const files = names.map(async (name) => [name, await readFile(join(folder, name), "utf8")] as const);
  return Object.fromEntries(await Promise.all(files));
}

/** Says what an operation that was cut off has destroyed, by what was there before it and is there after it when all goes well. */
export function findLosses(before: HandoverView, after: HandoverView, now: HandoverView): readonly string[] {
  const isOneOf = (text: string | undefined, texts: readonly (string | undefined)[]) => texts.includes(text);
  const names = [...new Set([...Object.keys(before.files), ...Object.keys(now.files)])];
  const replaced = now.session === before.session ? [] : [before.session, now.session];
  const kept = [...before.versions, ...replaced].filter((text) => text !== undefined);
  const faults: readonly (readonly [isFine: boolean, what: string])[] = [
    [isOneOf(now.session, [before.session, ...after.versions]), "session.md is neither an old nor a new one"],
    [isOneOf(now.buffer, [before.buffer, after.buffer]), "buffer.md is neither the old nor the new one"],
    [now.decisions.startsWith(before.decisions), "decisions.md has lost something"],
    [after.decisions.startsWith(now.decisions), "decisions.md has something that nobody decided"],
    ...names.map((name) => {
      const isFine = isOneOf(now.files[name], [before.files[name], after.files[name]]);
      return [isFine, `${name} is neither the old nor the new one`] as const;
    }),
    ...piecesOf(before).map(
      (piece) => [piecesOf(now).includes(piece), `nobody knows any more: ${piece}`] as const,
    ),
    ...kept.map((text) => [now.versions.includes(text), `the log does not have:\n${text}`] as const),
  ];
  return faults.flatMap(([isFine, what]) => (isFine ? [] : [what]));
}

/** Returns what has been learned, wherever it stands: the texts of notes, and the lines of files. */
export function piecesOf({ buffer, files }: HandoverView): readonly string[] {
  const notes = buffer === undefined ? [] : parseBuffer(buffer).doc.notes;
  const lines = Object.values(files).flatMap((text) => text.split("\n"));
  const known = lines.map((line) => line.replace(/^- \[[A-Z]+\] | \(source: .*\)$/g, ""));
  return [...notes.map(({ text }) => text), ...known];
}
