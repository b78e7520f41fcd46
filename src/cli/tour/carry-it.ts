import { stat } from "node:fs/promises";
import { join } from "node:path";
import { formatBytes } from "../../lib/format-bytes.ts";
import type { Scratch } from "./scratch.ts";
import { insist, type Teller } from "./teller.ts";

/** Shows how sessions go to another machine in a file, and that they are the same there. */
export async function carryIt(scratch: Scratch, sessions: readonly string[], say: Teller): Promise<void> {
  await say.step("Sessions go to another machine in a file, and are the same there");
  say.command("carryon export --output ../project.jsonl");
  await scratch.run(["export", ...sessions, "--output", "../project.jsonl"]);
  const { size } = await stat(join(scratch.folder, "project.jsonl"));
  say.result(`${formatBytes(size)}: every entry with its hash.`);
  say.command("carryon import ../project.jsonl   # over there");
  say.result(await scratch.runElsewhere(["import", "../project.jsonl"]));
  for (const session of sessions) {
    const [here, there] = [
      await readHead(scratch.run, session),
      await readHead(scratch.runElsewhere, session),
    ];
    insist(here === there, `${session} has another head elsewhere`);
  }
  const again = await scratch.runElsewhere(["import", "../project.jsonl"]);
  insist(
    again
      .trim()
      .split("\n")
      .every((line) => line.startsWith("known")),
    "importing twice added something",
  );
  say.result("The chain heads are the same, and importing it again adds nothing.");
  say.command("carryon export latest --output ../talk.html   # a page to read");
  await scratch.run(["export", sessions[0] ?? "latest", "--output", "../talk.html"]);
}

async function readHead(
  run: (args: readonly string[]) => Promise<string>,
  session: string,
): Promise<string | null> {
  return JSON.parse(await run(["show", session, "--json", "--from", "-1"])).session.head;
}
