import { toPrintable } from "./printable.ts";

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Returns a text that is nothing but text in HTML, in an attribute too. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
}

/**
 * Makes a recorded text safe in the text and the attributes of a page.
 *
 * Markup stays text, and characters that turn the reading direction or show nothing are made visible, as on a terminal.
 */
export function toPageText(text: string): string {
  return escapeHtml(toPrintable(text));
}
