import { isUtf8 } from "node:buffer";
import { readFile } from "node:fs/promises";
import { configError, unlessGone } from "./app-error.ts";
import { readFailed } from "./file-error.ts";

/** Returns the text of a file; undefined where there is none. What would not come out as it went in is refused. */
export async function readText(path: string): Promise<string | undefined> {
  const bytes = await unlessGone(readFile(path)).catch((error: unknown) => {
    throw readFailed(path, error);
  });
  if (bytes === undefined || isUtf8(bytes)) return bytes?.toString("utf8");
  throw configError("not-utf8", `${path} is not UTF-8 and was left as it is.`, {
    hint: "Convert the file to UTF-8, and run the command again.",
  });
}
