import { hash } from "node:crypto";
import { cp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { crc32, deflateSync } from "node:zlib";
import { isSystemError } from "../../src/lib/app-error.ts";
import type { Claude } from "./clients/open-claude.ts";
import type { SeenRequest } from "./model-server/open-model-server.ts";
import type { Scenario } from "./model-server/scenario.ts";
import { openRecordedClaude, type RecordedClaude } from "./recorded-claude.ts";

/** Characters of several scripts, joined and combined ones, and some that run from right to left. */
const words = "漢字 🎉👩‍💻 e\u0301 café שלום";

const tools = ["--allowedTools", "Bash Write Edit Read Agent"];

/** A session of the real Claude Code in which happened all that can: see `scenarioIn`. */
export interface RichSession extends AsyncDisposable {
  readonly shop: RecordedClaude;
  /** Where its folders are: `shop`, the repository, with the homes of the client and of Carryon beside it. */
  readonly folder: string;
  readonly id: string;
  /** What the client sent with the last prompt before the compaction, and with the last one of all. */
  readonly before: readonly unknown[];
  readonly own: readonly unknown[];
  /** Puts both homes back to where they were when the session was over. */
  restore(): Promise<void>;
}

/** Records the session. */
export async function recordRichSession(version: string): Promise<RichSession> {
  const shop = await openRecordedClaude(version, { scenario: scenarioIn });
  const { claude, server } = shop;
  await writeFile(join(claude.cwd, "dot.png"), picture);
  const { result } = await claude.run(`do everything ${words}`, tools);
  const id = result?.session_id ?? "";
  const ask = async (prompt: string) => {
    await claude.run(prompt, [...tools, "--resume", id]);
    return talkOf(server.requests.findLast(({ method }) => method === "POST"));
  };
  const before = await ask("and now?");
  await ask("/compact");
  await ask(`do everything again ${words}`);
  const own = await ask("and then?");
  await shop.carryon("sync");
  const folder = dirname(claude.cwd);
  const homes = ["home", "carryon-home"];
  for (const name of homes) await copyAtRest(join(folder, name), join(folder, "kept", name));
  let count = 0;
  const restore = async () => {
    for (const name of homes) {
      const place = join(folder, name);
      count += 1;
      await cp(join(folder, "kept", name), `${place}-fresh`, { recursive: true, preserveTimestamps: true });
      // Not removed: what a hook has started, and nobody waits for, may still write there.
      await rename(place, `${place}-used-${count}`);
      await rename(`${place}-fresh`, place);
    }
  };
  return { shop, folder, id, before, own, restore, [Symbol.asyncDispose]: () => shop[Symbol.asyncDispose]() };
}

/** Copies a folder as soon as nothing in it goes away meanwhile: a hook may have started a sync that nobody waits for. */
async function copyAtRest(from: string, to: string): Promise<void> {
  for (;;) {
    try {
      await cp(from, to, { recursive: true });
      return;
    } catch (error) {
      if (!isSystemError(error, "ENOENT")) throw error;
      await rm(to, { recursive: true, force: true });
      await setTimeout(200);
    }
  }
}

/** A shell call, a new file, an edit, a failure, calls side by side, a picture and a subagent. */
function scenarioIn(cwd: string): Scenario {
  const path = join(cwd, "naïve 漢.txt");
  const shell = (command: string) => ({ tool: "Bash", input: { command, description: "Try it" } });
  const agent = { description: "Count", prompt: "count the files", subagent_type: "general-purpose" };
  return {
    rules: [
      {
        when: "do everything",
        steps: [
          { thinking: `About ${words}`, text: `Look: ${words}`, calls: [shell(`printf '%s' '${words}'`)] },
          { calls: [{ tool: "Write", input: { file_path: path, content: "one\ntwo\n" } }] },
          { calls: [{ tool: "Edit", input: { file_path: path, old_string: "two", new_string: "二" } }] },
          { text: "Now it fails.", calls: [shell("echo no >&2; exit 3")] },
          {
            calls: [
              shell("sleep 0.2; echo a"),
              shell("echo b"),
              { tool: "Read", input: { file_path: path } },
            ],
          },
          { calls: [{ tool: "Read", input: { file_path: join(cwd, "dot.png") } }] },
          { calls: [{ tool: "Agent", input: { ...agent, run_in_background: false } }] },
          { text: "All is done, 完了." },
        ],
      },
      {
        when: "count the files",
        steps: [{ text: "I count.", calls: [shell("ls")] }, { text: "I have counted." }],
      },
      {
        when: "create a detailed summary of the conversation",
        steps: [{ text: "<analysis>x</analysis>\n<summary>要約: all was done.</summary>" }],
      },
    ],
    otherwise: { text: "Understood." },
  };
}

const picture = makePicture(16);

/** Makes a grey picture that is so wide and high, as PNG. */
function makePicture(side: number): Buffer {
  const header = Buffer.from([0, 0, 0, side, 0, 0, 0, side, 8, 0, 0, 0, 0]);
  const rows = Buffer.alloc(side * (side + 1));
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const [size, check] = [Buffer.alloc(4), Buffer.alloc(4)];
    size.writeUInt32BE(data.length);
    check.writeUInt32BE(crc32(body));
    return Buffer.concat([size, body, check]);
  };
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10]);
  const chunks = [chunk("IHDR", header), chunk("IDAT", deflateSync(rows)), chunk("IEND", Buffer.alloc(0))];
  return Buffer.concat([signature, ...chunks]);
}

type Block = Readonly<Record<string, unknown>>;

interface Said {
  readonly role: string;
  readonly content: string | readonly Block[];
}

/** What the client tells the model of itself, and says again when it resumes a session. */
const reminder = /^\s*<(system-reminder|local-command-caveat)>/;

/** Returns what people, the model and tools said in a request; a picture as the note that stands for it in the store. */
export function talkOf(request: SeenRequest | undefined): readonly unknown[] {
  const body = request?.body as { readonly messages: readonly Said[] } | undefined;
  const said = (body?.messages ?? []).filter(({ role }) => role !== "system");
  return said.flatMap(({ role, content }) =>
    (typeof content === "string" ? [{ type: "text", text: content }] : content)
      .filter(({ text }) => !reminder.test(String(text ?? "")))
      .map((block) => ({ role, ...plainBlock(block) })),
  );
}

/** The store keeps the one text of a result as a text, and a result that is no failure without a word of it. */
function plainBlock({ cache_control: _, is_error: failed, ...block }: Block): Block {
  const blocks = (Array.isArray(block.content) ? (block.content as readonly Block[]) : []).map(toNote);
  const [only, ...others] = blocks;
  const isPlain = only?.type === "text" && others.length === 0;
  return {
    ...block,
    ...(typeof block.text === "string" && { text: block.text.replace(/\s+</g, "\n<").trimEnd() }),
    ...(blocks.length > 0 && { content: isPlain ? only.text : blocks }),
    ...(failed === true && { is_error: true }),
  };
}

function toNote(block: Block): Block {
  const source = block.source as { readonly data: string; readonly media_type: string } | undefined;
  if (source === undefined) return block;
  const bytes = Buffer.from(source.data, "base64");
  const text = `[Image: ${source.media_type}, ${bytes.length} bytes, SHA-256 ${hash("sha256", bytes, "hex")}; its content was not kept]`;
  return { type: "text", text };
}

/** Returns the bytes of the transcript that the client has of a session. */
export async function readOwnFile(claude: Claude, id: string): Promise<string> {
  return readFile(await claude.locateTranscript(id), "utf8");
}
