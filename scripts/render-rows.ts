import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { rows } from "../architecture.config.ts";

/** Returns ARCHITECTURE.md with a drawing of the rows that the folders of src/ stand in. */
export async function renderArchitecture(): Promise<string> {
  const page = await readFile(new URL("../ARCHITECTURE.md", import.meta.url), "utf8");
  const drawing = renderRows();
  return page.replace(
    /(<!-- rows:begin -->\n).*(<!-- rows:end -->)/s,
    (_all, begin: string, end: string) => `${begin}\`\`\`\n${drawing}\`\`\`\n${end}`,
  );
}

/** Folders of later versions have their place in the rows already; they are not drawn. */
function renderRows(): string {
  const isThere = (folder: string) => existsSync(new URL(`../src/${folder}`, import.meta.url));
  const drawn = rows.map((row) => row.filter(isThere)).filter((row) => row.length > 0);
  const width = Math.max(...drawn.flat().map(({ length }) => length)) + 2;
  return drawn
    .map(
      (row) =>
        `${row
          .map((folder) => folder.padEnd(width))
          .join("")
          .trimEnd()}\n`,
    )
    .join("");
}
