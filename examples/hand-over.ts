import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openProject } from "../src/index.ts";

/** Hands a session over, and reads what the next one is told. */
export async function handOver(cwd: string, home: string): Promise<void> {
  const project = await openProject({ cwd, home }, "write");
  const author = { machine: "laptop", warn: console.warn };
  const handover = await project.handover(author);

  const { seq } = await handover.decide({
    type: "USER_DECISION",
    summary: "Passkeys only",
    context: "how people sign in",
    decision: "passkeys, no passwords",
    reason: "one way to sign in is half the work",
    impact: "the reset mail goes",
    source: "user",
  });
  await handover.note([{ tag: "PATTERN", text: "api: retry twice", source: "login Builder, task 2" }]);
  await handover.draft({ done: [`The form, as D${seq} says`], next: "Write its tests" });

  // At the end of the day: the document before it is archived, and every version stays in the log.
  await handover.polish({ accomplished: ["The form works"], tone: ["Short answers, please"] });

  const { text, tokens } = await project.brief(author, { budget: 1000 });
  console.log(`${text}\nAt most ${tokens} tokens.`);
  await project.store[Symbol.asyncDispose]();
}

// `node examples/hand-over.ts` runs it in a scratch folder.
if (import.meta.main) {
  const scratch = await mkdtemp(join(tmpdir(), "carryon-example-"));
  await handOver(scratch, join(scratch, "home"));
}
