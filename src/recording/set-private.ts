import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { usageError } from "../lib/app-error.ts";
import { writeFileAtomically } from "../lib/atomic-file.ts";
import {
  isPrivateAt,
  locatePrivate,
  type PrivateSession,
  readPrivateSession,
  renderPrivate,
} from "./private-sessions.ts";

/** What is wanted of a session from a moment on. */
export interface PrivateWish {
  readonly session: string;
  readonly recording: "off" | "on";
  readonly at: Date;
}

/** Lets a session of a client not be recorded from a moment on, or be recorded again. Tells whether that is a change. */
export async function setPrivate(
  home: string,
  { session, recording, at }: PrivateWish,
): Promise<"changed" | "unchanged"> {
  const path = locatePrivate(home, session);
  if (path === undefined) throw usageError("invalid-id", "This is not the id of a session.");
  const known = readPrivateSession(home, session);
  const atMs = at.getTime();
  const isOff = known !== undefined && isPrivateAt(known, atMs);
  if (isOff === (recording === "off")) return "unchanged";
  const spans = known?.spans ?? [];
  const next: PrivateSession = {
    ...{ version: 1, isTold: false },
    spans: isOff
      ? spans.map((span) => (span.toMs === null ? { ...span, toMs: atMs } : span))
      : [...spans, { fromMs: atMs, toMs: null }],
  };
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await writeFileAtomically(path, renderPrivate(next), { isPrivate: true });
  return "changed";
}
