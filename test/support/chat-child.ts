/**
 * Holds the chat of `chat-killing.ts` as far as it has not come yet, and prints a line for everything that it is told is saved:
 * `entry ID` for messages, `result CALL` for results of tools, `partial ID` for what is left of a reply. `end` at its end.
 *
 * Arguments: how many prompts there are, the folder, the home, the address of the store or nothing, the model, the session or nothing. The variables of
 * the environment say where the model is.
 */
import type { Chat, ChatEvent } from "../../src/chat/chat.ts";
import { startChat } from "../../src/chat/start-chat.ts";
import { messageText } from "../../src/sessions/entry.ts";
import { beginWork } from "./kill-moments.ts";

const [steps = "", cwd = "", home = "", store = "", model = "", session = ""] = process.argv.slice(2);

function tell(event: ChatEvent): void {
  if (event.type === "prompt-saved" || event.type === "reply-saved") print(`entry ${event.entry}`);
  if (event.type === "tool-saved") print(`result ${event.call.call}`);
  if (event.type === "interrupted" && event.entry !== undefined) print(`partial ${event.entry}`);
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
  // Whoever is killed at its work has told of something.
  if (!line.startsWith("opened")) beginWork();
}

/** Returns the first step that has not come to its end. */
function nextStep(chat: Chat): number {
  const replies = new Set(
    chat
      .recent(Number.POSITIVE_INFINITY)
      .flatMap((entry) => (entry.kind === "message" && !entry.interrupted ? [messageText(entry)] : [])),
  );
  const all = Array.from({ length: Number(steps) }, (_, index) => index + 1);
  return all.find((step) => !replies.has(`Done ${step}.`)) ?? 0;
}

const chat = await startChat({
  ...{ cwd, home, store, model, env: process.env },
  // What is not yet a message is saved all the time, so that kills meet these saves too.
  autoSaveInterval: 0.02,
  draft: () => ({ input: `typed at ${performance.now()}` }),
  ...(session === "" ? {} : { session }),
});
print(`opened ${chat.status.session}`);
for (let step = nextStep(chat); step > 0; step = nextStep(chat)) {
  const signal = new AbortController().signal;
  for await (const event of chat.say(`Step ${step}.`, { signal, approve: async () => "yes" })) tell(event);
}
await chat.end({ input: "" }, "ended");
print("end");
await chat[Symbol.asyncDispose]();
