import { createHash } from "node:crypto";

/** Returns the signature that this model puts on a thought. It carries the thought, as a real one does. */
export function signThinking(thinking: string): string {
  return `${Buffer.from(thinking).toString("base64")}.${seal(thinking)}`;
}

/** Tells whether a signature is one of this model and fits a thought, or one that was sent without its text. */
export function isSignatureOf(signature: unknown, thinking: unknown): boolean {
  const [carried = "", mark] = String(signature).split(".");
  const thought = Buffer.from(carried, "base64").toString();
  return mark === seal(thought) && (thinking === thought || thinking === "");
}

function seal(thinking: string): string {
  return createHash("sha256").update(`a scripted thought: ${thinking}`).digest("base64url");
}
