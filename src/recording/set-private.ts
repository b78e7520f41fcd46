import { mkdir, stat } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { findTranscripts } from "../clients/claude-code/locate.ts";
import { unlessGone, usageError } from "../lib/app-error.ts";
import { writeFileAtomically } from "../lib/atomic-file.ts";
import { readClientFolders } from "./client-folders.ts";
import {
  type FileSizes,
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
  /** The client's folder. */
  readonly client: string;
}

/** Lets a session of a client not be recorded from a moment on, or be recorded again. Tells whether that is a change. */
export async function setPrivate(
  home: string,
  { session, recording, at, client }: PrivateWish,
): Promise<"changed" | "unchanged"> {
  const path = locatePrivate(home, session);
  if (path === undefined) throw usageError("invalid-id", "This is not the id of a session.");
  const known = readPrivateSession(home, session);
  const atMs = at.getTime();
  const isOff = known !== undefined && isPrivateAt(known, atMs);
  if (isOff === (recording === "off")) return "unchanged";
  const spans = known?.spans ?? [];
  const sizes = await measure(await readClientFolders(home, client), session);
  const next: PrivateSession = {
    ...{ version: 1, isTold: false },
    spans: isOff
      ? spans.map((span) => (span.toMs === null ? { ...span, toMs: atMs, to: sizes } : span))
      : [...spans, { fromMs: atMs, toMs: null, from: sizes }],
  };
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await writeFileAtomically(path, renderPrivate(next), { isPrivate: true });
  return "changed";
}

/** Returns how long the transcripts of a session are, and those of its subagents. */
async function measure(folders: readonly string[], session: string): Promise<FileSizes> {
  const sizes: Record<string, number> = {};
  for (const folder of folders)
    for (const { path } of await findTranscripts(folder, session))
      sizes[basename(path)] = (await unlessGone(stat(path)))?.size ?? 0;
  return sizes;
}
