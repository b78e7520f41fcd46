/**
 * Hands over in the folder of its argument again and again: archives session.md and writes the next one, whose goal is a
 * number. Prints the number when it is done.
 */
import { openHandover } from "../../src/handover/handover-folder.ts";
import { parseSession } from "../../src/handover/parse-session.ts";
import { archiveSession } from "../../src/handover/session/archive-session.ts";
import { polishSession } from "../../src/handover/session/polish-session.ts";
import { writeFileAtomically } from "../../src/lib/atomic-file.ts";
import { readDocument } from "../../src/lib/markdown/read-document.ts";

const [root = ""] = process.argv.slice(2);
for (;;) {
  const handover = await openHandover({ root, sddDir: ".sdd" }, { wait: 60_000 });
  try {
    await archiveSession(handover, "2026-11-16");
    const previous = await readDocument(root, handover.session);
    const goal = previous === undefined ? 1 : Number(parseSession(previous).doc.goal) + 1;
    const facts = {
      today: "2026-11-16",
      session: "new" as const,
      done: [],
      decisions: [],
      warnings: [],
      goal: String(goal),
    };
    await writeFileAtomically(handover.session, polishSession(previous, {}, facts));
    process.stdout.write(`${goal}\n`);
  } finally {
    await handover.release();
  }
}
