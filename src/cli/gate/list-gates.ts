import { noRepository } from "../../gates/change-gates.ts";
import { listLiveSessions } from "../../gates/choose-gate-session.ts";
import type { Gate } from "../../gates/gate.ts";
import type { GateDesk } from "../../gates/gate-desk.ts";
import { pruneGates } from "../../gates/prune-gates.ts";
import { renderProblems } from "../../gates/render-gate-status.ts";
import { renderWords } from "../../gates/render-words.ts";
import { describeAge } from "../../lib/duration.ts";
import { plural } from "../../lib/plural.ts";
import { toPrintableLine } from "../../lib/printable.ts";
import type { CommandContext } from "../command-context.ts";
import { renderJson } from "../render-json.ts";
import { type Column, renderTable } from "../render-table.ts";
import type { GateRequest } from "./gate-request.ts";
import { toWordsJson } from "./to-gate-json.ts";

/** Lists what the configuration says of gates, those that are turned off too. */
export async function list(context: CommandContext, here: GateDesk, request: GateRequest): Promise<void> {
  const { gates } = here.read.config;
  const problems = here.read.problems.map(({ file, ...rest }) => ({ path: file, ...rest }));
  if (request.json) return context.out(`${renderJson({ gates: gates.map(toJson), problems })}\n`);
  context.err(renderProblems(problems, context).join(""));
  if (gates.length === 0)
    return context.err(
      problems.length + here.read.waiting.length > 0
        ? "No gate counts; `carryon gate` says why.\n"
        : "No gate is written down; begin with `carryon gate init`.\n",
    );
  const columns: readonly Column<Gate>[] = [
    { header: "GATE", cell: ({ name }) => name },
    { header: "ON", cell: ({ enabled }) => (enabled ? "yes" : "no") },
    { header: "TYPE", cell: ({ type }) => type },
    { header: "SCOPE", cell: ({ scope }) => scope },
    { header: "WHAT IT IS", cell: (gate) => gate.description ?? firstLine(gate.message), flexible: true },
  ];
  const { columns: width, style } = context;
  context.out(`${renderTable(columns, gates, { width, style: style.dim })}\n`);
  if (!request.verbose) return;
  for (const gate of gates) context.out(renderWords(gate, context));
  for (const { file, line, problem } of here.read.notes)
    context.err(`${toPrintableLine(`${file}, line ${line}: ${problem}`)}\n`);
}

function firstLine(text = ""): string {
  return text.trim().split("\n")[0] ?? "";
}

function toJson(gate: Gate) {
  const { name, enabled, type, scope, triggers, skills, stopOnly } = gate;
  const tools = triggers.map(({ tool, pattern }) => ({ tool, command_pattern: pattern ?? null }));
  return {
    ...{ name, enabled, type, scope, trigger_tools: tools, skills: [...skills], stop_only: stopOnly },
    ...toWordsJson(gate),
  };
}

/** Lists the sessions that live, of all projects. */
export async function listLive(context: CommandContext, here: GateDesk, request: GateRequest): Promise<void> {
  const sessions = await listLiveSessions(here);
  if (request.json) {
    return context.out(
      `${renderJson({
        sessions: sessions.map(({ key, ppid, projectDir, branch, startedAt, lastActive }) => ({
          session: key,
          ppid,
          project_dir: projectDir,
          branch,
          started_at: startedAt?.toISOString() ?? null,
          last_active: lastActive?.toISOString() ?? null,
        })),
      })}\n`,
    );
  }
  if (sessions.length === 0) return context.err("No session is known to live.\n");
  const now = context.clock.now();
  const columns: readonly Column<(typeof sessions)[number]>[] = [
    { header: "SESSION", cell: ({ key }) => key },
    { header: "BRANCH", cell: ({ branch }) => branch ?? "-" },
    {
      header: "ACTIVE",
      cell: ({ lastActive }) => (lastActive === null ? "-" : describeAge(lastActive, now)),
    },
    { header: "PROJECT", cell: ({ projectDir }) => projectDir, flexible: true },
  ];
  context.out(`${renderTable(columns, sessions, { width: context.columns, style: context.style.dim })}\n`);
}

/** Removes what is kept of branches and sessions that are gone. */
export async function prune(context: CommandContext, here: GateDesk, request: GateRequest): Promise<void> {
  if (here.place === undefined) throw noRepository(here);
  const { branches, sessions } = await pruneGates(here);
  if (request.json) return context.out(`${renderJson({ branches: [...branches], sessions })}\n`);
  const names = branches.length === 0 ? "" : `: ${branches.join(", ")}`;
  context.err(
    `${toPrintableLine(`Removed what was kept of ${plural(branches.length, "branch", "branches")}${names}, and ${plural(sessions, "session")} from the list of those that live.`)}\n`,
  );
}
