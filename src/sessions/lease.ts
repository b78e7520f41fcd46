import type { ProcessIdentity } from "../lib/process-identity.ts";
import type { SessionId } from "./ids.ts";

/** A process that writes a session. */
export interface Holder {
  readonly process: ProcessIdentity;
  /** What it is, in words that its user knows: `carryon append`. */
  readonly program: string;
  readonly since: Date;
}

/** The right to append to a session, until it runs out or another process takes it over. */
export interface Lease {
  readonly session: SessionId;
  /** Grows each time the right changes hands; the store compares it at each append. */
  readonly epoch: number;
  /** How long it lasts after each append and each renewal. */
  readonly forMs: number;
}

/** A lease as others see it. */
export interface Holding {
  readonly epoch: number;
  readonly holder: Holder;
  /** Whether it has run out, by the clock of the store. */
  readonly isExpired: boolean;
}

/**
 * Who may append to the sessions that Carryon itself writes: one process at a time.
 *
 * A holder that is gone can be replaced at once. On this machine its process tells; of a process elsewhere that
 * cannot be seen, an expired lease does.
 */
export interface Leases {
  /** Takes the lease of a session that nobody holds, or whose holder is gone; otherwise throws `SessionInUse`. */
  acquire(session: SessionId, claim: { readonly holder: Holder; readonly forMs: number }): Promise<Lease>;

  /** Makes a lease last anew, also one that has run out, unless another process has taken it: then it is `LeaseLost`. */
  renew(lease: Lease): Promise<void>;

  /** Returns who holds a session, gone or not. */
  find(session: SessionId): Promise<Holding | undefined>;

  /** Ends the lease of this epoch, whoever calls: nothing can be appended with it any more. A later one is left alone. */
  end(lease: Pick<Lease, "session" | "epoch">): Promise<void>;
}

/** Describes a holder for people: program, process and machine. */
export function describeHolder({ program, process }: Holder): string {
  return `${program} (process ${process.pid} on ${process.host})`;
}
