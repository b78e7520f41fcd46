import { access, constants, stat } from "node:fs/promises";
import { AppError } from "../lib/app-error.ts";
import { exists, locateKey, readKey, refuseForeign, toFolderError } from "./home-folder.ts";
import { storeIsReadOnly } from "./store-errors.ts";
import { type Problem, toProblem } from "./store-report.ts";

/** Returns what is wrong with a home folder, if it is there: with the folder itself, the given files and the key. */
export async function inspectHome(home: string, files: readonly string[] = []): Promise<readonly Problem[]> {
  return orProblem(home, async () => {
    if (!(await exists(home))) return [];
    const key = locateKey(home);
    const places = [home, ...files, ...((await exists(key)) ? [key] : [])];
    const found = await Promise.all([...places.map(inspectAccess), inspectKey(key)]);
    return found.flat();
  });
}

async function orProblem(path: string, work: () => Promise<readonly Problem[]>): Promise<readonly Problem[]> {
  try {
    return await work();
  } catch (error) {
    const known = toFolderError(error, path);
    if (known instanceof AppError) return [toProblem(known)];
    throw error;
  }
}

/** Without a key that can be read nothing can be written. */
function inspectKey(path: string): Promise<readonly Problem[]> {
  return orProblem(path, async () => {
    await readKey(path);
    return [];
  });
}

function inspectAccess(path: string): Promise<readonly Problem[]> {
  return orProblem(path, async () => {
    await refuseForeign(path);
    const isReadOnly = await access(path, constants.W_OK).then(
      () => false,
      () => true,
    );
    if (isReadOnly) return [toProblem(storeIsReadOnly(path))];
    const isOpenToOthers = process.platform !== "win32" && ((await stat(path)).mode & 0o077) !== 0;
    if (!isOpenToOthers) return [];
    return [{ what: `Other users can read ${path}.`, hint: `Run \`chmod go= ${path}\`.` }];
  });
}
