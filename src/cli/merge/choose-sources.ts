import { AppError } from "../../lib/app-error.ts";
import { mainStrand } from "../../sessions/ids.ts";
import type { Session } from "../../sessions/session.ts";
import { readPaths } from "../../sessions/session-paths.ts";
import type { SideRequest } from "../../sessions/side-reader.ts";
import { findHere } from "../../workspace/open-here.ts";
import type { OpenProject } from "../../workspace/open-project.ts";
import type { CommandContext } from "../command-context.ts";
import { describeSidePath } from "../diff/choose-sides.ts";
import { findSide } from "../diff/find-side.ts";

/** What a person typed. */
export interface MergeAsked {
  readonly id: string;
  readonly other: string | undefined;
  readonly into: string | undefined;
  readonly paths: boolean;
}

/** Finds the session that receives, and what it receives. */
export async function chooseSources(
  context: CommandContext,
  here: OpenProject,
  { id, other, into, paths }: MergeAsked,
): Promise<{ readonly target: Session; readonly sources: readonly SideRequest[] }> {
  const first = await findHere(context, here, id);
  const sources = paths ? await listSidePath(here, first) : [await findOther(context, here, first, other)];
  if (into === undefined) return { target: first, sources };
  const target = await findHere(context, here, into);
  const isOther = ({ session, end }: SideRequest) => session.id !== target.id || end !== undefined;
  return { target, sources: [{ session: first }, ...sources].filter(isOther) };
}

async function findOther(
  context: CommandContext,
  here: OpenProject,
  { id }: Session,
  other: string | undefined,
): Promise<SideRequest> {
  if (other === undefined) {
    throw new AppError("Two sessions are needed for a merge.", {
      kind: "usage",
      code: "no-other-side",
      hint: `Name a second one, or join a side path of it with \`carryon merge ${id} --paths\``,
    });
  }
  const side = await findSide(context, here, other);
  if (side.strand === undefined) return side;
  throw new AppError("A strand cannot be merged alone: its entries refer to those of the others.", {
    kind: "usage",
    code: "strand-alone",
    hint: `Merge the whole session: \`carryon merge ${id} ${side.session.id}\``,
  });
}

/** Returns the only side path of a session, if it has one; of several, a person has to choose. */
async function listSidePath({ store }: OpenProject, session: Session): Promise<readonly SideRequest[]> {
  const sides = (await readPaths(store.log, session, mainStrand)).sidePaths();
  if (sides.length <= 1) return sides.map(({ end }) => ({ session, end }));
  const list = sides.map((each) => `  ${describeSidePath(session, each)}`);
  throw new AppError(`Session ${session.id} has ${sides.length} side paths.`, {
    kind: "usage",
    code: "several-side-paths",
    hint: `Name the one that is meant, as in \`carryon merge ${session.id} ${session.id}@N\`:\n${list.join("\n")}`,
  });
}
