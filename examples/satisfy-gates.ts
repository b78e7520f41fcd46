import { mkdtemp, realpath } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openProject } from "../src/index.ts";

/** Says how the gates of a project stand for a session, and satisfies what is not. */
export async function satisfyGates(cwd: string, home: string, session: string): Promise<void> {
  const project = await openProject({ cwd, home }, "write");
  const clientFolder = join(home, "client");
  const gates = await project.gates({ clientFolder, env: process.env });

  const { rows, inert } = await gates.status({ session });
  console.log(inert ?? `${rows.length} gates count here`);

  // Only what is said for this session: another one begins with its own.
  const open = rows.filter(({ gate, judgement }) => gate.type === "blocking" && !judgement.satisfied);
  for (const { gate } of open) await gates.satisfy([gate.name], { session });
  await project.store[Symbol.asyncDispose]();
}

// `node examples/satisfy-gates.ts` runs it in a scratch folder.
if (import.meta.main) {
  const scratch = await realpath(await mkdtemp(join(tmpdir(), "carryon-example-")));
  await satisfyGates(scratch, join(scratch, "home"), "s1");
}
