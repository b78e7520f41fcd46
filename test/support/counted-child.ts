/**
 * Kills the process that loads it with SIGKILL at one of its events, or counts them: it does not matter how fast the machine is.
 *
 * An event is a statement to SQLite, a write to a socket or a pipe (a query, a request, a line), or the start of another
 * program. Those before a script says `beginWork` are its start, the others its work. Changes of files outside SQLite are
 * counted apart, and only during the work. The environment says at which event the process dies, and where it writes how
 * many there were.
 */
import { ChildProcess } from "node:child_process";
import { subscribe } from "node:diagnostics_channel";
import fs, { writeFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { Socket } from "node:net";
import { DatabaseSync, StatementSync } from "node:sqlite";
import { isMainThread, Worker } from "node:worker_threads";
import { countVariable, type EventCounts, grace, momentVariable, workChannel } from "./kill-moments.ts";

const [phase, number, manner] = (process.env[momentVariable] ?? "").split(" ");
const last = Number(number);
const counts: { -readonly [name in keyof EventCounts]: number } = { start: 0, work: 0, files: 0 };
let now: "start" | "work" = "start";
const isOver = new Int32Array(new SharedArrayBuffer(4));

function die(): void {
  process.kill(process.pid, "SIGKILL");
}

function count(counter: keyof EventCounts): void {
  counts[counter] += 1;
  if (counter === phase && counts[counter] >= last) dieNow(counts[counter]);
}

function countEvent(): void {
  count(now);
}

function countChange(): void {
  if (now === "work") count("files");
}

/** Dies before the event, or has a thread kill it meanwhile, which comes in the middle of whatever it does then. */
function dieNow(number: number): void {
  if (manner !== "meanwhile" || number >= last + grace) die();
  Atomics.store(isOver, 0, 1);
  Atomics.notify(isOver, 0);
}

// The thread loads this file too.
if (manner === "meanwhile" && isMainThread) {
  const script = `
    Atomics.wait(require("node:worker_threads").workerData, 0, 0);
    process.kill(process.pid, "SIGKILL");`;
  new Worker(script, { eval: true, workerData: isOver }).unref();
}

/** Has methods count before they do what they do. */
function watch<Name extends string>(
  prototype: Record<Name, unknown>,
  names: readonly Name[],
  count: () => void,
): void {
  for (const name of names) {
    const original = prototype[name] as (...args: unknown[]) => unknown;
    prototype[name] = function counted(this: unknown, ...args: unknown[]) {
      count();
      return original.apply(this, args);
    };
  }
}

watch(DatabaseSync.prototype as never, ["exec"], countEvent);
watch(StatementSync.prototype as never, ["run", "get", "all", "iterate"], countEvent);
watch(Socket.prototype as never, ["write"], countEvent);
watch(ChildProcess.prototype as never, ["spawn"], countEvent);
watch(
  fs.promises as never,
  ["appendFile", "link", "mkdir", "rename", "rm", "unlink", "writeFile"],
  countChange,
);
await using own = await fs.promises.open(process.execPath);
watch(Object.getPrototypeOf(own), ["truncate", "write"], countChange);
syncBuiltinESMExports();
subscribe(workChannel, () => {
  // One that was to die in its start never gets to its work, nor to its end.
  if (phase === "start") die();
  now = "work";
});
process.on("exit", () => {
  if (phase === "start" || Atomics.load(isOver, 0) === 1) die();
  const file = process.env[countVariable];
  if (file !== undefined) writeFileSync(file, JSON.stringify(counts));
});
