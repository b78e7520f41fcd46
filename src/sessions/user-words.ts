import type { ConversationLog } from "./conversation-log.ts";
import { type Entry, type Json, type JsonObject, type MessageContent, messageText } from "./entry.ts";
import { mainStrand, type SessionId } from "./ids.ts";
import { hookStrand, toSeenMessage } from "./observations.ts";
import { isOwnPrompt } from "./own-echo.ts";
import { fieldOf, outputText } from "./tool-runs.ts";

/** How many of the newest entries are looked at: first few, then more; a turn may have hundreds of tool calls. */
const reaches = { far: [40, 200, 1000], near: [40, 200] } as const;

/** Returns what a person asked last in a session, even if the client was killed before it wrote that down. */
export async function readLastPrompt(
  log: ConversationLog,
  session: SessionId,
  reach: keyof typeof reaches = "far",
): Promise<string | undefined> {
  for (const newest of reaches[reach]) {
    let last: { readonly atMs: number; readonly text: string } | undefined;
    for await (const entry of log.read(session, { from: -newest })) {
      const [text, atMs] = [promptOf(entry).trim(), entry.at.getTime()];
      // What a hook saw may be recorded after what came later.
      if (text !== "" && (last === undefined || atMs >= last.atMs)) last = { atMs, text };
    }
    if (last !== undefined) return last.text;
  }
  return undefined;
}

/** A reason or an answer asks for something too; a stop does not. */
function promptOf(entry: Entry): string {
  return userWords(entry)
    .flatMap(({ text, how }) => (how === "interrupted" ? [] : [text]))
    .join("\n");
}

/** Something that the user said, and how. */
export interface UserWords {
  readonly text: string;
  /**
   * As a prompt; while the model worked (`queued`); when a call was refused; as the answer to a question; as a command;
   * or by stopping the model (`interrupted`: the text is the client's).
   */
  readonly how: "prompt" | "queued" | "rejecting" | "answering" | "command" | "interrupted";
}

/**
 * Returns what the user said with an entry, whatever client recorded it; nothing for what a client, a hook or Carryon said
 * in the user's name.
 *
 * What a hook or a queue saw counts too: read with `readShown`, so that nothing comes twice.
 */
export function userWords(entry: Entry): readonly UserWords[] {
  if (entry.strand !== mainStrand && entry.strand !== hookStrand) return [];
  if (entry.kind === "message" && entry.echo === true) return [];
  const message = toSeenMessage(entry) ?? (entry.kind === "message" ? entry : undefined);
  if (message !== undefined) return ofMessage(message, entry);
  return entry.kind === "event" && entry.strand === mainStrand ? ofEvent(entry.event, entry.data) : [];
}

function ofMessage(message: MessageContent, entry: Entry): readonly UserWords[] {
  switch (message.role) {
    case "user":
      return readPrompt(messageText(message), isQueued(entry) ? "queued" : "prompt");
    case "tool":
      return [...message.parts.flatMap(readRejection), ...readAnswers(message, entry)];
    case "assistant":
      return [];
  }
}

function isQueued(entry: Entry): boolean {
  return entry.kind === "event" && entry.data.how === "queued";
}

function ofEvent(event: string, { name, args, text }: JsonObject): readonly UserWords[] {
  if (event === "cancelled" && typeof text === "string") return [{ text, how: "interrupted" }];
  // Without arguments a command of the client only changes something in the client.
  if (event !== "command" || typeof name !== "string" || typeof args !== "string" || args.trim() === "")
    return [];
  return [{ text: `${name} ${args.trim()}`, how: "command" }];
}

const interruption = /^\[Request interrupted by user[^\]\n]*\]$/;
const commandForm = /^\/[\w.:-]+(?:\s|$)/;
/** Clients put this in the place of a conversation that they have summed up, or of a prompt that a hook has refused. */
const ofClient =
  /^(?:This session is being continued from a previous conversation\b|Operation stopped by hook: |UserPromptSubmit operation blocked by hook:)/;

function readPrompt(prompt: string, how: "prompt" | "queued"): readonly UserWords[] {
  const text = toTyped(withoutInjected(prompt).trim());
  if (text === "" || isOwnPrompt(text) || ofClient.test(text)) return [];
  if (interruption.test(text)) return [{ text, how: "interrupted" }];
  return [{ text, how: how === "prompt" && commandForm.test(text) ? "command" : how }];
}

/** Returns what somebody typed of a text in the user's name; "" where that is all a client's or Carryon's. */
export function typedText(text: string): string {
  const [words] = readPrompt(text, "prompt");
  return words === undefined || words.how === "interrupted" ? "" : words.text;
}

/** The heading with which a plan begins that a client hands over, or a prompt that was written as a document. */
const heading = /^(?:Implement the following plan:\s*)?#+\s+(?:plan:\s*)?([^\n]+)/i;

/** Returns a request as a name for the work: by its heading if it begins with one. */
export function toHeadline(text: string): string {
  return heading.exec(text.trimStart())?.[1] ?? text;
}

const commandName = /<command-name>([^<]*)<\/command-name>/;
const commandArgs = "<command-args>";

/** Returns a command as it was typed where a client wrote it in tags; any other text as it is. */
function toTyped(text: string): string {
  if (!/^<command-(?:name|message)>/.test(text)) return text;
  const name = commandName.exec(text)?.[1]?.trim() ?? "";
  const [from, to] = [text.indexOf(commandArgs), text.lastIndexOf("</command-args>")];
  const args = from === -1 || to < from ? "" : text.slice(from + commandArgs.length, to).trim();
  return args === "" ? name : `${name} ${args}`;
}

/** The tags in which clients speak to their model in the user's name. */
const injected: readonly string[] = [
  ...["system-reminder", "task-notification", "teammate-message", "user-prompt-submit-hook"],
  ...["local-command-caveat", "local-command-stdout", "local-command-stderr", "bash-stdout", "bash-stderr"],
  ...["ide_opened_file", "ide_selection", "new-diagnostics"],
  ...["environment_context", "user_instructions", "session_context", "hook_context"],
];

/** Returns a text without what a client put into it between its own tags. */
function withoutInjected(text: string): string {
  return text.includes("<") ? injected.reduce(withoutTag, text) : text;
}

function withoutTag(text: string, tag: string): string {
  const [open, close] = [`<${tag}>`, `</${tag}>`];
  let [kept, at] = ["", 0];
  for (let from = text.indexOf(open); from !== -1; from = text.indexOf(open, at)) {
    const to = text.indexOf(close, from);
    if (to === -1) break;
    kept += text.slice(at, from);
    at = to + close.length;
  }
  return at === 0 ? text : kept + text.slice(at);
}

const rejection =
  /^(?:Error: )?(?:The user doesn't want to proceed with this tool use|Permission for this tool use was denied)[^\n]*\bthe user said:\n/i;
const rejectionNote = "\n\nNote: The user's next message";

function readRejection(part: MessageContent["parts"][number]): readonly UserWords[] {
  if (part.type !== "tool-result" || part.failed !== true) return [];
  const output = outputText(part.output);
  const frame = rejection.exec(output)?.[0];
  const text = frame === undefined ? "" : (output.slice(frame.length).split(rejectionNote)[0] ?? "").trim();
  return text === "" ? [] : [{ text, how: "rejecting" }];
}

/** The answers are kept beside the result; of a client that was killed only a hook may have seen them. */
function readAnswers({ parts }: MessageContent, entry: Entry): readonly UserWords[] {
  const told = parts.map((part) =>
    part.type === "other" ? fieldOf(fieldOf(part.raw, "outcome"), "answers") : undefined,
  );
  const seen = entry.kind === "event" ? fieldOf(entry.data.output, "answers") : undefined;
  const answers = [...told, seen].flatMap(describeAnswers);
  return answers.length > 0 ? answers : parts.flatMap(readAnswered);
}

const answered = /^User has answered your questions?: ([\s\S]*?)\. You can now continue\b/;

/** Where the answers were not kept, there is the sentence in which the model was told of them. */
function readAnswered(part: MessageContent["parts"][number]): readonly UserWords[] {
  const text = part.type === "tool-result" ? answered.exec(outputText(part.output))?.[1] : undefined;
  return text === undefined ? [] : [{ text, how: "answering" }];
}

function describeAnswers(answers: Json | undefined): readonly UserWords[] {
  if (typeof answers !== "object" || answers === null || Array.isArray(answers)) return [];
  return Object.entries(answers).flatMap(([question, answer]): readonly UserWords[] => {
    const text = (typeof answer === "string" ? [answer] : Array.isArray(answer) ? answer : [])
      .filter((each) => typeof each === "string")
      .join(", ");
    return text === "" ? [] : [{ text: `${question} ${text}`, how: "answering" }];
  });
}
