import { randomUUID } from "node:crypto";
import { appendFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { literalPattern } from "../../src/redaction/text-pattern.ts";
import { parseSessionId } from "../../src/sessions/ids.ts";
import { openStore } from "../../src/storage/open-store.ts";
import { openClientFolder, rightAfter } from "../support/client-folder.ts";
import { filesWith } from "../support/files-with.ts";
import { minute, promptSeen, row, seen, session } from "../support/hooked-session.ts";
import { openCarryon } from "../support/run-carryon.ts";

/** A secret that no rule knows. */
const canary = "correct-horse-battery-staple-9141";

it("takes a secret out of everything that hooks and transcripts brought, for good", async () => {
  await using client = await openClientFolder();
  const texts = [
    row(1, { type: "user", promptId: "prompt-1", gitBranch: canary, message: { content: `say ${canary}` } }),
    row(2, { type: "custom-title", customTitle: `about ${canary}` }),
    row(3, { type: "last-prompt", lastPrompt: canary, leafUuid: "row-1" }),
    row(4, { type: "pr-link", prNumber: 1, prUrl: `https://x.example/${canary}` }),
  ];
  const path = await client.write(session, texts.join(""));
  await client.hook(seen("PreToolUse", 5, { tool_use_id: "toolu_9", tool_input: { command: canary } }));
  await client.sync();
  await client.hook({ ...promptSeen, payload: { prompt: canary, prompt_id: "prompt-2" } });
  {
    await using store = await openStore(client.home);
    const pattern = literalPattern(canary);
    expect(await store.scrubber.find(pattern)).toMatchObject({ pending: 2 });
    await store.scrubber.replace(pattern, minute(9));
    expect(await store.scrubber.find(pattern)).toMatchObject({ pending: 0, entries: 0, sessions: [] });
    expect(await store.log.verify(parseSessionId(session))).toMatchObject({ problem: null });
  }
  expect(await filesWith(client.home, [canary])).toEqual([]);
  // The client says everything again: nothing of it comes back.
  await appendFile(path, texts.slice(1).join(""));
  expect(await client.sync()).toMatchObject({ items: 1, failed: [] });
  await client.write(session, texts.join(""));
  await client.sync({ now: rightAfter });
  expect(await filesWith(client.home, [canary])).toEqual([]);
});

it("finds a secret that a hook left in the spool", async () => {
  await using carryon = await openCarryon();
  await using client = await openClientFolder();
  const env = { CARRYON_HOME: client.home };
  await client.hook({ ...promptSeen, payload: { prompt: canary, id: randomUUID() }, to: "spool" });
  expect(await carryon.call(["scrub", canary, "--yes"], { env })).toMatchObject({
    ...{ code: 0, stderr: expect.stringContaining("Scrubbed 1 note for the next sync.") },
  });
  expect(await filesWith(client.home, [canary])).toEqual([]);
  await client.sync();
  expect(await filesWith(join(dirname(client.home), "home"), [canary])).toEqual([]);
});
