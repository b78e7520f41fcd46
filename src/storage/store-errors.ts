import { AppError, busyError, configError, ioError, usageError } from "../lib/app-error.ts";

/** Nothing was ever recorded there. */
export function noStore(where: string): AppError {
  return usageError("no-store", `There is no store at ${where} yet.`, {
    hint: "`carryon import claude-code` takes in what Claude Code has, `carryon init` records it from now on, `carryon append` any tool; `carryon tour` shows how.",
  });
}

/** The database was written by a newer Carryon. It is left as it is. */
export function storeIsNewer(where: string, found: number, known: number): AppError {
  return configError(
    "store-newer",
    `The store ${where} was written by a newer Carryon (schema ${found}; this one knows ${known}). It was left as it is.`,
    { hint: "Update Carryon, or set CARRYON_HOME to another folder." },
  );
}

/** The file is damaged or no Carryon store at all. It is left as it is. */
export class StoreIsCorrupt extends AppError {
  constructor(
    where: string,
    reason: string,
    { cause, hint = damaged }: { readonly cause?: unknown; readonly hint?: string } = {},
  ) {
    super(`The store ${where} cannot be read: ${reason}. It was left as it is.`, {
      ...{ kind: "io", code: "store-corrupt", hint, cause },
    });
  }
}

const damaged =
  "Run `carryon doctor`: it names what is damaged. `carryon export ID` may still bring single sessions.";

/** What to do about a store whose file is empty or missing, from which no session can be brought. */
export const ifEmptied =
  "Put the file back, or bring a backup back with `carryon restore`. Without a backup, `carryon doctor --move-aside` renames what is left, so that a new store can begin.";

/** The key is gone and the store is not: something has deleted files of the home. What is stored can be read without it. */
export function keyIsMissing(path: string): AppError {
  return configError(
    "key-missing",
    `The key ${path} is missing, although the store has sessions. Nothing was changed.`,
    {
      hint: "Put it back from a copy of the folder. If it is lost, make a new one with `carryon doctor --new-key`: everything stays readable.",
    },
  );
}

/** The disk or the quota is full. Nothing acknowledged is lost, and reading still works. */
export class StoreIsFull extends AppError {
  constructor(where: string, cause?: unknown) {
    super(
      `There is no space left for the store ${where}. The last write was not saved; everything before it is.`,
      {
        kind: "io",
        code: "store-full",
        hint: "Free some space. Everything that was acknowledged is there.",
        cause,
      },
    );
  }
}

/** The file or its folder cannot be written by this user. Reading still works. */
export function storeIsReadOnly(where: string, cause?: unknown): AppError {
  return ioError("store-read-only", `The store ${where} is read-only.`, {
    hint: "Check who owns the folder and how it is mounted, or set CARRYON_HOME to a folder you can write.",
    cause,
  });
}

/** What a writer may conclude from a failure at which nobody knows how far it came. */
export const ifItWrote =
  "If the command was writing, its last write may be stored or not; an entry that comes again with the same id is stored once.";

/** The system failed to read or write. Whether the last write is stored is unknown; a retry with the same ids is safe. */
export function storeFailed(where: string, reason: string, cause?: unknown): AppError {
  return ioError("store-failed", `The store ${where} could not be read or written: ${reason}.`, {
    hint: `Everything that was acknowledged is there. ${ifItWrote}`,
    cause,
  });
}

/** What became of the file of a store: its name leads to none, or to another one, or something else was written to it. */
type Loss = "deleted" | "replaced" | "overwritten";

const losses: Readonly<Record<Loss, (where: string) => { readonly message: string; readonly hint: string }>> =
  {
    deleted: (where) => ({
      message: `The store ${where} was deleted or moved while it was in use. Nothing more is saved there.`,
      hint: "Put it back where it was, or bring a backup back with `carryon restore`. What was saved before is in the file that is gone.",
    }),
    replaced: (where) => ({
      message: `Another file has taken the place of the store ${where} while it was in use. Nothing more is saved.`,
      hint: "What was saved before is in the file that was there. To go on with the new file, start the command again.",
    }),
    overwritten: (where) => ({
      message: `The store ${where} was emptied or overwritten while it was in use. Nothing more is saved there.`,
      hint: "Bring a backup back with `carryon restore`, or begin a new store with `carryon doctor --move-aside`.",
    }),
  };

/** The file that a process writes is not there as it was, so that nobody would find what is written there. */
export class StoreIsGone extends AppError {
  readonly how: Loss;

  constructor(where: string, how: Loss) {
    const { message, hint } = losses[how](where);
    super(message, { kind: "io", code: "store-gone", hint });
    this.how = how;
  }
}

/** The file belongs to someone else, so that writing would lock its owner out. */
export function storeIsForeign(where: string): AppError {
  return configError("store-foreign", `${where} belongs to another user.`, {
    hint: "Run the command as its owner, or set CARRYON_HOME to a folder of your own.",
  });
}

/** The store is no file of ours: copying and replacing it is the business of the server. */
export function storeIsOnServer(where: string): AppError {
  return configError("store-on-server", `The store ${where} is on a PostgreSQL server, not in a file.`, {
    hint: "Copy it with `pg_dump --schema=carryon` and bring it back with pg_restore: see docs/postgres.md.",
  });
}

/** Other processes kept the store locked for too long. */
export function storeIsBusy(where: string, cause?: unknown): AppError {
  return busyError(
    "store-busy",
    `The store ${where} is in use by other processes and did not become free in time.`,
    { hint: "Try again in a moment.", cause },
  );
}

/** An entry that the session counts is not in the store. */
export class EntryIsMissing extends AppError {
  constructor(session: string, seq: number) {
    super(`Entry ${seq} of session ${session} is missing from the store.`, {
      kind: "io",
      code: "entry-missing",
      hint: `Run \`carryon verify ${session}\`; a backup may still have the entry.`,
    });
  }
}

/** An entry is in the store, but what is stored cannot be what was written. */
export class EntryIsDamaged extends AppError {
  constructor(session: string, seq: number, cause?: unknown) {
    super(`Entry ${seq} of session ${session} is damaged.`, {
      kind: "io",
      code: "entry-damaged",
      hint: `Run \`carryon verify ${session}\`; a backup may still have the entry.`,
      cause,
    });
  }
}

/** What is stored of a session besides its entries cannot be what was written. */
export class SessionIsDamaged extends AppError {
  constructor(session: string, cause?: unknown) {
    super(`The record of session ${session} is damaged.`, {
      kind: "io",
      code: "session-damaged",
      hint: "Run `carryon doctor`; a backup may still have the session.",
      cause,
    });
  }
}

/** The index by which entries are found cannot be read; the entries themselves may be as they were. */
export class SearchIndexBroken extends AppError {
  constructor(cause: unknown) {
    super("The search index of the store cannot be read.", {
      kind: "io",
      code: "search-index-broken",
      hint: "Make it anew with `carryon doctor --reindex`. If that does not help, `carryon doctor` says what is wrong.",
      cause,
    });
  }
}
