import { createInterface } from "node:readline";
import type { Json } from "../../src/sessions/entry.ts";
import { openToolbox } from "../../src/tools/open-toolbox.ts";

/** The tools as somebody has them who may not do everything: answers each line, a call, with its outcome. */
const [folder = ""] = process.argv.slice(2);
const signal = new AbortController().signal;
// A tool is loaded by its first call: later this user may not be able to read where Carryon is.
{
  const toolbox = await openToolbox({ folder, env: { PATH: process.env.PATH } });
  for (const [name, input] of [
    ["read", { path: "no" }],
    ["list", { path: "no" }],
    ["search", { pattern: "no such text" }],
    ["edit", { path: "no", old: "a", new: "b" }],
  ] as const)
    await toolbox.run(name, input, signal);
}
if (process.getuid?.() === 0) {
  process.setgroups?.([]);
  process.setgid?.(65534);
  process.setuid?.(65534);
}
const toolbox = await openToolbox({ folder, env: { PATH: process.env.PATH } });
for await (const line of createInterface({ input: process.stdin })) {
  const [name, input] = JSON.parse(line) as [string, Json];
  const outcome = await toolbox.run(name, input, signal);
  process.stdout.write(`${JSON.stringify(outcome)}\n`);
}
