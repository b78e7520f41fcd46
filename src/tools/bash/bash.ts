import { StringDecoder } from "node:string_decoder";
import type { Command } from "../../lib/command.ts";
import { type CommandEnd, type OutputKeeper, OutputTail, runCommand } from "../../lib/run-command.ts";
import { readSecretName } from "../../redaction/secret-name.ts";
import { defineInput, defineTool } from "../define-tool.ts";
import { stoppedNote } from "../stopped-note.ts";
import { capOutput, joinEnds } from "../text/cap-output.ts";
import {
  type OutputListener,
  type ToolLimits,
  type ToolOutcome,
  ToolRefused,
  type ToolSurroundings,
} from "../tool.ts";

/** How long a command may run unless it says how long; what is told of its end has room too. */
const [usualSeconds, noteRoom] = [120, 300];

/** The longest that a timer takes. */
const longestMs = 2 ** 31 - 1;

export const bashTool = defineTool({
  name: "bash",
  effect: "runs",
  description: [
    "Run a command with bash in the work folder, and get what it printed and its exit code. A person is asked first, because a command is not confined to the work folder:",
    "prefer read, list, search, write and edit for what they can do.",
    "Each call begins anew in the work folder: cd and variables do not last. There is no terminal and no input, so that commands must not ask anything.",
    "A long output is cut in the middle. A command that takes too long is ended with all that it has started; what runs on in the background (with &) goes on after the call.",
  ].join(" "),
  input: defineInput({
    command: {
      type: "string",
      least: 1,
      description: "The command, as it would be typed; several lines are fine.",
    },
    timeout: {
      type: "integer",
      least: 1,
      optional: true,
      description: `After how many seconds it is ended; ${usualSeconds} unless given.`,
    },
  }),
  describe: ({ command }) => command,
  preview: async ({ command }) => command,
  run: async ({ command, timeout }, { folder, env, signal, limits, onOutput }) => {
    if (command.includes("\0")) throw new ToolRefused("A command has no NUL character.");
    const timeoutMs = chooseTimeout(timeout, limits);
    const end = await runCommand(toShell(command), {
      cwd: folder,
      env: commandEnvironment(env),
      timeoutMs,
      signal,
      output: heardBy(onOutput, new OutputEnds(Math.max(1, limits.outputCharacters - noteRoom))),
    });
    return toOutcome(end, { timeoutMs, limits });
  },
});

function chooseTimeout(seconds: number | undefined, { commandMs }: ToolLimits): number {
  return Math.min((seconds ?? usualSeconds) * 1000, commandMs, longestMs);
}

/** The first shell makes one stream of both, so that what is printed stays in order, and becomes the second. */
const merging = 'command -v bash >/dev/null && exec bash -c "$1" 2>&1; exec /bin/sh -c "$1" 2>&1';

function toShell(command: string): Command {
  if (process.platform === "win32") return ["bash", "-c", command];
  return ["/bin/sh", "-c", merging, "sh", command];
}

interface Bounds extends Pick<ToolSurroundings, "limits"> {
  readonly timeoutMs: number;
}

function toOutcome(end: CommandEnd, bounds: Bounds): ToolOutcome {
  switch (end.type) {
    case "exited":
      return describeExit(end.code, end.output);
    case "killed":
      return { output: withNote(end.output, `ended by ${end.signal}`), failed: true };
    case "timed-out":
      return { output: withNote(end.output, describeTimeout(bounds)), failed: true };
    case "not-started":
      return { output: end.reason, failed: true };
    case "aborted":
      return { output: `${endLine(end.output)}${stoppedNote}`, failed: true };
  }
}

function describeExit(code: number, output: string): ToolOutcome {
  if (code !== 0) return { output: withNote(output, `exit code ${code}`), failed: true };
  return { output: output === "" ? "[exit code 0, and nothing was printed]\n" : output, failed: false };
}

function describeTimeout({ timeoutMs, limits }: Bounds): string {
  const advice =
    timeoutMs < limits.commandMs
      ? "give a longer timeout if it needs one"
      : "that is the longest; start it in the background with & and look later at what it has done";
  return `ended after ${timeoutMs / 1000} s, with all that it had started: ${advice}`;
}

function withNote(output: string, note: string): string {
  return `${endLine(output)}[${note}]\n`;
}

function endLine(output: string): string {
  return output === "" || output.endsWith("\n") ? output : `${output}\n`;
}

type Variables = Readonly<Record<string, string | undefined>>;

/** Settings of the Carryon that runs the command, which would be those of one that the command runs. */
const ours = /^CARRYON_(?!HOME$)/;

/** Returns the variables that a command of a model finds: those of the caller, without keys and other secrets by their names. */
function commandEnvironment(env: Variables): Variables {
  const kept = Object.entries(env).filter(([name]) => readSecretName(name) === undefined && !ours.test(name));
  return Object.fromEntries(kept);
}

/** Returns what keeps an output and lets somebody hear it as it comes, in whole characters. */
function heardBy(listener: OutputListener | undefined, keeper: OutputKeeper): OutputKeeper {
  if (listener === undefined) return keeper;
  const decoder = new StringDecoder("utf8");
  return {
    add: (bytes) => {
      keeper.add(bytes);
      const text = decoder.write(bytes);
      if (text !== "") listener(text);
    },
    get text() {
      return keeper.text;
    },
  };
}

/** No character has more. */
const bytesOfCharacter = 4;

/** The beginning and the end of what a command prints, however much that is; all of it where there is room. */
class OutputEnds implements OutputKeeper {
  readonly #mostCharacters: number;
  readonly #tail: OutputTail;
  #head: Buffer[] = [];
  #headLength = 0;
  #length = 0;

  constructor(mostCharacters: number) {
    this.#mostCharacters = mostCharacters;
    this.#tail = new OutputTail(bytesOfCharacter * mostCharacters);
  }

  add(bytes: Buffer): void {
    this.#length += bytes.length;
    this.#tail.add(bytes);
    const missing = bytesOfCharacter * this.#mostCharacters - this.#headLength;
    if (missing <= 0) return;
    const first = bytes.subarray(0, missing);
    this.#head.push(first);
    this.#headLength += first.length;
  }

  get text(): string {
    const head = Buffer.concat(this.#head).toString();
    if (this.#length === this.#headLength) return capOutput(head, this.#mostCharacters);
    // What has more bytes than so many characters can have is longer than both ends together: they do not overlap.
    return joinEnds(head, this.#tail.text, { mostCharacters: this.#mostCharacters, bytes: this.#length });
  }
}
