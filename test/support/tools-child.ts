import { createInterface } from "node:readline";
import type { Json } from "../../src/sessions/entry.ts";
import { openToolbox } from "../../src/tools/open-toolbox.ts";

/** The tools as somebody has them who may not do everything: answers each line, a call, with its outcome. */
const [folder = ""] = process.argv.slice(2);
if (process.getuid?.() === 0) {
  process.setgroups?.([]);
  process.setgid?.(65534);
  process.setuid?.(65534);
}
const toolbox = await openToolbox({ folder, env: { PATH: process.env.PATH } });
for await (const line of createInterface({ input: process.stdin })) {
  const [name, input] = JSON.parse(line) as [string, Json];
  const outcome = await toolbox.run(name, input, new AbortController().signal);
  process.stdout.write(`${JSON.stringify(outcome)}\n`);
}
