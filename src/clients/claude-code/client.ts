import { makeUuidV7 } from "../../lib/uuid-v7.ts";
import type { Client } from "../client.ts";
import { checkFile } from "./check-file.ts";
import { findCopies } from "./copied-rows.ts";
import { addHooks, removeHooks } from "./hook-settings.ts";
import { listProcesses } from "./live-sessions.ts";
import { findTranscripts } from "./locate.ts";
import { clientFolderOf } from "./locate-client.ts";
import { absorb } from "./to-entries.ts";
import { toRows } from "./to-rows.ts";
import { startTranscript } from "./transcript-state.ts";
import { toRow } from "./wire.ts";

/** Claude Code, whose transcripts are JSON lines in a folder for each working directory. */
export const claudeCode: Client = {
  name: "claude-code",
  title: "Claude Code",
  settings: "settings.json",
  represents: {
    ...{ prompt: "kept", answer: "kept", call: "kept", result: "kept", thinking: "kept" },
    ...{ image: "changed", file: "changed", summary: "kept", title: "kept", subagent: "kept" },
    ...{ checkpoint: "left out", round: "left out" },
  },
  ids: { pattern: /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i, make: makeUuidV7 },
  locate: clientFolderOf,
  find: findTranscripts,
  read: (lines, { session, agent }) => {
    const rows = lines.map(toRow).filter((row) => row.family !== "rejected");
    const { entries } = absorb(startTranscript(session, agent), rows);
    return { entries, originals: findCopies(rows) };
  },
  check: checkFile,
  write: toRows,
  hooks: (settings, command) => (command === null ? removeHooks(settings) : addHooks(settings, command)),
  launch: (id, { path, isUsual, isNamed }) => ({
    ...{ program: "claude", args: [`--resume=${id}`] },
    // Not by name: the client keeps more than its folder in the user's home only where it was told nothing.
    env: isNamed ? {} : { CLAUDE_CONFIG_DIR: isUsual ? null : path },
  }),
  processes: listProcesses,
};
