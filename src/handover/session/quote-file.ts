/** What a line of a document cannot hold as it is, what shows as something else, and what may end a code span. */
const special = /[\p{Cc}\u2028\u2029`]/gu;

/** Returns the name of a file as code. */
export function quoteFile(file: string): string {
  const name = describeFile(file);
  return name.includes("`") ? `\`\` ${name} \`\`` : `\`${name}\``;
}

/** Returns the name of a file on one line: one that a line cannot hold, or that looks quoted, becomes a JSON string. */
export function describeFile(file: string): string {
  return /[\p{Cc}\u2028\u2029]|``|^"/u.test(file) ? JSON.stringify(file).replace(special, toEscape) : file;
}

/** Returns the name of the file that code in a document stands for. */
export function unquoteFile(code: string): string {
  if (!/^".*"$/.test(code)) return code;
  try {
    const name: unknown = JSON.parse(code);
    return typeof name === "string" ? name : code;
  } catch (error) {
    if (error instanceof SyntaxError) return code;
    throw error;
  }
}

function toEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
