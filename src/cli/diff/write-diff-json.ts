import type { DiffItem, DiffSide, OwnPart, SessionDiff } from "../../sessions/session-diff.ts";
import type { Output } from "../paged-output.ts";
import { renderJson } from "../render-json.ts";
import { toSessionJson } from "../session-json.ts";

/** Writes a comparison as one JSON document, entry by entry: docs/formats/cli-json.md. */
export async function writeDiffJson(output: Output, diff: SessionDiff): Promise<void> {
  const { left, right, shared, merged, stretches, bothChanged } = diff;
  await output.write('{"left":');
  await writeSide(output, left);
  await output.write(',"right":');
  await writeSide(output, right);
  const until = shared.until?.toISOString() ?? null;
  const rest = renderJson({ shared: { ...shared, until }, merged, bothChanged, stretches });
  await output.write(`,${rest.slice(1)}\n`);
}

async function writeSide(output: Output, { session, strand, end, own, items }: DiffSide): Promise<void> {
  const facts = renderJson({ session: toSessionJson(session), strand, end, own: toOwnJson(own) });
  await output.write(`${facts.slice(0, -1)},"items":[`);
  let separator = "\n";
  for (const item of items) {
    await output.write(`${separator}${renderJson(toItemJson(item))}`);
    separator = ",\n";
  }
  await output.write("]}");
}

function toOwnJson({ firstAt, lastAt, ...own }: OwnPart): object {
  return { ...own, firstAt: firstAt?.toISOString() ?? null, lastAt: lastAt?.toISOString() ?? null };
}

function toItemJson({ at, ...item }: DiffItem): object {
  return { ...item, at: at.toISOString() };
}
