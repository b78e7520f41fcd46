import { toPrintable } from "./printable.ts";

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/**
 * Makes a recorded text safe in the text and the attributes of a page.
 *
 * Markup stays text, and characters that turn the reading direction or show nothing are made visible, as on a terminal.
 */
export function escapeHtml(text: string): string {
  return toPrintable(text).replace(/[&<>"']/g, (character) => entities[character] ?? character);
}
