import { blocksOf, type ChainRow, objectOf, textOf } from "./wire.ts";

/** Names what a row and a hook are both about: a prompt, the call of a tool, or its result. */
export type Link = string;

/** The ends of ids tell them apart, and many are kept. */
const endLength = 12;

export const linkTo = {
  prompt: (id: string): Link => `p${id.slice(-endLength)}`,
  call: (id: string): Link => `c${id.slice(-endLength)}`,
  result: (id: string): Link => `r${id.slice(-endLength)}`,
} as const;

/** Returns what a call and what hooks saw of it have in common. */
export function endOfCall(id: string): string {
  return toIdText(id.slice(-endLength));
}

/** Returns the end of the call that a hook saw, or saw the result of; undefined for any other entry. */
export function callEndOf(entry: string): string | undefined {
  return /^seen-[A-Za-z]+-[cr](.+)$/s.exec(entry)?.[1];
}

/** Returns what calls are compared by: hooks know them by their ends. */
export function keyOfCall(id: string): string {
  return callEndOf(id) ?? endOfCall(id);
}

/** Returns a text as it stands in the id of an entry. */
export function toIdText(text: string): string {
  return text.replace(/[^A-Za-z0-9_-]/g, "-");
}

/** Returns what hooks may have seen of a row. */
export function linksOf({ type, fields }: ChainRow): readonly Link[] {
  if (type !== "user" && type !== "assistant") return [];
  const links = blocksOf(objectOf(fields, "message").content).flatMap((block) => {
    const [call, result] = [textOf(block, "id"), textOf(block, "tool_use_id")];
    if (result !== undefined) return [linkTo.result(result)];
    return call === undefined ? [] : [linkTo.call(call)];
  });
  const prompt = textOf(fields, "promptId");
  // The results of tools name the prompt of their turn again.
  return prompt === undefined || links.length > 0 ? links : [linkTo.prompt(prompt)];
}

/** A hook and the row that it was about come shortly after one another; more need not be kept. */
const remembered = 128;

/** Returns the newest links. */
export function keepLinks(links: readonly Link[]): readonly Link[] {
  return links.slice(-remembered);
}
