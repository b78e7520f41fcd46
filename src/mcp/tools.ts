import type { Tool } from "./tool.ts";
import { blocker } from "./tools/blocker.ts";
import { brief } from "./tools/brief.ts";
import { decide } from "./tools/decide.ts";
import { gateStatus } from "./tools/gate-status.ts";
import { handoverDraft } from "./tools/handover-draft.ts";
import { note } from "./tools/note.ts";
import { sessionList } from "./tools/session-list.ts";
import { sessionLoad } from "./tools/session-load.ts";
import { sessionSave } from "./tools/session-save.ts";
import { sessionSearch } from "./tools/session-search.ts";
import { sessionShow } from "./tools/session-show.ts";

/** Every tool, in the order in which clients list them. */
export const tools: readonly Tool[] = [
  ...[brief, sessionList, sessionShow, sessionSearch, sessionSave, sessionLoad],
  ...[decide, note, blocker, gateStatus, handoverDraft],
];
