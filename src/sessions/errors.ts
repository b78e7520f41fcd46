import { AppError, usageError } from "../lib/app-error.ts";
import type { EntryId, SessionId } from "./ids.ts";
import { describeHolder, type Holder } from "./lease.ts";
import { scrubbedEvent } from "./scrub-note.ts";

export class SessionNotFound extends AppError {
  constructor(session: string, hint = "List the sessions with `carryon sessions --all`.") {
    super(`There is no session ${session} in this store.`, {
      kind: "usage",
      code: "session-not-found",
      hint,
    });
  }
}

export class EntryNotFound extends AppError {
  constructor(session: SessionId, entry: string) {
    super(`There is no entry ${entry} in session ${session}.`, {
      kind: "usage",
      code: "entry-not-found",
      hint: `List its entries with \`carryon show ${session} --json\`.`,
    });
  }
}

/** A value from outside that is not an entry. */
export class BadEntry extends AppError {
  constructor(reason: string) {
    super(`It is not an entry: ${reason}.`, {
      kind: "usage",
      code: "bad-entry",
      hint: 'Write {"role":"user","text":"…"}, or a whole entry as in docs/formats/entry.md.',
    });
  }
}

/** An entry that only a scrub makes. */
export class ScrubNoteRefused extends BadEntry {
  constructor() {
    super(`the event ${scrubbedEvent} is made by a scrub alone`);
  }
}

/** The same id came with other content: one of the two writers is wrong, and nothing was stored. */
export class EntryConflict extends AppError {
  constructor(session: SessionId, entry: EntryId) {
    super(`Entry ${entry} is already in session ${session} with other content; nothing was stored.`, {
      kind: "conflict",
      code: "entry-conflict",
      hint: "Give the new entry an id of its own.",
    });
  }
}

/** The session is not what it was when the caller looked at it. */
export class SessionChanged extends AppError {
  constructor(session: SessionId) {
    super(`Session ${session} has changed since it was looked at; it was left as it is.`, {
      kind: "conflict",
      code: "session-changed",
      hint: "Look at it again and repeat the command.",
    });
  }
}

/** There is nothing in the session that a fork could share. */
export function nothingToFork(session: SessionId): AppError {
  return usageError("nothing-to-fork", `Session ${session} has no entries yet, so there is nothing to fork.`);
}

export class SessionConflict extends AppError {
  constructor(session: SessionId, reason: string) {
    super(`Session ${session} cannot be made: ${reason}.`, {
      kind: "conflict",
      code: "session-conflict",
      hint: "Choose another id.",
    });
  }
}

/** A session with this id was deleted. */
export class SessionWasDeleted extends SessionConflict {
  constructor(session: SessionId) {
    super(session, "a session with this id was deleted, and a deleted one never comes back");
  }
}

/** Another process writes the session, and it is alive. */
export class SessionInUse extends AppError {
  readonly holder: Holder;

  constructor(
    session: SessionId,
    holder: Holder,
    hint = `Go on in a fork: \`carryon fork ${session}\`\nOr ask the other writer to stop: \`carryon sessions --take-over ${session}\``,
  ) {
    super(`Session ${session} is being written by ${describeHolder(holder)}.`, {
      kind: "conflict",
      code: "session-in-use",
      hint,
    });
    this.holder = holder;
  }
}

/** Another process took the session over; what this one wanted to append was not stored. */
export class LeaseLost extends AppError {
  constructor(session: SessionId) {
    super(`Session ${session} was taken over by another writer; nothing more was stored from here.`, {
      kind: "conflict",
      code: "lease-lost",
      hint: `What was acknowledged is there. Go on in a fork: \`carryon fork ${session}\``,
    });
  }
}

/** The store was replaced by an older state while the session was being written. */
export class SessionWentBack extends AppError {
  constructor(session: SessionId) {
    super(
      `Session ${session} was put back to an older state while it was being written; nothing more was stored from here.`,
      {
        kind: "conflict",
        code: "session-went-back",
        hint: "Entries that were acknowledged may be missing from it. `carryon restore` keeps the store as it was in a file beside it, named store.before-restore-…",
      },
    );
  }
}

/** The lease ran out, and nothing was stored. It can be renewed unless another process has taken it since. */
export class LeaseExpired extends AppError {
  constructor(session: SessionId) {
    super(`The lease of session ${session} has run out; nothing was stored.`, {
      kind: "conflict",
      code: "lease-expired",
      hint: "Renew it and append again with the same ids.",
    });
  }
}

/** An entry of another store does not go on from the one before it, or cannot be in its session. */
export class BrokenStretch extends AppError {
  readonly seq: number;
  readonly reason: string;

  constructor(session: SessionId, seq: number, reason: string) {
    super(`Entry ${seq} of session ${session} cannot be taken in: ${reason}.`, {
      kind: "usage",
      code: "broken-stretch",
      hint: "Nothing was stored. Make the copy again from the store that it came from.",
    });
    this.seq = seq;
    this.reason = reason;
  }
}
