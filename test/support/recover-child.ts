/**
 * Tries once to clear the blocker of a state, and prints what came of it.
 *
 * Arguments: the file of the state, the home folder, the id of the project, its folder.
 */

import type { ProjectId } from "../../src/sessions/project.ts";
import { recover } from "../../src/work/recover.ts";
import { blockerFileKeeper } from "./blocker-file-keeper.ts";

const [path = "", home = "", project = "", root = ""] = process.argv.slice(2);
const { type } = await recover({
  ...{ keeper: blockerFileKeeper(path), home, project: { id: project as ProjectId }, root },
  ...{ env: process.env, isUnderAgent: false },
});
process.stdout.write(`${type}\n`);
