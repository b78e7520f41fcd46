import { collectTexts } from "../../src/hooks/collect-texts.ts";
import { mayHoldSecret } from "../../src/hooks/secret-signs.ts";

/** The size up to which a hook decides by itself whether a payload may hold a secret. */
export const plainLimits = { depth: 60, values: 5000, characters: 65_536 };

/** Tells whether a hook would look for secrets in a payload. */
export function isLookedAt(payload: unknown): boolean {
  const texts = collectTexts(payload, plainLimits);
  return texts === undefined || mayHoldSecret(texts);
}
