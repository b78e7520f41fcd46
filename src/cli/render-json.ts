/** Characters that JSON leaves as they are although a terminal would act on them or show nothing. */
const hidden = /[\x7F-\x9F\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/** Renders a value as JSON on one line; hidden characters are escaped, which changes their spelling but not the value. */
export function renderJson(value: unknown): string {
  return JSON.stringify(value).replace(hidden, escapeUnits);
}

function escapeUnits(character: string): string {
  return character
    .split("")
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .join("");
}
