import { hash } from "node:crypto";
import { appendFile, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Entry } from "../../src/sessions/entry.ts";
import { parseSessionId } from "../../src/sessions/ids.ts";
import { readInPlace } from "../../src/sessions/read-in-place.ts";
import { userWords } from "../../src/sessions/user-words.ts";
import { openStore } from "../../src/storage/open-store.ts";
import { type ClientFolder, nothingUnusual, openClientFolder } from "../support/client-folder.ts";
import { collect } from "../support/entries.ts";
import { called, minute, prompt, row, seen, session } from "../support/hooked-session.ts";

/** A row that says what was typed while the model worked. */
const queued = (number: number, content: string) =>
  `${JSON.stringify({
    ...{ type: "queue-operation", operation: "enqueue", sessionId: session, content },
    timestamp: minute(number).toISOString(),
  })}\n`;
const removed = `${JSON.stringify({ type: "queue-operation", operation: "remove", sessionId: session })}\n`;
const said = (number: number, content: unknown, parent: string) =>
  row(number, { type: "user", message: { role: "user", content } }, parent);
const result = (number: number, parent: string) =>
  said(number, [{ type: "tool_result", tool_use_id: "toolu_1", content: "a.txt" }], parent);

/** What somebody sees who reads the session, in few words. */
async function told(client: ClientFolder): Promise<readonly string[]> {
  await using store = await openStore(client.home);
  const entries = await collect(readInPlace(store.log, parseSessionId(session)));
  return entries.map(describeEntry);
}

function describeEntry(entry: Entry): string {
  const [words] = userWords(entry);
  return words === undefined ? entry.id : `${words.how}: ${words.text}`;
}

describe("what was typed while the model worked", () => {
  it("is told where it was typed, although no row repeats it", async () => {
    await using client = await openClientFolder();
    const rows = [prompt, called, queued(3, "Use WARN."), result(4, "row-2"), removed];
    await client.write(session, [...rows, said(6, "And now?", "row-4")].join(""));
    expect(await client.sync()).toMatchObject({ added: 5, rejected: [], failed: [] });
    expect(await client.sync()).toMatchObject({ added: 0, changed: 0 });
    expect(await told(client)).toEqual([
      ...["prompt: hello", "row-2", "queued: Use WARN.", "row-4", "prompt: And now?"],
    ]);
    const stored = (await client.read())[session]?.entries.find(({ id }) => id.startsWith("queued-"));
    expect(stored).toMatchObject({
      ...{ kind: "event", event: "prompt-seen", strand: "hooks", parent: "row-2", at: minute(3) },
      data: { prompt: "Use WARN.", how: "queued" },
    });
  });

  it.each([
    { case: "as a prompt", later: said(4, "Use WARN.", "row-2") },
    { case: "in one prompt with others", later: said(4, "Stop.\n  Use WARN.\nThanks.", "row-2") },
    {
      case: "as an attachment",
      later: row(
        4,
        { type: "attachment", attachment: { type: "queued_command", prompt: "Use WARN." } },
        "row-2",
      ),
    },
  ])("is told once when a row repeats it $case", async ({ later }) => {
    await using client = await openClientFolder();
    const path = await client.write(session, prompt + called + queued(3, "Use WARN."));
    await client.sync();
    expect(await told(client)).toEqual(["prompt: hello", "row-2", "queued: Use WARN."]);
    await appendFile(path, removed + later);
    await client.sync();
    expect((await told(client)).filter((each) => each.includes("Use WARN."))).toHaveLength(1);
    expect(await client.sync()).toMatchObject({ added: 0 });
  });

  it("is told once when a command of the client repeats it", async () => {
    await using client = await openClientFolder();
    const ran = "<command-name>/model</command-name>\n<command-args>fast</command-args>";
    await client.write(session, prompt + queued(3, "/model fast") + said(4, ran, "row-1"));
    await client.sync();
    expect(await told(client)).toEqual(["prompt: hello", "command: /model fast"]);
  });

  it("is told once when a hook saw it, whoever comes first", async () => {
    await using client = await openClientFolder();
    const submitted = seen("UserPromptSubmit", 4, { prompt: "Use WARN.", prompt_id: "prompt-2" });
    const path = await client.write(session, prompt + called + queued(3, "Use WARN."));
    await client.sync();
    await client.hook(submitted);
    await client.sync();
    expect(await told(client)).toEqual(["prompt: hello", "row-2", "prompt: Use WARN."]);
    await client.hook(seen("UserPromptSubmit", 9, { prompt: "Go on.", prompt_id: "prompt-3" }));
    await client.sync();
    await appendFile(path, queued(8, "Go on.") + result(10, "row-2") + said(11, "Next.", "row-10"));
    await client.sync();
    expect(await told(client)).toEqual([
      ...["prompt: hello", "row-2", "prompt: Use WARN.", "prompt: Go on.", "row-10", "prompt: Next."],
    ]);
  });

  it("is nothing where the client queued its own news, or where no session is known yet", async () => {
    await using client = await openClientFolder();
    const news = "<task-notification>\n<status>completed</status>\n</task-notification>";
    const path = await client.write(session, queued(0, "hello"));
    expect(await client.sync()).toMatchObject({ sessions: 0, added: 0 });
    await appendFile(path, prompt + queued(2, news));
    expect(await client.sync()).toMatchObject({ sessions: 1, added: 1 });
    expect(await told(client)).toEqual(["prompt: hello"]);
  });

  it("has its secrets taken out, and is known again all the same", async () => {
    await using client = await openClientFolder();
    const secret = `ghp_${"a1B2c3D4e5F6".repeat(3)}`;
    const path = await client.write(session, prompt + called + queued(3, `Use ${secret}`));
    await client.sync();
    expect(JSON.stringify(await client.read())).not.toContain(secret);
    await appendFile(path, said(4, `Use ${secret}`, "row-2"));
    await client.sync();
    expect((await told(client)).filter((each) => each.includes("Use "))).toHaveLength(1);
  });

  it("is read again once from a transcript that an older version has read", async () => {
    await using client = await openClientFolder();
    const after = result(4, "row-2") + said(6, "And now?", "row-4");
    await client.write(session, prompt + called + after);
    await client.sync();
    const path = await client.write(session, prompt + called + queued(3, "Use WARN.") + after);
    await markAsRead(client.home, path);
    expect(await client.sync()).toEqual({
      ...{ ...nothingUnusual, transcripts: 1, changed: 1, sessions: 0 },
      ...{ added: 1, known: 4 },
    });
    expect(await told(client)).toEqual([
      ...["prompt: hello", "row-2", "queued: Use WARN.", "row-4", "prompt: And now?"],
    ]);
    await markAsRead(client.home, path);
    expect(await client.sync()).toMatchObject({ added: 0, known: 5 });
    expect(await client.sync()).toMatchObject({ changed: 0 });
  });

  it("is told alike however the transcript is read", async () => {
    const words = fc.constantFrom("Stop.", "Use WARN.", "hello", "Stop.\nUse WARN.");
    const story = fc.array(fc.record({ words, isQueued: fc.boolean(), isSynced: fc.boolean() }), {
      maxLength: 8,
    });
    await fc.assert(
      fc.asyncProperty(story, async (steps) => {
        await using atOnce = await openClientFolder();
        await using inPieces = await openClientFolder();
        const texts = writeStory(steps);
        for (const { text } of texts.filter(({ isSynced }) => isSynced)) await syncWith(inPieces, text);
        const whole = texts.at(-1)?.text ?? prompt;
        await syncWith(atOnce, whole);
        await syncWith(inPieces, whole);
        expect(await told(inPieces)).toEqual(await told(atOnce));
        expect(await inPieces.sync()).toMatchObject({ added: 0 });
      }),
      { numRuns: 25 },
    );
  });
});

interface Step {
  readonly words: string;
  readonly isQueued: boolean;
  readonly isSynced: boolean;
}

/** Returns the transcript after each step, and whether it is read then. */
function writeStory(
  steps: readonly Step[],
): readonly { readonly text: string; readonly isSynced: boolean }[] {
  let [text, parent] = [prompt, "row-1"];
  return steps.map(({ words, isQueued, isSynced }, index) => {
    text += isQueued ? queued(index + 2, words) : said(index + 2, words, parent);
    if (!isQueued) parent = `row-${index + 2}`;
    return { text, isSynced };
  });
}

async function syncWith(client: ClientFolder, text: string): Promise<void> {
  await client.write(session, text);
  await client.sync();
}

/** Makes the store say of a transcript what 0.1.0 said after it had read all of it. */
async function markAsRead(home: string, path: string): Promise<void> {
  const { size, ino, mtimeNs } = await stat(path, { bigint: true });
  const tail = hash("sha256", (await readFile(path)).subarray(-1024), "hex");
  const position = { offset: Number(size), lines: 5, inode: String(ino), tail, mtimeNs: String(mtimeNs) };
  const database = new DatabaseSync(join(home, "store.db"));
  database.prepare("UPDATE ingestion SET position = ?").run(JSON.stringify(position));
  database.close();
}
