import { join } from "node:path";
import { unlessFailed } from "../lib/app-error.ts";
import { writeFileAtomically } from "../lib/atomic-file.ts";
import { parseIfJson } from "../lib/json.ts";
import { readText } from "../lib/read-text.ts";

/** How the last exchange with the remote store went. */
export interface RemoteState {
  /** What messages call the store. */
  readonly store: string;
  /** When both had the same for the last time. */
  readonly inStepAt: Date | undefined;
  /** Names of projects that were to be shared then, and that nothing was called by. */
  readonly missing: readonly string[];
  /** Why they have not since. */
  readonly trouble: { readonly at: Date; readonly message: string } | undefined;
}

const version = 1;

/** Reads how the last exchange went; undefined where there was none. */
export async function readRemoteState(home: string): Promise<RemoteState | undefined> {
  // It only says how things went, and is written anew by the next sync.
  const value = parseIfJson((await unlessFailed(readText(locate(home)), undefined)) ?? "");
  if (!isWritten(value)) return undefined;
  const { store, inStepAt, missing = [], trouble } = value;
  return {
    ...{ store, missing },
    inStepAt: inStepAt === null ? undefined : new Date(inStepAt),
    trouble: trouble === null ? undefined : { at: new Date(trouble.at), message: trouble.message },
  };
}

/** Writes down how an exchange went. */
export async function writeRemoteState(
  home: string,
  { store, inStepAt, missing, trouble }: RemoteState,
): Promise<void> {
  const written: Written = {
    ...{ version, store, missing },
    inStepAt: inStepAt?.toISOString() ?? null,
    trouble: trouble === undefined ? null : { at: trouble.at.toISOString(), message: trouble.message },
  };
  await writeFileAtomically(locate(home), `${JSON.stringify(written, undefined, 2)}\n`);
}

interface Written {
  readonly version: typeof version;
  readonly store: string;
  readonly inStepAt: string | null;
  readonly missing?: readonly string[];
  readonly trouble: { readonly at: string; readonly message: string } | null;
}

function isWritten(value: unknown): value is Written {
  if (typeof value !== "object" || value === null) return false;
  const { version: found, store } = value as Partial<Written>;
  return found === version && typeof store === "string";
}

function locate(home: string): string {
  return join(home, "remote.json");
}
