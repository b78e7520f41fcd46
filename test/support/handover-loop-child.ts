/**
 * Changes the handover in the folder of its argument again and again: decides, drafts, notes and flushes. Prints what it
 * has done when it is done, as a word and the text that was to be kept.
 *
 * Arguments: the folder of the scene, and a word that no other child has.
 */
import { decisionOf, noteOf, openHandoverScene } from "./handover-operations.ts";

const [folder = "", word = ""] = process.argv.slice(2);
const { handover } = await openHandoverScene(folder);
for (let number = 1; ; number += 1) {
  const text = `${word} ${number}`;
  await handover.decide(decisionOf(text));
  process.stdout.write(`decided ${text}\n`);
  await handover.draft({ done: [text] });
  process.stdout.write(`drafted ${text}\n`);
  await handover.note([noteOf(text)]);
  process.stdout.write(`noted ${text}\n`);
  await handover.flush();
}
