/**
 * Notes something in the handover of the folder in its argument and flushes it, again and again. Prints the number of
 * each note when it is in the buffer.
 *
 * Arguments: the folder, the first number.
 */

import { addNotes } from "../../src/handover/buffer/change-buffer.ts";
import { openHandover } from "../../src/handover/handover-folder.ts";
import { flushNotes } from "../../src/handover/notes.ts";
import { writeFileAtomically } from "../../src/lib/atomic-file.ts";
import { readDocument } from "../../src/lib/markdown/read-document.ts";

const [root = "", first = "0"] = process.argv.slice(2);
for (let number = Number(first); ; number += 1) {
  const handover = await openHandover({ root, sddDir: ".sdd" }, { wait: 60_000 });
  try {
    const note = { tag: "PATTERN" as const, text: `api: number ${number}`, source: "spec Builder, task 1" };
    const { text } = addNotes(await readDocument(root, handover.buffer), [note], { updated: "now" });
    await writeFileAtomically(handover.buffer, text);
    process.stdout.write(`${number}\n`);
    if (number % 2 === 1) await flushNotes(handover, "now");
  } finally {
    await handover.release();
  }
}
