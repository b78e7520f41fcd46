import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Chat, startChat } from "../src/index.ts";

/** Talks to a model, and goes on with the same session as another process would, after a crash or tomorrow. */
export async function talkToAModel(cwd: string, home: string, env: NodeJS.ProcessEnv): Promise<void> {
  const first = await startChat({ cwd, home, env, name: "The login", tools: "none" });
  await say(first, "The login must use passkeys. What do I need?");
  await first.end({ input: "And how do I" }, "ended");
  await first[Symbol.asyncDispose]();

  const again = await startChat({ cwd, home, env, session: "latest", tools: "none" });
  const { messages, draft } = again.restored;
  console.log(`${messages} messages are back, and what was being typed: ${draft?.input}`);
  await say(again, "What did I say about the login?");
  await again.end({ input: "" }, "ended");
  await again[Symbol.asyncDispose]();
}

async function say(chat: Chat, text: string): Promise<void> {
  const { signal } = new AbortController();
  // Whatever is told as saved is on disk.
  for await (const event of chat.say(text, { signal, approve: async () => "no" }))
    if (event.type === "reply-saved") console.log(event.message.parts);
}

// `ANTHROPIC_API_KEY=… node examples/talk-to-a-model.ts` runs it in a scratch folder.
if (import.meta.main) {
  const scratch = await mkdtemp(join(tmpdir(), "carryon-example-"));
  await talkToAModel(scratch, join(scratch, "home"), process.env);
}
