import type { Style, TextStyle } from "../lib/style.ts";
import type { SessionStatus } from "../sessions/session.ts";

/** Returns how the status of a session is coloured: what was cut off, and what still runs, is found at a glance. */
export function statusStyle(status: SessionStatus, style: Style): TextStyle {
  switch (status) {
    case "interrupted":
      return style.yellow;
    case "open":
      return style.green;
    case "ended":
      return (text) => text;
  }
}
