/**
 * Appends messages to a session, one at a time, and prints each receipt as "seq id" once it has it.
 *
 * Arguments: the address of the store (a home folder or a URL), the session, the beginning of the ids, how many, and
 * how it takes errors; without a number it goes on until it is killed. A failure is printed as "failed" with its code,
 * and its exit code is that of the command line. One that goes on prints "again" with the code instead and tries the
 * same entry once more, as long as the error may pass; it stops when its input ends.
 */
import { flushCompileCache } from "node:module";
import { setTimeout as sleep } from "node:timers/promises";
import { exitCode } from "../../src/cli/exit-code.ts";
import { AppError } from "../../src/lib/app-error.ts";
import { parseEntryId, parseSessionId } from "../../src/sessions/ids.ts";
import type { Store } from "../../src/storage/open-store.ts";
import { beginWork } from "./kill-moments.ts";
import { openAddress } from "./store-address.ts";

const [address = "", name = "", prefix = "", count = "Infinity", manner = "stop"] = process.argv.slice(2);
const at = new Date("2026-11-15T12:00:00.000Z");
const passing = ["store-unreachable", "store-busy", "store-failed"];
let isStopping = false;

async function write({ log, projects }: Store): Promise<void> {
  const id = parseSessionId(name);
  await insist(async () => {
    const project = await projects.recognise({ identities: ["path:/test"], name: "test" });
    const start = { client: "carryon-append", cwd: "/work", machine: "here", startedAt: at } as const;
    await log.open({ id, project: project.id, ...start });
  });
  for (let number = 1; number <= Number(count) && !isStopping; number += 1) {
    const parts = [{ type: "text", text: `text ${number} of ${prefix}` }] as const;
    const entry = parseEntryId(`${prefix}${number}`);
    const [receipt] = await insist(() =>
      log.append(id, [{ id: entry, at, kind: "message", role: "user", parts }]),
    );
    await print(`${receipt?.seq} ${receipt?.id}`);
    // Whoever is killed at its work has a receipt.
    if (number === 1) beginWork();
  }
}

/** Prints a line; it has left this process when this returns, also where the reader is slow and the pipe is full. */
function print(line: string): Promise<void> {
  return new Promise((resolve) => process.stdout.write(`${line}\n`, () => resolve()));
}

/** Does something again and again until the store answers, if this writer goes on after errors. */
async function insist<Result>(work: () => Promise<Result>): Promise<Result> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (manner !== "go-on" || !(error instanceof AppError && passing.includes(error.code))) throw error;
      process.stdout.write(`again ${error.code}\n`);
      await sleep(20);
    }
  }
}

// Node does it at the end of a process, which most of these do not live to see.
flushCompileCache();
if (manner === "go-on") {
  process.stdin.on("end", () => {
    isStopping = true;
  });
  process.stdin.resume();
}
try {
  const store = await insist(() => openAddress(address));
  await write(store).finally(() => store[Symbol.asyncDispose]());
} catch (error) {
  if (!(error instanceof AppError)) throw error;
  process.stdout.write(`failed ${error.code}\n`);
  process.exitCode = exitCode(error);
}
process.stdin.destroy();
