import { AppError } from "../../lib/app-error.ts";
import { toPrintableLine } from "../../lib/printable.ts";
import { wrapLine, wrapTalk } from "../../lib/wrap-line.ts";
import type { Blocker } from "../../work/blocker.ts";
import { addBlocker, type NewBlocker, readBlocker, resolveBlocker } from "../../work/change-blocker.ts";
import { loadWork } from "../../work/load.ts";
import { toMissingError } from "../../work/missing-error.ts";
import { renderBlocker } from "../../work/render-work.ts";
import { toWireBlocker } from "../../work/render-work-state.ts";
import { readState } from "../../work/state-store.ts";
import type { WorkDesk } from "../../work/work-desk.ts";
import type { CommandContext } from "../command-context.ts";
import { renderJson } from "../render-json.ts";
import { parseBlockerType } from "./parse-blocker-type.ts";
import { workHere } from "./work-here.ts";

/** What is to be done with the blocker. */
export interface BlockerRequest {
  readonly what: "show" | "add" | "resolve";
  readonly words: readonly string[];
  /** What else is told of a new one. */
  readonly facts: Omit<NewBlocker, "type" | "description">;
  readonly json: boolean;
}

/** Shows, puts down or resolves what stops the work. */
export async function sayBlocker(context: CommandContext, request: BlockerRequest): Promise<void> {
  const { what, words, facts } = request;
  if (what !== "add" && Object.values(facts).some((value) => value !== undefined))
    throw usage("Only `add` takes a severity, a resolution, a pattern and an origin.");
  if (what === "show" && words.length > 0) throw usage("To show the blocker takes no words.");
  // Before a store is made for it.
  const added = what === "add" ? toBlocker(request) : undefined;
  await workHere(context, async (desk) => {
    if (added !== undefined) return add(context, desk, request, added);
    return readingAsLoad(desk, async () => {
      if (what === "resolve") return resolve(context, desk, request);
      return show(context, request, await readBlocker(desk));
    });
  });
}

/** What a person has put down is not lost without a word. */
async function add(
  context: CommandContext,
  desk: WorkDesk,
  request: BlockerRequest,
  added: NewBlocker,
): Promise<void> {
  const found = await readState(desk.site.root);
  const before = found.type === "state" ? found.state.blocker : null;
  show(context, request, await addBlocker(desk, added));
  if (before === null || before.isAutoDetected) return;
  const said = toPrintableLine(`Instead of: ${before.type}: ${before.description}`);
  context.err(`${wrapTalk(context, said)}\n`);
}

/** Of a state that cannot be read nobody knows what stops the work: it is said as `load` says it. */
async function readingAsLoad(desk: WorkDesk, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const loaded = await loadWork(desk);
    throw loaded.type === "broken" ? toMissingError(desk, loaded) : error;
  }
}

/** No type has a space: who gives a sentence first has left the type out. */
function toBlocker({ words, facts }: BlockerRequest): NewBlocker {
  const [type = "", ...rest] = words;
  if (/\S\s+\S/.test(type)) return { type: "other", description: words.join(" "), ...facts };
  return { type: parseBlockerType(type), description: rest.join(" "), ...facts };
}

function show(context: CommandContext, { json }: BlockerRequest, blocker: Blocker | null): void {
  const shown = blocker && toWireBlocker(blocker);
  context.out(json ? `${renderJson({ blocker: shown })}\n` : renderBlocker(context, blocker));
}

async function resolve(
  context: CommandContext,
  desk: WorkDesk,
  { words, json }: BlockerRequest,
): Promise<void> {
  const resolved = await resolveBlocker(desk, words.join(" "));
  if (json) return context.out(`${renderJson({ resolved: resolved && toWireBlocker(resolved) })}\n`);
  const said = resolved === null ? "Nothing stops the work." : `Resolved: ${resolved.description}`;
  context.out(`${wrapLine(toPrintableLine(said), context.columns)}\n`);
}

function usage(message: string): AppError {
  return new AppError(message, { kind: "usage", code: "bad-blocker", hint: "See `carryon blocker --help`." });
}
