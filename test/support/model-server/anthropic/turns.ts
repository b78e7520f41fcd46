import { type Block, blocksOf, type WireMessage } from "./wire.ts";

/** A block and where it stood in the request, as the API names places: `messages.2.content.0`. */
export interface PlacedBlock {
  readonly block: Block;
  readonly place: string;
}

/** What one side said until the other spoke. */
export interface BlockTurn {
  readonly role: string;
  /** The place of its first message, such as `messages.2`. */
  readonly place: string;
  readonly blocks: readonly PlacedBlock[];
}

/**
 * Returns the turns of a conversation: the API merges messages of one role that follow each other.
 *
 * Entries of the role `system` belong to no turn and are left out.
 */
export function toTurns(messages: readonly WireMessage[]): readonly BlockTurn[] {
  const turns: { role: string; place: string; blocks: PlacedBlock[] }[] = [];
  for (const [index, { role, content }] of messages.entries()) {
    if (role === "system") continue;
    const place = `messages.${index}`;
    const blocks = blocksOf(content).map((block, at) => ({ block, place: `${place}.content.${at}` }));
    const last = turns.at(-1);
    if (last?.role === role) last.blocks.push(...blocks);
    else turns.push({ role, place, blocks });
  }
  return turns;
}
