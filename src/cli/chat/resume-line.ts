import { renderShellWord } from "../../lib/shell-word.ts";
import type { SessionId } from "../../sessions/ids.ts";

/** Says how a session is gone on with. */
export function renderResumeLine(session: SessionId): string {
  return `Resume with: carryon chat --session ${renderShellWord(session)}\n`;
}
