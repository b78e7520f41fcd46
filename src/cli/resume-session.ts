import type { Fidelity } from "../clients/client.ts";
import { describeDay, plural } from "../lib/describe.ts";
import { toPrintableLine } from "../lib/printable.ts";
import { catchUp } from "../lifecycle/catch-up.ts";
import type { ResumePlan } from "../lifecycle/plan-resume.ts";
import { environmentOf, ownProgram, renderResume } from "../lifecycle/resume-command.ts";
import { describeFaults, findDamage, isExpiring } from "../recording/examine-file.ts";
import { writeNative } from "../recording/write-native.ts";
import { locateHome } from "../workspace/locate-home.ts";
import { writeHere } from "../workspace/open-here.ts";
import { type CommandContext, renderJson } from "./command-context.ts";

/** Starts a client where a session stopped, or prints how: with `print`, and in a pipe. */
export async function startResumed(
  context: CommandContext,
  plan: ResumePlan,
  { print = false }: { readonly print?: boolean | undefined },
): Promise<void> {
  const found = describePreflight(plan, context.clock.now());
  for (const caution of [...found, ...plan.cautions, ...plan.others])
    context.err(`${toPrintableLine(caution)}\n`);
  if (print || !(context.isTerminal.input && context.isTerminal.output)) {
    await giveSession(context, plan);
    return context.out(`${renderResume(plan.command)}\n`);
  }
  // The client clears the screen, and the warning with it.
  if (plan.others.length > 0 && !(await context.confirm(`Start ${plan.title} in it all the same?`)))
    return context.err("Nothing was started.\n");
  await giveSession(context, plan);
  const { cwd, program, args } = plan.command;
  const [node, launcher] = context.program;
  const started = program === ownProgram ? { program: node, args: [launcher, ...args] } : { program, args };
  await context.start({ cwd, ...started, env: environmentOf(plan.command, context.env) });
}

/** Says what would be written, or writes it, and what the client lacks then. */
export async function report(
  context: CommandContext,
  plan: ResumePlan,
  { dryRun, json }: { readonly dryRun?: true | undefined; readonly json?: true | undefined },
): Promise<void> {
  const { command, gift, title, preflight = null } = plan;
  if (!dryRun) await giveSession(context, plan);
  const written = gift?.native.fidelity ?? null;
  const found = describePreflight(plan, context.clock.now());
  if (!json) for (const line of found) context.err(`${toPrintableLine(line)}\n`);
  if (json) context.out(`${renderJson({ command: renderResume(command), written, preflight })}\n`);
  else if (gift !== undefined)
    context.out(`A transcript would be written for ${title}. ${renderFidelity(gift.native.fidelity)}\n`);
  else if (command.program === ownProgram)
    context.out("Carryon itself goes on in this session: nothing would be written.\n");
  else context.out(`${title} has this session itself: nothing would be written.\n`);
}

/** Says how much of a session the client will not load, which files are damaged, and which it deletes soon. */
function describePreflight({ preflight, title }: ResumePlan, now: Date): readonly string[] {
  if (preflight === undefined) return [];
  const { session, client, messages, loaded, files } = preflight;
  const part = `${title} will load ${loaded} of the ${plural(messages, "message")} of this session`;
  const found = files.flatMap((file) => {
    const damage = describeFaults(findDamage(file));
    return damage === "" ? [] : [`${file.path} is damaged: ${damage}`];
  });
  const wrong = [...(loaded === messages ? [] : [part]), ...found];
  // Where no file is damaged, a repair would change nothing.
  const mend =
    found.length > 0
      ? `mend it with \`carryon repair --client ${client} ${session}\``
      : `\`carryon fork ${session} --resume\` goes on with all of them`;
  const soon = files.filter(({ isUsed }) => isUsed).filter((file) => isExpiring(file, now));
  return [
    ...(wrong.length === 0 ? [] : [[...wrong, mend].join("; ")]),
    ...soon.map(
      (file) => `${title} deletes ${file.path} after ${describeDay(file.deletedAt)} unless you go on in it`,
    ),
  ];
}

/** Writes what the client lacks of a session, and says so. */
async function giveSession(context: CommandContext, { gift, title }: ResumePlan): Promise<void> {
  if (gift === undefined) return;
  const home = locateHome(context.env, context.userHome);
  await writeHere(context, ({ store }) => writeNative(store, gift, home));
  // So that the client need not wait for it when it starts.
  await catchUp(context);
  const lacks = gift.isNew ? "does not have all of this session" : "has no transcript of this session";
  const how = gift.isNew ? " under a new id" : "";
  context.err(
    `${title} ${lacks}: it was written from the store${how}. ${renderFidelity(gift.native.fidelity)}\n`,
  );
}

/** Says in a line or two what a written transcript has, and what it lacks. */
function renderFidelity({ kept, changed, leftOut }: Fidelity): string {
  const words = Object.entries(kept).map(([noun, count]) =>
    plural(count, noun, noun === "summary" ? "summaries" : undefined),
  );
  const list = (label: string, counts: Fidelity["kept"]) => {
    const told = new Map<string, number>();
    for (const [name, count] of Object.entries(counts)) {
      const plain = name.replace(/^merg\S* event$/, "note of a merge").replace(" the strand ", " the ");
      told.set(plain, (told.get(plain) ?? 0) + count);
    }
    const items = [...told].map(([name, count]) => `${name} (${count})`);
    return items.length === 0 ? "" : ` ${label}: ${items.join(", ")}.`;
  };
  return `Kept: ${words.join(", ") || "nothing"}.${list("Changed", changed)}${list("Left out", leftOut)}`;
}
