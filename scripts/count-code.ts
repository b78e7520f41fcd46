/**
 * Counts the lines of src/ that have code: neither blank lines nor those of comments alone.
 *
 *   node scripts/count-code.ts [FOLDER...]
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";

/** Returns how many lines of a source have code. */
export function countCode(text: string): number {
  const source = ts.createSourceFile("source.ts", text, ts.ScriptTarget.Latest);
  const lines = new Set<number>();
  const visit = (node: ts.Node): void => {
    const children = node.getChildren(source);
    for (const child of children) if (!ts.isJSDoc(child)) visit(child);
    if (children.length > 0 || node.getWidth(source) === 0) return;
    const [first, last] = [node.getStart(source), node.getEnd()].map(
      (place) => source.getLineAndCharacterOfPosition(place).line,
    );
    for (let line = first ?? 0; line <= (last ?? 0); line += 1) lines.add(line);
  };
  visit(source);
  return lines.size;
}

/** Counts the files of a folder, and the lines of code in them. */
function countFolder(folder: string): { readonly files: number; readonly code: number } {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  const sources = names.filter((name) => name.endsWith(".ts")).map((name) => join(folder, name));
  const counts = sources.map((path) => countCode(readFileSync(path, "utf8")));
  return { files: sources.length, code: counts.reduce((sum, count) => sum + count, 0) };
}

function main(folders: readonly string[]): void {
  const chosen =
    folders.length > 0
      ? folders
      : readdirSync("src", { withFileTypes: true }).flatMap((entry) =>
          entry.isDirectory() ? join("src", entry.name) : [],
        );
  for (const folder of folders.length > 0 ? chosen : [...chosen, "src"]) {
    const { files, code } = countFolder(folder);
    console.log(
      `${folder.padEnd(24)} ${String(files).padStart(6)} files ${String(code).padStart(8)} lines of code`,
    );
  }
}

if (process.argv[1] === import.meta.filename) main(process.argv.slice(2));
