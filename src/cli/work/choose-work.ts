import { describeAge } from "../../lib/duration.ts";
import { truncate } from "../../lib/terminal-text.ts";
import type { Status } from "../../lifecycle/read-status.ts";
import { describeStatus } from "../../memory/earlier-work.ts";
import { continueCommand, nameWork } from "../../memory/workstreams.ts";
import { chooseStep } from "../../work/find-tasks.ts";
import type { CommandContext } from "../command-context.ts";
import { toChoice } from "../confirm.ts";
import { Interrupted } from "../interrupted.ts";
import { mayAsk } from "./work-here.ts";

/** Work that a person may go on with, and the command line that does it; without one it is left for now. */
type Offer = readonly [label: string, detail: string, args?: readonly string[]];

const later: Offer = ["Later", "Nothing is changed."];

/** With it a label fits into a terminal of 80 columns. */
const longestLabel = 60;

/**
 * Asks on a terminal which open work to go on with, and returns the command line that does it.
 *
 * Returns undefined when nothing is open, nobody can be asked, or the person leaves: by Enter, Esc or Ctrl-C.
 */
export async function chooseWork(context: CommandContext, status: Status): Promise<Offer[2]> {
  if (!context.isTerminal.output || !mayAsk(context)) return undefined;
  const offers = [later, ...offerSessions(context, status), ...offerSaved(status)];
  if (offers.length === 1) return undefined;
  const choices = offers.map(([label, detail]) => toChoice(label, [detail]));
  context.out("\n");
  try {
    const chosen = await context.choose("Go on with open work?", choices);
    return offers[chosen ?? 0]?.[2];
  } catch (error) {
    // The status was asked for, and it is there.
    if (error instanceof Interrupted && error.signal === "SIGINT") return undefined;
    throw error;
  }
}

function offerSessions({ clock }: CommandContext, { workstreams }: Status): readonly Offer[] {
  return workstreams.flatMap((work): readonly Offer[] => {
    const { newest, status, updatedAt } = work;
    const detail = `${describeStatus(status)}, ${describeAge(updatedAt, clock.now())}`;
    // Ids have no spaces. A run that has ended wants further instructions.
    const [, ...args] = continueCommand(newest, newest.id)?.split(" ") ?? [];
    const isReady = args.length > 0 && !args.includes('"MORE"');
    return isReady ? [[`Resume: ${nameWork(work, longestLabel)}`, detail, args]] : [];
  });
}

/** Saved work without a next step or a blocker has nothing to go on with. */
function offerSaved({ work: { state, blocker, next, inHand } }: Status): readonly Offer[] {
  if (state === undefined) return [];
  const step = chooseStep({ next, inHand }, state);
  if (step === undefined && blocker === null) return [];
  const label = `Load the saved work: ${truncate(step ?? state.workingOn, longestLabel)}`;
  return [[label, "Compares it with git and asks what to do.", ["load"]]];
}
