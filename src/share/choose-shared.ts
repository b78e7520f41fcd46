import type { Project } from "../sessions/project.ts";
import type { Store } from "../storage/open-store.ts";
import type { RemoteSetting } from "./remote-setting.ts";

/** Which projects are shared, and what is wrong with the other names. */
interface Chosen {
  readonly chosen: readonly Project[];
  /** A name that fits several projects shares none of them: it might be the wrong one. */
  readonly unclear: readonly string[];
  readonly missing: readonly string[];
}

/** Returns the projects that `carryon sync` is to share. */
export async function chooseShared(
  { projects }: Pick<Store, "projects">,
  remote: RemoteSetting,
): Promise<Chosen> {
  if (remote.projects === "all") return { chosen: await projects.list(), unclear: [], missing: [] };
  const chosen = new Map<string, Project>();
  const unclear: string[] = [];
  const missing: string[] = [];
  for (const name of remote.projects) {
    const [found, ...others] = await projects.called(name);
    if (found === undefined) missing.push(name);
    else if (others.length > 0) unclear.push(name);
    else chosen.set(found.id, found);
  }
  return { chosen: [...chosen.values()], unclear, missing };
}
