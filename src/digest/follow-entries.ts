import { callEndOf, keyOfCall } from "../clients/claude-code/links.ts";
import { readTodoChange } from "../clients/claude-code/read-todos.ts";
import { clip } from "../lib/clip.ts";
import { addRuns, type CommandResult, followCommand, leaveOutRuns } from "../outcomes/checks.ts";
import type { CheckSettings } from "../outcomes/find-runs.ts";
import { clientsOutcome, readBackgroundEnd, readShellResult, textOf } from "../outcomes/shell-result.ts";
import { readReport } from "../outcomes/workflow-status.ts";
import {
  type Correction,
  isCorrection,
  workDone,
  workReopened,
  wrongLine,
} from "../sessions/describing-events.ts";
import type {
  Entry,
  EventContent,
  JsonObject,
  Message,
  ToolCallPart,
  ToolResultPart,
} from "../sessions/entry.ts";
import { messageText } from "../sessions/entry.ts";
import { mainStrand } from "../sessions/ids.ts";
import { isMergedId } from "../sessions/merged-id.ts";
import { toSeenMessage } from "../sessions/observations.ts";
import { isOwnCall } from "../sessions/own-echo.ts";
import { fieldOf, outputText } from "../sessions/tool-runs.ts";
import { type UserWords, userWords } from "../sessions/user-words.ts";
import { type Call, type Digest, lineKey, type Source, type Words } from "./digest.ts";
import { keepAnswers, leaveOutTaken } from "./parts/answers.ts";
import { isRefusal, isSameCall } from "./parts/calls.ts";
import { findTaken, followFindings } from "./parts/findings.ts";
import { followGit } from "./parts/git-calls.ts";
import { aboutOf, projectPath, toolRole, useFile } from "./parts/tool-roles.ts";
import { endCommitted, followTodos, followTrackers } from "./parts/trackers.ts";
import { isObjection, keepWords } from "./parts/words.ts";

/**
 * Adds the next entries of a session to its digest. Pure: the same entries give the same digest, however they are cut into
 * batches. The cost grows with the entries.
 */
export function followEntries(
  digest: Digest,
  entries: readonly Entry[],
  settings: CheckSettings = {},
): Digest {
  const fold = new Fold(digest, settings);
  for (const entry of entries) {
    try {
      fold.follow(entry);
    } catch (error) {
      // What no version would have stored says nothing here; `carryon doctor` names it.
      if (!(error instanceof TypeError)) throw error;
    }
  }
  return fold.digest;
}

type Mutable<Type> = { -readonly [Key in keyof Type]: Type[Key] };

const longestAnswer = 6000;
const longestPlan = 2000;
const mostCalls = 40;
const mostAgents = 12;

class Fold {
  readonly digest: Mutable<Digest>;
  readonly #settings: CheckSettings;

  constructor(digest: Digest, settings: CheckSettings) {
    this.digest = { ...digest };
    this.#settings = settings;
  }

  follow(entry: Entry): void {
    const { digest } = this;
    if (entry.seq <= digest.seq) return;
    const at = entry.at.getTime();
    const source = { entry: entry.id, seq: entry.seq, at };
    digest.seq = entry.seq;
    digest.startedAt ??= at;
    const isMark = entry.kind === "event" && isCorrection(entry.event);
    if (!isMark) digest.updatedAt = Math.max(at, digest.updatedAt ?? at);
    for (const words of userWords(entry)) this.#hear(words, source);
    const [seen] = toSeenMessage(entry)?.parts ?? [];
    if (seen?.type === "tool-call") this.#seeCall(seen, source);
    if (seen?.type === "tool-result") this.#seeResult(seen, source);
    if (entry.kind === "message") this.#followMessage(entry, source);
    else if (entry.kind === "event") this.#followEvent(entry, source);
  }

  #followEvent({ event, data }: EventContent, source: Source): void {
    if (event === "ended") this.#forgetSeen();
    else if (event === "notification") this.#hearEnd(data, source);
    else if (isCorrection(event)) this.#correct(event, data, source.at);
  }

  #correct(event: Correction, { line }: JsonObject, at: number): void {
    const { digest } = this;
    if (event === workDone || event === workReopened) {
      // A merge may bring an older one later.
      if (at >= (digest.verdict?.at ?? 0))
        digest.verdict = { status: event === workDone ? "done" : "open", at };
    } else if (typeof line === "string") {
      const others = digest.wrong.filter((each) => each !== line);
      digest.wrong = event === wrongLine ? [...others, line].slice(-200) : others;
    }
  }

  /** A queued message comes again as a prompt when its turn comes. */
  #hear({ text, how }: UserWords, source: Source): void {
    const { words } = this.digest;
    const key = lineKey(text);
    const isSame = (each: Words) => lineKey(each.text) === key;
    const isSent = words.at(-1)?.how === "interrupted";
    if (how !== "interrupted" && !isSent && words.some(isSame)) return;
    // A request that was stopped and sent again counts where it was sent last.
    const before = isSent ? words.filter((each) => !isSame(each)) : words;
    // "No" to a question is an answer.
    const isAsked = this.digest.answers.at(-1)?.text.endsWith("?") === true;
    if (how === "rejecting" || (!isAsked && isObjection(text))) this.#takeBack();
    this.digest.words = keepWords([...before, { ...source, text: text.slice(0, 1500), how }]);
  }

  /** What the user objects to at once, or refuses to have done, does not hold. */
  #takeBack(): void {
    const { digest } = this;
    const last = digest.answers.at(-1);
    const asked = digest.words.findLast(({ how }) => how !== "interrupted");
    if (last === undefined || last.seq < (asked?.seq ?? 0)) return;
    digest.answers = digest.answers.slice(0, -1);
    digest.findings = digest.findings.filter(({ seq }) => seq !== last.seq);
  }

  #followMessage(message: Message, source: Source): void {
    const { digest } = this;
    const { inputTokens = 0, outputTokens = 0 } = message.usage ?? {};
    digest.tokens = { input: digest.tokens.input + inputTokens, output: digest.tokens.output + outputTokens };
    const isMain = message.strand === mainStrand;
    if (isMain && message.role === "assistant") this.#answer(messageText(message), source);
    for (const part of message.parts) {
      if (part.type === "tool-call" && isMain) this.#begin(part, source);
      else if (part.type === "tool-call") this.#beginAside(part, source);
      else if (part.type === "tool-result") this.#end(part, source, message);
    }
  }

  /** Follows the news that something has ended in the background: a command, or a subagent. */
  #hearEnd({ text }: JsonObject, source: Source): void {
    const { call: id, exitCode, report } = readBackgroundEnd(String(text));
    const call = this.#find(id);
    if (call === undefined) return;
    this.#forget(call);
    this.#report(call, report, source);
    if (exitCode === undefined || toolRole(call.tool) !== "shell") return;
    this.#check(call.about, { output: "", isOutputUnknown: true, exitCode }, source);
  }

  /** Adds what a subagent says of the work at its end. */
  #report({ input }: Call, text: string, { at, ...source }: Source): void {
    const agent = fieldOf(input, "subagent_type");
    if (typeof agent !== "string" || isMergedId(source.entry)) return;
    const report = readReport({ ...source, agent, text, at: new Date(at) });
    this.digest.checks = addRuns(this.digest.checks, report);
  }

  #find(id: string): Call | undefined {
    return this.digest.calls.find(({ call }) => call === id);
  }

  #forget(call: Call): void {
    this.digest.calls = this.digest.calls.filter((each) => each !== call);
  }

  #answer(text: string, source: Source): void {
    if (text.trim() === "" || text === "No response requested.") return;
    const { digest } = this;
    const said = { ...source, text: text.trim().slice(0, longestAnswer) };
    this.#forgetSeen();
    const since = digest.words.at(-1)?.seq ?? 0;
    const taken = findTaken(digest.findings, said.text);
    digest.answers = keepAnswers([...leaveOutTaken(digest.answers, taken), said]);
    const standing = digest.findings.filter((each) => !taken.includes(each));
    digest.findings = followFindings(standing, said.text, source, since);
  }

  /** Follows a call that a hook saw: of a client that was killed, the transcript may not have it. */
  #seeCall(part: ToolCallPart, source: Source): void {
    const { answers, calls, lastCall } = this.digest;
    const isKnown = [...calls, lastCall].some((call) => call !== null && isSameCall(call, part));
    if (!isKnown && source.at >= (answers.at(-1)?.at ?? 0)) this.#begin(part, source);
  }

  /**
   * Takes only an edit and a check from a result that a hook saw: the transcript may still bring it. A file counts once, and
   * the check is taken off again then.
   */
  #seeResult(part: ToolResultPart, source: Source): void {
    const { digest } = this;
    if (digest.lastCall !== null && isSameCall(digest.lastCall, part)) this.#finishLast();
    const call = digest.calls.findLast((each) => isSameCall(each, part));
    if (call === undefined) return;
    const role = toolRole(call.tool);
    if (role === "shell")
      this.#check(call.about, readShellResult({ ...part, client: digest.client }), source);
    else if (role === "edit" && part.failed !== true)
      digest.edited = useFile(digest.edited, projectPath(call.about, digest.cwd), source);
  }

  /** A call that only a hook saw is over once the session goes on or ends: it may have been refused, or a subagent's. */
  #forgetSeen(): void {
    if (callEndOf(this.digest.lastCall?.call ?? "") !== undefined) this.digest.lastCall = null;
  }

  #finishLast(): void {
    const { lastCall } = this.digest;
    this.digest.lastCall = lastCall && { ...lastCall, isDone: true };
  }

  #begin(part: ToolCallPart, source: Source): void {
    const { digest } = this;
    const role = toolRole(part.name);
    const about = aboutOf(part);
    const call = { ...source, call: part.call, tool: part.name, about };
    digest.lastCall = { ...call, about: about.slice(0, 400), isDone: false };
    if (isOwnCall(part)) return;
    const isNeeded = /^(?:todo|task(?:create|update|list)$)/i.test(part.name);
    const agent = fieldOf(part.input, "subagent_type");
    const input = isNeeded ? part.input : agent && { subagent_type: agent };
    this.#remember({ ...call, ...(input !== undefined && { input }) });
    if (role === "plan" && about !== "") digest.plan = { ...source, text: about.slice(0, longestPlan) };
  }

  /** Of another strand only checks count: a subagent's result is in the talk that called it. */
  #beginAside(part: ToolCallPart, source: Source): void {
    if (toolRole(part.name) === "shell" && !isOwnCall(part))
      this.#remember({ ...source, call: part.call, tool: part.name, about: aboutOf(part) });
  }

  #remember(call: Call): void {
    this.digest.calls = [...this.digest.calls, call].slice(-mostCalls);
  }

  #end(result: ToolResultPart, source: Source, message: Message): void {
    const { digest } = this;
    const call = this.#find(result.call);
    if (digest.lastCall?.call === result.call) this.#finishLast();
    if (call === undefined) return;
    const output = outputText(result.output);
    const isRefused = result.failed === true && isRefusal(output);
    const told = { ...result, outcome: clientsOutcome(message), client: digest.client };
    const ran = toolRole(call.tool) === "shell" && !isRefused ? readShellResult(told) : undefined;
    digest.checks = leaveOutRuns(digest.checks, (each) => callEndOf(each.entry) === keyOfCall(call.call));
    this.#check(call.about, ran, source);
    // The end of what was only started is told later.
    if (ran?.isStarted === true || /^Async agent launched/.test(output)) return;
    this.#forget(call);
    this.#report(call, textOf(result.output), source);
    if (message.strand !== mainStrand) return;
    if (isRefused) this.#refuse(call, output, source);
    else this.#endOf(call, result, output, source);
  }

  #endOf(call: Call, result: ToolResultPart, output: string, source: Source): void {
    const { digest } = this;
    const { tool: name, input = {} } = call;
    const change = readTodoChange({ call: { type: "tool-call", call: call.call, name, input }, result });
    const role = toolRole(name);
    // The list of another session, which a merge has brought, is not this one's.
    if (change !== undefined && isMergedId(source.entry)) return;
    if (change !== undefined) digest.tasks = followTodos(digest.tasks, change, source);
    else if (role === "shell") this.#ran(call, result, output, source);
    else if (role === "agent") {
      const told = { ...source, task: clip(call.about, 120), text: clip(output, 400) };
      digest.agents = [...digest.agents, told].slice(-mostAgents);
    } else if (result.failed !== true && (role === "edit" || role === "read")) {
      const part = role === "edit" ? "edited" : "read";
      digest[part] = useFile(digest[part], projectPath(call.about, digest.cwd), source);
    }
  }

  #ran({ about: command }: Call, { failed }: ToolResultPart, output: string, source: Source): void {
    const { digest } = this;
    Object.assign(digest, followGit(digest, { command, output, failed: failed === true }, source));
    const made = digest.commits.filter(({ seq }) => seq === source.seq);
    digest.tasks = endCommitted(digest.tasks, made);
    if (failed !== true) digest.tasks = followTrackers(digest.tasks, command, output, source);
  }

  /** Follows what came of a command, unless it was refused. The session that a merge took it from tells it itself. */
  #check(command: string, told: Omit<CommandResult, "command"> | undefined, source: Source): void {
    if (told === undefined || isMergedId(source.entry)) return;
    const ran = { command, ...told, ...source, at: new Date(source.at) };
    this.digest.checks = followCommand(this.digest.checks, ran, this.#settings);
  }

  #refuse({ tool, about }: Call, output: string, source: Source): void {
    if (/the user said:/i.test(output)) return;
    const text = `${tool} ${clip(projectPath(about, this.digest.cwd) ?? about, 120)}`;
    this.digest.refused = [...this.digest.refused, { ...source, text }].slice(-5);
  }
}
