import { EntryNotFound, SessionNotFound } from "../../sessions/errors.ts";
import { parseStrand } from "../../sessions/ids.ts";
import type { SideRequest } from "../../sessions/side-reader.ts";
import { findHere } from "../../workspace/open-here.ts";
import type { OpenProject } from "../../workspace/open-project.ts";
import type { CommandContext } from "../command-context.ts";
import { requireStrand } from "../require-strand.ts";

/** What help says of an argument that `findSide` resolves. */
export const sideHelp =
  "A session (an id, the beginning of one, a title or `latest`), `ID:STRAND`, or `ID@N`: the path that ends with entry N";

const marked = /^(.+)([:@])([^:@]+)$/s;

/**
 * Finds what a person wants to compare or merge.
 *
 * A title may have a colon in it: so the whole is looked for first, and only then its parts.
 */
export async function findSide(
  context: CommandContext,
  here: OpenProject,
  text: string,
): Promise<SideRequest> {
  const [, name = "", sign, rest = ""] = marked.exec(text) ?? [];
  if (sign === undefined) return { session: await findHere(context, here, text) };
  const whole = await findOrNone(context, here, text);
  if (whole !== undefined) return whole;
  const session = await findHere(context, here, name);
  if (sign === ":") {
    const strand = parseStrand(rest);
    await requireStrand(here.store.log, session.id, strand);
    return { session, strand };
  }
  const end = /^\d{1,15}$/.test(rest) ? Number(rest) : 0;
  if (end < 1 || end > session.entries) throw new EntryNotFound(session.id, rest);
  return { session, end };
}

async function findOrNone(
  context: CommandContext,
  here: OpenProject,
  text: string,
): Promise<SideRequest | undefined> {
  try {
    return { session: await findHere(context, here, text) };
  } catch (error) {
    if (error instanceof SessionNotFound) return undefined;
    throw error;
  }
}

/** Names a side as `findSide` reads it. */
export function nameSide({ session, strand, end }: SideRequest): string {
  return `${session.id}${strand === undefined ? "" : `:${strand}`}${end === undefined ? "" : `@${end}`}`;
}
