import { type AppError, usageError } from "../../lib/app-error.ts";

/** What can be done with gates, in the order in which help lists it. */
export const gateActions = [
  "status",
  "satisfy",
  "approve",
  "clear",
  "list",
  "sessions",
  "prune",
  "enable",
  "disable",
  "pause",
  "unpause",
  "reload",
  "init",
  "explain",
] as const;

export type GateAction = (typeof gateActions)[number];

/** What somebody wants to be done. */
export interface GateRequest {
  readonly what: GateAction;
  readonly names: readonly string[];
  /** True for the branch that is checked out. */
  readonly branch?: string | true;
  readonly session?: string;
  readonly allSessions?: true;
  readonly ttl?: string;
  readonly metadata?: string;
  readonly untilEnd?: true;
  readonly preset?: "strict" | "relaxed" | "minimal";
  readonly yes?: true;
  readonly verbose?: true;
  readonly json?: true;
}

type OptionName = Exclude<keyof GateRequest, "what" | "names" | "json">;

interface Rule {
  /** How many names it takes. */
  readonly names: "none" | "one" | "some";
  readonly options: readonly OptionName[];
}

const rules: Readonly<Record<GateAction, Rule>> = {
  status: { names: "none", options: ["branch", "session", "verbose"] },
  satisfy: { names: "some", options: ["branch", "session", "ttl", "metadata", "yes"] },
  approve: { names: "one", options: ["branch", "session", "ttl", "metadata", "yes"] },
  clear: { names: "one", options: ["branch", "session", "allSessions", "yes"] },
  list: { names: "none", options: ["verbose"] },
  sessions: { names: "none", options: [] },
  prune: { names: "none", options: [] },
  enable: { names: "one", options: [] },
  disable: { names: "one", options: [] },
  pause: { names: "none", options: ["untilEnd", "session", "yes"] },
  unpause: { names: "none", options: [] },
  reload: { names: "none", options: [] },
  init: { names: "none", options: ["preset"] },
  explain: { names: "some", options: [] },
};

/** Throws for a request that makes no sense: an option that does not belong to what is done, or names too few or too many. */
export function checkRequest({ what, names, json: _json, ...options }: GateRequest): void {
  const rule = rules[what];
  const [unfit] = Object.entries(options).flatMap(([name, value]) =>
    value !== undefined && !rule.options.some((each) => each === name) ? [name] : [],
  );
  if (unfit !== undefined) {
    const flag = `--${unfit.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    throw usage(`\`carryon gate ${what}\` takes no ${flag}.`);
  }
  if (rule.names === "none" && names.length > 0) throw usage(`\`carryon gate ${what}\` takes no name.`);
  if (rule.names !== "none" && names.length === 0) throw nameMissing(what, options.branch);
  if (rule.names === "one" && names.length > 1) throw usage(`\`carryon gate ${what}\` takes one gate.`);
  if (what !== "status") checkAudience(options);
  if (options.branch === "" || options.session === "")
    throw usage("The name of a branch or of a session is empty.");
}

/** What is said for all sessions is not said for one. */
function checkAudience({ branch, session, allSessions }: Pick<GateRequest, OptionName>): void {
  const given = [
    ...(branch === undefined ? [] : ["--branch"]),
    ...(session === undefined ? [] : ["--session"]),
    ...(allSessions === undefined ? [] : ["--all-sessions"]),
  ];
  if (given.length > 1) throw usage(`${given.join(" and ")} do not go together.`);
}

/** The name after `--branch` is taken for that of a branch. */
function nameMissing(what: GateAction, branch: string | true | undefined): AppError {
  if (what === "explain") return usage("Say which command to explain, after --.");
  const said = `Say which gate to ${what}.`;
  if (typeof branch !== "string") return usage(said);
  return usage(
    said,
    `${JSON.stringify(branch.slice(0, 80))} is taken for a branch: put --branch at the end.`,
  );
}

/** Says that a command line of gates makes no sense. */
export function usage(message: string, hint = "See `carryon gate --help`."): AppError {
  return usageError("bad-gate-request", message, { hint });
}
