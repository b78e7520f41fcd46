import { realpath } from "node:fs/promises";
import { type AppError, usageError } from "../lib/app-error.ts";
import { unlessGone } from "../lib/unless-gone.ts";
import type { Store } from "../storage/open-store.ts";
import type { StoreSite } from "../storage/store-site.ts";
import type { WritableProject } from "../workspace/open-project.ts";
import { requireMeetable } from "./new-store.ts";

/** Opens another store while `work` runs: to bring something there, where it is made if need be, or to take something from it. */
export async function meetStore<Result>(
  here: Pick<WritableProject, "store">,
  site: StoreSite,
  access: "make" | "read",
  work: (there: Store) => Promise<Result>,
): Promise<Result> {
  if (await isSamePlace(site.path, here.store.path)) throw sameStore(site.path);
  await requireMeetable(site, access);
  const there = await (access === "make" ? site.open() : site.openForReading());
  try {
    return await work(there);
  } finally {
    await there[Symbol.asyncDispose]();
  }
}

/** Where a home is reached by another name, its store is still the same. */
async function isSamePlace(there: string, here: string): Promise<boolean> {
  const find = async (path: string) => (await unlessGone(realpath(path))) ?? path;
  return (await find(there)) === (await find(here));
}

function sameStore(path: string): AppError {
  return usageError("same-store", `${path} is the store of this machine itself.`, {
    hint: "Name the other one, such as postgres://user@host/database or the home folder of another store.",
  });
}
