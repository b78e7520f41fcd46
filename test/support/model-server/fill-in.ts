/** Replaces each `{{name}}` in a text by what is looked up for it. */
export function fillIn(text: string, lookUp: (name: string) => string): string {
  return text.replace(/\{\{(\w+)\}\}/g, (_all, name: string) => lookUp(name));
}

/** Replaces each `{{name}}` in all texts of a value. */
export function fillInAll<T>(value: T, lookUp: (name: string) => string): T {
  const filled = JSON.stringify(value, (_field, each) =>
    typeof each === "string" ? fillIn(each, lookUp) : each,
  );
  return JSON.parse(filled);
}
