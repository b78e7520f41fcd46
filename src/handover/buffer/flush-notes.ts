import { join } from "node:path";
import { writeFileAtomically } from "../../lib/atomic-file.ts";
import { readDocument } from "../../lib/markdown/read-document.ts";
import { ensureFolder, type OpenHandover } from "../handover-folder.ts";
import type { Note } from "../note.ts";
import { refuseReadOnly } from "../refuse-read-only.ts";
import { parseBuffer } from "./buffer-doc.ts";
import { clearNotes } from "./change-buffer.ts";
import { addKnowledge, knowledgeFileOf } from "./knowledge-file.ts";

/** What a flush has written. */
export interface Flush {
  readonly notes: readonly Note[];
  /** The files of knowledge that hold them, whether they are new or not. */
  readonly files: readonly string[];
}

interface FlushOptions {
  /** Is told what buffer.md will say, before it is written. */
  readonly announce?: (cleared: string) => Promise<void>;
}

/**
 * Moves the notes of buffer.md into the knowledge of the project.
 *
 * All of them are on disk there before they are taken out of the buffer: a crash in between leaves both, and the next
 * flush adds nothing twice.
 */
export async function flushNotes(
  handover: OpenHandover,
  updated: string,
  { announce }: FlushOptions = {},
): Promise<Flush> {
  const { place, buffer, knowledge } = handover;
  const text = await readDocument(place.root, buffer);
  const notes = text === undefined ? [] : parseBuffer(text).doc.notes;
  if (text === undefined || notes.length === 0) return { notes: [], files: [] };
  await refuseReadOnly(buffer);
  const cleared = clearNotes(text, notes, updated);
  await ensureFolder(place.root, knowledge);
  const files = Map.groupBy(notes, knowledgeFileOf);
  for (const [name, own] of files) {
    const path = join(knowledge, name);
    const before = await readDocument(place.root, path);
    const after = addKnowledge(before, own);
    if (after === before) continue;
    await refuseReadOnly(path);
    await writeFileAtomically(path, after);
  }
  await announce?.(cleared);
  await writeFileAtomically(buffer, cleared);
  return { notes, files: [...files.keys()].map((name) => join(knowledge, name)) };
}
