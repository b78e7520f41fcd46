import { describeAge } from "../lib/duration.ts";
import { toPrintableLine } from "../lib/printable.ts";
import type { Look } from "../lib/style.ts";
import { wrap } from "../lib/terminal-text.ts";
import { renderFact } from "../work/render-work.ts";
import { describeLack, describeRemedy } from "./describe-refusal.ts";
import type { Gate } from "./gate.ts";
import type { GateDesk } from "./gate-desk.ts";
import type { GateReading, GateStatus, GateTrouble } from "./inspect-gate-files.ts";
import type { Remedies } from "./remedies.ts";
import type { ListedSession } from "./session-key.ts";

/** Renders what a gate asks for, in the words of the configuration; nothing where it has none. */
export function renderWords(gate: Gate, look: Look): string {
  const lines = describeWords(gate);
  if (lines.length === 0) return "";
  return [`\n${toPrintableLine(gate.name)}\n`, ...lines.map((line) => renderBelow(line, "  ", look))].join(
    "",
  );
}

/** Returns the lines of what a gate asks for. */
function describeWords({ description, message, checklist }: Gate): readonly string[] {
  const texts = [description, message].flatMap((text) => text?.split("\n") ?? []);
  return [...texts.filter((line) => line.trim() !== ""), ...checklist.map((item) => `- [ ] ${item}`)];
}

/** Renders a text below something, broken where the terminal ends. */
function renderBelow(text: string, indent: string, { style, columns }: Look): string {
  const line = toPrintableLine(text);
  return `${style.dim(columns === undefined ? indent + line : wrap(line, columns, indent))}\n`;
}

/** How it is shown: with what each gate asks for, where that is wanted. */
type StatusLook = Look & { readonly verbose: boolean };

/** Renders how the gates stand: where, each gate with what it lacks, what waits, and what is wrong. */
export function renderGateStatus(status: GateStatus, here: GateDesk, look: StatusLook): string {
  const { branch, session, rows, inert } = status;
  const fact = (name: string, text: string) => renderFact(look, name, text);
  const onBranch = branch === null ? "no branch is checked out" : `on ${toPrintableLine(branch)}`;
  const inSession = session === null ? "no session" : `session ${toPrintableLine(session)}`;
  return [
    fact("Gates", branch === null ? onBranch : `${onBranch}, ${inSession}`),
    ...(inert === undefined ? [] : [renderFact(look, "", inert, look.style.dim)]),
    ...rows.map((row) => renderRow(row, status, here, look)),
    ...(rows.length === 0 && inert === undefined ? [fact("", describeNone(here))] : []),
    ...renderTroubles(status, look),
    ...(session === null && status.live.length > 0 ? [renderLive(status.live, look)] : []),
  ].join("");
}

/** A gate may be there and off; where files wait or are wrong, what they hold is not known. */
function describeNone({ read: { config, waiting, problems } }: GateDesk): string {
  if (config.gates.length > 0) return "no gate is turned on; see `carryon gate list`";
  if (waiting.length > 0 || problems.length > 0) return "no gate counts";
  return "no gate is written down; begin with `carryon gate init`";
}

function renderRow(row: GateReading, { now }: GateStatus, remedies: Remedies, look: StatusLook): string {
  const { style } = look;
  const { gate, judgement, triggered } = row;
  const mark = judgement.satisfied ? style.green("✓") : style.red("✗");
  const scope = gate.scope.replace("_", " ");
  const more = `${gate.stopOnly ? ", at the stop" : ""}${triggered ? ", met in this session" : ""}`;
  const words = look.verbose ? describeWords(gate) : [];
  const said = [...words, describeFigure(row), describeStanding(row, now, remedies)].filter(
    (each) => each !== "",
  );
  return [
    `  ${mark} ${toPrintableLine(gate.name)} ${style.dim(`(${scope}${more})`)}\n`,
    ...said.map((each) => renderBelow(each, "    ", look)),
  ].join("");
}

function describeStanding(
  { gate, judgement, satisfiedBy, expiresAt }: GateReading,
  now: Date,
  remedies: Remedies,
): string {
  if (!judgement.satisfied) {
    const { lack } = judgement;
    // That it is not satisfied, and the figure, are there to see.
    const isSeen = lack.type === "never" || lack.type === "over";
    return `${isSeen ? "" : `${describeLack(gate, lack)} `}${describeRemedy(gate, remedies)}`;
  }
  const { by } = judgement;
  if (by === undefined) return "";
  const how = satisfiedBy === null ? "" : ` by ${satisfiedBy.replace("_", " ")}`;
  const when = by.satisfiedAt === null ? "" : ` ${describeAge(by.satisfiedAt, now)}`;
  const until = expiresAt === null ? "" : `, until ${expiresAt.toISOString()}`;
  return `satisfied${how}${when}${until}`;
}

function describeFigure({ gate, figure, remark }: GateReading): string {
  if (gate.type !== "dynamic") return "";
  const { block } = gate.thresholds;
  const limit = block === undefined ? "" : ` of ${block}`;
  const measured = figure === undefined ? "It could not be measured." : `${figure}${limit} changed lines`;
  if (remark === undefined) return measured;
  return figure === undefined ? `${measured} ${remark}` : `${measured}: ${remark}`;
}

const belowFact = " ".repeat(9);

function renderTroubles({ problems, waiting }: GateStatus, look: Look): readonly string[] {
  return [
    ...waiting.map((path) =>
      [
        renderFact(look, "Waits", toPrintableLine(path)),
        renderBelow("It counts once you trust this project: `carryon trust`.", belowFact, look),
      ].join(""),
    ),
    ...renderProblems(problems, look),
  ];
}

/** Renders what is wrong, and what to do about it. */
export function renderProblems(problems: readonly GateTrouble[], look: Look): readonly string[] {
  return problems.map(({ path, line, problem, hint }) => {
    const place = line === null ? path : `${path}, line ${line}`;
    const said = line === null ? `It ${problem}.` : problem;
    return [
      renderFact(look, "Problem", toPrintableLine(place), look.style.red),
      renderBelow(`${said.replace(/\.\.$/, ".")} ${hint}`, belowFact, look),
    ].join("");
  });
}

/** Renders which sessions live, where none of them is meant. */
function renderLive(live: readonly ListedSession[], look: Look): string {
  const names = live.map(({ key, branch }) => (branch === null ? key : `${key} (${branch})`)).join(", ");
  return [
    renderFact(look, "Live", toPrintableLine(names)),
    renderBelow("See how they stand for one of them with --session.", belowFact, look),
  ].join("");
}

/** Renders what is turned off, where all of it comes from and is kept, and what of the files is not used. */
export function renderDetails({ rows }: GateStatus, { read, place, registry }: GateDesk, look: Look): string {
  const shown = new Set(rows.map(({ gate }) => gate.name));
  const off = read.config.gates.flatMap(({ name }) => (shown.has(name) ? [] : [toPrintableLine(name)]));
  const fact = (name: string, text: string) => renderFact(look, name, toPrintableLine(text));
  return [
    ...(off.length === 0 ? [] : [fact("Off", off.join(", "))]),
    ...(place === undefined ? [] : [fact("State", place.folder)]),
    fact("Sessions", registry),
    ...read.notes.map(({ file, line, problem }) => fact("Note", `${file}, line ${line}: ${problem}`)),
  ].join("");
}
