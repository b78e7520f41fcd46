import { spawn } from "node:child_process";
import { once } from "node:events";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openChatting, scenarioOf } from "../../support/open-chatting.ts";
import { launcher } from "../../support/test-context.ts";

it("gives what tools and commands make the mask of the user, and keeps its own files private", async () => {
  await using chatting = await openChatting(
    scenarioOf({
      "make files": [
        {
          calls: [
            { tool: "write", input: { path: "new/a.txt", content: "a\n" } },
            { tool: "bash", input: { command: "echo b > b.txt" } },
          ],
        },
        { text: "Done." },
      ],
    }),
  );
  const cwd = join(chatting.folder, "work");
  const words = ["-c", 'umask 022; exec "$@"', "sh", process.execPath, launcher, "chat", "--yes"];
  const child = spawn("/bin/sh", words, { cwd, env: chatting.env });
  child.stdin.end("make files\n");
  await once(child, "close");
  const modes = [];
  for (const path of ["work/new", "work/new/a.txt", "work/b.txt", "home", "home/store.db"])
    modes.push([path, ((await stat(join(chatting.folder, path))).mode & 0o777).toString(8)]);
  expect(modes).toEqual([
    ["work/new", "755"],
    ["work/new/a.txt", "644"],
    ["work/b.txt", "644"],
    ["home", "700"],
    ["home/store.db", "600"],
  ]);
});
