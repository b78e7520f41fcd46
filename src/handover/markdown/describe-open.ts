import type { Problem } from "../problem.ts";
import type { Outline } from "./outline.ts";

/** Reports what a document leaves open; nothing after it is read. */
export function describeOpen({ open }: Pick<Outline, "open">): readonly Problem[] {
  if (open === undefined) return [];
  const message = `what begins here is never closed with ${open.closer}, so that no section after it is read`;
  return [{ code: "left-open", line: open.line + 1, message }];
}
