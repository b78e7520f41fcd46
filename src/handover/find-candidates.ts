import { readDocument } from "../lib/markdown/read-document.ts";
import type { HandoverPlace } from "../workspace/choose-handover-place.ts";
import { parseBuffer } from "./buffer/buffer-doc.ts";
import type { Candidate } from "./candidate.ts";
import { locateHandover } from "./handover-folder.ts";

/** Returns the skill candidates of a project. */
export async function findCandidates(place: HandoverPlace): Promise<readonly Candidate[]> {
  const text = await readDocument(place.root, locateHandover(place).buffer);
  return text === undefined ? [] : parseBuffer(text).doc.candidates;
}
