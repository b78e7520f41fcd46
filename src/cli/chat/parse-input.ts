/** What a person means with what they typed. */
export type ChatInput =
  | { readonly type: "nothing" }
  | { readonly type: "prompt"; readonly text: string }
  | { readonly type: "command"; readonly name: string; readonly rest: string };

/**
 * Tells commands from what is said to the model.
 *
 * A command is one line that begins with a slash and a word: a path such as /etc/hosts and a text of several lines are
 * said as they are, and `//` says what would otherwise be a command.
 */
export function parseInput(typed: string): ChatInput {
  const text = typed.trim();
  if (text === "") return { type: "nothing" };
  if (text.startsWith("//")) return { type: "prompt", text: text.slice(1) };
  const [, name, rest = ""] = /^\/([A-Za-z?][A-Za-z-]*)(?:[ \t]+([^\n]*))?$/.exec(text) ?? [];
  if (name === undefined) return { type: "prompt", text };
  return { type: "command", name: name.toLowerCase(), rest: rest.trim() };
}
