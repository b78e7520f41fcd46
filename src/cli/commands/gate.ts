import { Argument, Option } from "@commander-js/extra-typings";
import { noRepository } from "../../gates/change-gates.ts";
import { findSessionIfClear, listLiveSessions } from "../../gates/choose-gate-session.ts";
import { classifyCommand } from "../../gates/classify-command.ts";
import type { Gate } from "../../gates/gate.ts";
import { describeGuess, type GateDesk, guessSession } from "../../gates/gate-desk.ts";
import { openGatesHere } from "../../gates/gates-here.ts";
import { releaseTree } from "../../gates/hold-desk.ts";
import { readGateStatus } from "../../gates/inspect-gate-files.ts";
import { pruneGates } from "../../gates/prune-gates.ts";
import {
  renderDetails,
  renderGateStatus,
  renderProblems,
  renderWords,
} from "../../gates/render-gate-status.ts";
import { presets } from "../../gates/render-preset.ts";
import { plural } from "../../lib/describe.ts";
import { describeAge } from "../../lib/duration.ts";
import { toPrintableLine } from "../../lib/printable.ts";
import { renderShellWord } from "../../lib/shell-word.ts";
import { type CommandContext, renderJson } from "../command-context.ts";
import { defineCommand, jsonOption } from "../define-command.ts";
import { clear, satisfyOrApprove } from "../gate/change-gate.ts";
import { configure, pause, writePreset } from "../gate/configure-gates.ts";
import { checkRequest, type GateAction, type GateRequest, gateActions } from "../gate/gate-request.ts";
import { toGateJson, toWordsJson } from "../gate/to-gate-json.ts";
import { type Column, renderTable } from "../render-table.ts";
import { requirePerson } from "../require-person.ts";

export const command = defineCommand({
  details:
    "A gate is a requirement of requirements.yaml that must be satisfied before a tool may run or a session may stop. " +
    "What is said of gates is said for a session: that of --session or CARRYON_SESSION, else the one that lives here. Run by " +
    "an agent, what only a person may allow is refused. docs/gates.md tells everything.",
  examples: [
    { line: "carryon gate", does: "How the gates stand, and what is wrong with them" },
    { line: "carryon gate satisfy commit_plan", does: "Say that one is satisfied in this session" },
    { line: "carryon gate approve branch_size --ttl 1h", does: "Allow it for an hour" },
    { line: "carryon gate explain -- sed -i s/a/b/ x", does: "What a command is taken for" },
  ],
  define: (command) =>
    command
      .addArgument(new Argument("[what]", "What to do").choices(gateActions))
      .argument("[names...]", "The gates; with explain: the command, after --")
      .option(
        "--branch [name]",
        "Another branch; with satisfy, approve and clear: what counts for all of its sessions",
      )
      .option("--session <id>", "The session, by its id, the beginning of one that lives, or latest")
      .option("--all-sessions", "With clear: what every session of the branch has satisfied")
      .option("--ttl <duration>", "How long it counts: seconds, or 30s, 5m, 1h, 7d")
      .option("--metadata <json>", "With satisfy and approve: what else is to be kept of it")
      .addOption(
        new Option("--preset <name>", "With init: how much it asks for (default: relaxed)").choices(presets),
      )
      .option("--until-end", "With pause: for one session, until it ends")
      .option("--yes", "With --session: even if nothing is known of it, and it is like one that is known")
      .option("--verbose", "Also say what is turned off, where it comes from, and what is not used")
      .addOption(jsonOption()),
  run: (context, [what = "status", names], options) => sayGate(context, { what, names, ...options }),
});

/** Shows how the gates stand. */
async function showStatus(context: CommandContext, here: GateDesk, request: GateRequest): Promise<void> {
  const session = await findSessionIfClear(context, here, request.session);
  const branch = typeof request.branch === "string" ? request.branch : here.branch;
  if (request.session !== undefined && session !== null) {
    const near = await guessSession(here, session, branch);
    if (near.length > 0) context.warn(`Nothing is known of a session ${session}. ${describeGuess(near)}`);
  }
  const status = await readGateStatus(here, branch, session);
  if (request.json) return context.out(`${renderJson(toGateJson(status))}\n`);
  const { style, columns } = context;
  context.out(renderGateStatus(status, here, { style, columns, verbose: request.verbose === true }));
  if (request.verbose) context.out(renderDetails(status, here, context));
}

/**
 * Says what a command is taken for. One word is a whole command line; several are those of one command. What is wrong with the
 * configuration is said beside it: a gate that was left out does not ask for the command.
 */
async function explain(context: CommandContext, { read }: GateDesk, { names }: GateRequest): Promise<void> {
  for (const { file, line, problem, hint } of read.problems)
    context.warn(`${file}, line ${line}: ${problem} ${hint}`);
  const [only = "", ...rest] = names;
  const command = rest.length === 0 ? only : names.map(renderShellWord).join(" ");
  const { verdict, why } = classifyCommand(command);
  context.out(`${renderJson({ verdict, why: toPrintableLine(why) })}\n`);
}

/** Lets what the files of the gates say now count in the sessions that have begun before. */
async function reload(context: CommandContext, here: GateDesk, request: GateRequest): Promise<void> {
  if (here.place === undefined) throw noRepository(here);
  await requirePerson(context, "Only a person lets other gates count in a session that runs");
  const sessions = releaseTree(here);
  if (request.json) return context.out(`${renderJson({ changed: sessions > 0 })}\n`);
  const who = sessions === 0 ? "No session is held to anything else" : plural(sessions, "session");
  context.err(
    sessions === 0 ? `${who}.\n` : `What the files of the gates say counts from the next step on: ${who}.\n`,
  );
}

type Act = (context: CommandContext, here: GateDesk, request: GateRequest) => Promise<void>;

const acts: Readonly<Record<GateAction, Act>> = {
  status: showStatus,
  satisfy: satisfyOrApprove,
  approve: satisfyOrApprove,
  clear,
  list,
  sessions: listLive,
  prune,
  enable: configure,
  disable: configure,
  pause,
  unpause: configure,
  reload,
  init: writePreset,
  explain,
};

/** Does what somebody wants to be done with gates. */
async function sayGate(context: CommandContext, request: GateRequest): Promise<void> {
  checkRequest(request);
  await acts[request.what](context, await openGatesHere(context), request);
}

/** Lists what the configuration says of gates, those that are turned off too. */
async function list(context: CommandContext, here: GateDesk, request: GateRequest): Promise<void> {
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
async function listLive(context: CommandContext, here: GateDesk, request: GateRequest): Promise<void> {
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
async function prune(context: CommandContext, here: GateDesk, request: GateRequest): Promise<void> {
  if (here.place === undefined) throw noRepository(here);
  const { branches, sessions } = await pruneGates(here);
  if (request.json) return context.out(`${renderJson({ branches: [...branches], sessions })}\n`);
  const names = branches.length === 0 ? "" : `: ${branches.join(", ")}`;
  context.err(
    `${toPrintableLine(`Removed what was kept of ${plural(branches.length, "branch", "branches")}${names}, and ${plural(sessions, "session")} from the list of those that live.`)}\n`,
  );
}
