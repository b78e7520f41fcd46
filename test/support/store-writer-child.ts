/**
 * Appends messages to a session, one at a time, and prints each receipt as "seq id" once it has it.
 *
 * Arguments: the home folder, the session, the beginning of the ids, and how many; without a number it goes on until
 * it is killed. A failure is printed as "failed" with its code, and its exit code is that of the command line.
 */
import { flushCompileCache } from "node:module";
import { exitCode } from "../../src/cli/exit-code.ts";
import { parseEntryId, parseSessionId } from "../../src/conversation/ids.ts";
import { AppError } from "../../src/lib/app-error.ts";
import { openStore, type Store } from "../../src/storage/open-store.ts";

const [home = "", name = "", prefix = "", count = "Infinity"] = process.argv.slice(2);
const at = new Date("2026-11-15T12:00:00.000Z");

async function write({ log, projects }: Store): Promise<void> {
  const id = parseSessionId(name);
  const project = await projects.recognise({ identities: ["path:/test"], name: "test" });
  const start = { client: "carryon-append", cwd: "/work", machine: "here", startedAt: at } as const;
  await log.open({ id, project: project.id, ...start });
  for (let number = 1; number <= Number(count); number += 1) {
    const parts = [{ type: "text", text: `text ${number} of ${prefix}` }] as const;
    const entry = parseEntryId(`${prefix}${number}`);
    const [receipt] = await log.append(id, [{ id: entry, at, kind: "message", role: "user", parts }]);
    process.stdout.write(`${receipt?.seq} ${receipt?.id}\n`);
  }
}

// Node does it at the end of a process, which most of these do not live to see.
flushCompileCache();
try {
  const store = await openStore(home);
  await write(store).finally(() => store[Symbol.asyncDispose]());
} catch (error) {
  if (!(error instanceof AppError)) throw error;
  process.stdout.write(`failed ${error.code}\n`);
  process.exitCode = exitCode(error);
}
