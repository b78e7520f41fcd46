/** Returns the value of a JSON text; undefined for a text that is none, or only the beginning of one. */
export function parseIfJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
