/**
 * Appends decisions to the handover in the folder of its argument, and prints the number of each when it is on disk.
 *
 * Arguments: the folder, how many, and a word that the summaries begin with.
 */
import { appendDecision } from "../../src/handover/decisions/append-decision.ts";
import { openHandover } from "../../src/handover/handover-folder.ts";

const [root = "", times = "1", word = "child"] = process.argv.slice(2);
for (let i = 0; i < Number(times); i++) {
  const handover = await openHandover({ root, sddDir: ".sdd" }, { wait: 120_000 });
  try {
    const { decision } = await appendDecision(handover, {
      type: "USER_DECISION",
      summary: `${word} ${i}`,
      context: "many at once",
      decision: "append",
      reason: "to see whether a number is given twice",
      impact: "none is",
      source: "test",
    });
    process.stdout.write(`${decision.seq}\n`);
  } finally {
    await handover.release();
  }
}
