import { once } from "node:events";
import { createInterface } from "node:readline/promises";
import type { Scratch } from "./scratch.ts";

/** What a writer had acknowledged when it was killed. */
export interface KilledWriter {
  readonly session: string;
  readonly sent: number;
  readonly acknowledged: readonly string[];
}

/**
 * Starts a writer, gives it everything it has to write, and kills it with SIGKILL in the middle.
 *
 * Every acknowledgement that it managed to send counts, also those that arrive after the kill.
 */
export async function killWriter(
  scratch: Scratch,
  script: readonly string[],
  killAfter: number,
  onAcknowledged: (count: number) => void,
): Promise<KilledWriter> {
  const writer = scratch.start(["append", "--title", "Users are logged out"]);
  const gone = once(writer, "exit");
  // The writer dies with input unread.
  writer.stdin.on("error", () => undefined);
  writer.stdin.write(`${script.join("\n")}\n`);
  const acknowledged: string[] = [];
  let session = "";
  for await (const line of createInterface({ input: writer.stdout })) {
    const answer: { session?: string; id?: string } = JSON.parse(line);
    session = answer.session ?? session;
    if (answer.id === undefined) continue;
    acknowledged.push(answer.id);
    onAcknowledged(acknowledged.length);
    if (acknowledged.length === killAfter) writer.kill("SIGKILL");
  }
  await gone;
  return { session, sent: script.length, acknowledged };
}
