import {
  type AndOr,
  type Command,
  type CompoundList,
  type PipelineNode,
  parse,
  type Statement,
  type SyntaxNode,
} from "unbash";
import { isTangled } from "../../lib/is-tangled.ts";
import { filesIn, innerLine, withoutCarriers, wordsOf } from "./command-words.ts";

/** One command of a command line. */
export interface Step {
  /** The program by its bare name, then its arguments; without variables and words that only run the rest. */
  readonly words: readonly string[];
  /** The words as they were typed, with variables and words that only run the rest. */
  readonly typed: readonly string[];
  /** The chain of `&&` that it belongs to: a step of one runs only after those before it have passed. */
  readonly chain: string;
  /** Whether the exit code of the line says how this step ended. */
  readonly decides: boolean;
  /** Whether the line may succeed without it, as in `ls || make`. */
  readonly mayBeSkipped: boolean;
  /** Which pipeline of the line it belongs to; that of a step in brackets begins with that of the step which reads them. */
  readonly pipeline: string;
  /** The files that its output goes to. */
  readonly writes: readonly string[];
}

/** Lines of commands inside commands are followed this deep, as in `bash -c "bash -c …"`. */
const mostNested = 3;

/** Returns the commands that a line of a shell runs, in order. Of a line that is no complete command, those before the fault. */
export function commandSteps(line: string): readonly Step[] {
  return stepsOf(line, 0);
}

function stepsOf(line: string, depth: number): readonly Step[] {
  if (isTangled(line)) return [];
  const reader = new LineReader(depth);
  reader.list(parse(line).commands, wholeLine);
  return reader.steps;
}

/** Where a part of a line stands: this is the line itself. */
const wholeLine = {
  /** Whether a failure of it is the failure of the line. */
  decides: true as boolean,
  /** Whether `set -e` ends the line when it fails: not where the line asks how it ended. */
  stops: true as boolean,
  /** Whether the line ends with the exit code of the first command of a pipeline. */
  keepsFirst: false as boolean,
  mayBeSkipped: false as boolean,
  /** Whether `exit` ends no more than the brackets around it. */
  isInSubshell: false as boolean,
  /** The beginning of the names of its pipelines. */
  within: "",
  /** Where all of it writes to, as in `(make; ls) > out.log`. */
  writes: [] as readonly string[],
};

type Place = Readonly<typeof wholeLine>;

/** Where a line only asks how something ended. */
const asked = { decides: false, stops: false } as const;

/** Where a single command stands. */
interface CommandPlace extends Place, Pick<Step, "pipeline"> {
  /** Whether a later command of its pipeline hides how it ended. */
  readonly isLost: boolean;
  /** Whether it passes when it fails, as in `! make`. */
  readonly isNegated: boolean;
}

/** Returns how the names of the pipelines begin that another one reads; of many inside each other they would grow too long. */
const beginNames = (reader: string): string => (reader.length > 100 ? "" : `${reader}.`);

/** Follows the syntax of a line from its beginning to its end. */
class LineReader {
  readonly steps: Step[] = [];
  readonly #depth: number;
  /** `set -e`: the line ends with the first failure. */
  #stopsAtOnce = false as boolean;
  /** `set -o pipefail`: a pipeline fails with any of its commands. */
  #keepsFailure = false;
  #chain = 0;
  #pipelines = 0;

  constructor(depth: number) {
    this.#depth = depth;
  }

  list(statements: readonly Statement[], place: Place): void {
    for (const [index, { command, background }] of statements.entries()) {
      if (index > 0) this.#chain += 1;
      const [program, code = "$?"] = firstWords(statements[index + 1]?.command);
      // What follows may end the line with the same outcome.
      const isPassedOn = program === "exit" && /^\$[?{P]/.test(code);
      const isLast = index === statements.length - 1;
      const decides = isLast ? place.decides : isPassedOn && (place.decides || !place.isInSubshell);
      const keepsFirst = isPassedOn && code.includes("PIPESTATUS");
      this.#andOr(command, {
        ...place,
        decides,
        keepsFirst,
        ...(background === true && { ...asked, ...skipped }),
      });
    }
  }

  #andOr(node: PipelineNode | AndOr, place: Place): void {
    const { commands, operators } = node.type === "AndOr" ? node : { commands: [node], operators: [] };
    const last = commands.length - 1;
    const decides: boolean[] = [];
    for (let index = last; index >= 0; index -= 1) {
      const isNext = decides[index + 1] ?? place.decides;
      const [program, code] = firstWords(commands[index + 1]);
      const exits = program === "exit" && code !== "0" && (isNext || !place.isInSubshell);
      decides[index] = operators[index] === "||" ? exits : isNext;
    }
    for (const [index, command] of commands.entries()) {
      const isAfterOr = operators[index - 1] === "||";
      if (isAfterOr) this.#chain += 1;
      const mayBeSkipped = place.mayBeSkipped || isAfterOr;
      const stops = place.stops && index === last;
      this.#pipeline(command, { ...place, decides: decides[index] === true, stops, mayBeSkipped });
    }
  }

  #pipeline(node: PipelineNode, place: Place): void {
    const { commands, prefixes = [] } = node.type === "Pipeline" ? node : { commands: [node] };
    const isNegated = prefixes.some(({ type }) => type === "Negation");
    const pipeline = `${place.within}${this.#pipelines}`;
    this.#pipelines += 1;
    for (const [index, command] of commands.entries()) {
      const isRead = index < commands.length - 1;
      const isLost = isRead && !this.#keepsFailure && !place.keepsFirst;
      const within = isRead ? beginNames(pipeline) : place.within;
      const here = { ...place, within, ...((isLost || isNegated) && asked) };
      if (command.type === "Command") this.#command(command, { ...here, pipeline, isNegated, isLost });
      else this.#block(command, here);
    }
  }

  #command(command: Command, place: CommandPlace): void {
    const { pipeline, mayBeSkipped } = place;
    // Of a pipeline, only the last command lets the chain go on.
    const chain = mayBeSkipped || place.isLost ? `${this.#chain}/` : `${this.#chain}`;
    const typed = [...(place.isNegated ? ["!"] : []), ...wordsOf(command)];
    const text = typed.join(" ");
    if (/^set (?:\S+ )*-\w*o pipefail(?: |$)/.test(text)) this.#keepsFailure = true;
    if (!place.isInSubshell && /^set (?:\S+ )*(?:-\w*e|-o errexit)/.test(text)) this.#stopsAtOnce = true;
    const decides = place.decides || (this.#stopsAtOnce && place.stops);
    const writes = [...filesIn(command.redirects), ...place.writes];
    const words = withoutCarriers(typed);
    const program = (words[0] ?? "").replace(/^.*[\\/](?=.)/, "");
    const inner = this.#depth < mostNested ? innerLine(program, words) : undefined;
    if (inner !== undefined)
      this.steps.push(
        ...stepsOf(inner, this.#depth + 1).map((step) => ({
          ...step,
          decides: step.decides && decides,
          mayBeSkipped: step.mayBeSkipped || mayBeSkipped,
          pipeline: `${pipeline}.${step.pipeline}`,
          chain: `${chain}.${step.chain}`,
          writes: [...step.writes, ...writes],
        })),
      );
    else if (program !== "")
      this.steps.push({
        words: [program, ...words.slice(1)],
        typed,
        chain,
        decides,
        mayBeSkipped,
        pipeline,
        writes,
      });
  }

  #block(node: SyntaxNode, place: Place): void {
    const files = node.type === "Redirected" ? filesIn(node.redirects) : [];
    for (const [index, { commands, ...how }] of partsOf(node).entries()) {
      if (index > 0) this.#chain += 1;
      this.list(commands, { ...place, writes: [...files, ...place.writes], ...how });
    }
  }
}

/** The commands of a part of a block, and how they stand otherwise than the block. */
type Part = Pick<CompoundList, "commands"> & Partial<Place>;

const skipped = { mayBeSkipped: true } as const;

/** Returns the parts of brackets, a branch or a loop, in order. */
function partsOf(node: SyntaxNode): readonly Part[] {
  switch (node.type) {
    case "Subshell":
      return [{ ...node.body, isInSubshell: true }];
    case "BraceGroup":
      return [node.body];
    case "If":
      return [
        { ...node.clause, ...asked },
        { ...node.then, ...skipped },
        ...node.elif.flatMap(({ clause, then }) => [
          { ...clause, ...skipped, ...asked },
          { ...then, ...skipped },
        ]),
        ...(node.else === undefined ? [] : [{ ...node.else, ...skipped }]),
      ];
    case "While":
      return [
        { ...node.clause, ...asked },
        { ...node.body, ...skipped },
      ];
    case "For":
    case "Select":
    case "ArithmeticFor":
      return [{ ...node.body, ...skipped }];
    case "Case":
      return node.items.map(({ body }) => ({ ...body, ...skipped }));
    case "Redirected":
      return partsOf(node.command);
    case "Function":
    case "Coproc":
      return partsOf(node.body).map((part) => ({ ...part, ...skipped, ...asked }));
    default:
      return [];
  }
}

/** Returns the words of the command that a part of a line begins with; none for a block. */
function firstWords(node: PipelineNode | AndOr | undefined): readonly string[] {
  if (node?.type === "AndOr" || node?.type === "Pipeline") return firstWords(node.commands[0]);
  return node?.type === "Command" ? wordsOf(node) : [];
}
