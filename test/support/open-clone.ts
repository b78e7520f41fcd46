import { openProjectHandover } from "../../src/handover/project-handover.ts";
import { type BriefRequest, readBrief } from "../../src/memory/read-brief.ts";
import { openProject } from "../../src/workspace/open-project.ts";
import { trustProject } from "../../src/workspace/trust.ts";
import type { TestHandover } from "./brief-of.ts";
import { git } from "./git-repo.ts";
import { noWarning } from "./no-warning.ts";
import { noon } from "./project-handover.ts";
import { tempDir } from "./temp-dir.ts";

/** Another user's clone of the project, with a store of its own. */
export async function openClone(test: Pick<TestHandover, "root">) {
  const dir = await tempDir();
  await git(test.root, "clone", "--quiet", test.root, dir.join("clone"));
  const home = dir.join("home");
  const here = await openProject({ cwd: dir.join("clone"), home, store: undefined }, "write");
  const place = { ...here, machine: "there", clock: { now: () => noon } };
  const handover = await openProjectHandover({ ...place, warn: noWarning });
  return {
    ...{ handover, home, root: dir.join("clone") },
    brief: (request?: BriefRequest) => readBrief(place, request),
    trust: () => trustProject(home, here.project, { root: here.root, now: noon }),
    [Symbol.asyncDispose]: async () => {
      await here[Symbol.asyncDispose]();
      await dir[Symbol.asyncDispose]();
    },
  };
}
