import { classifyCommand } from "../classify-command.ts";
import { type Argument, equals, isExact } from "./argument.ts";
import { listPlainCommands } from "./list-plain-commands.ts";
import { type OptionShape, parseOptions } from "./options.ts";

/** What may be given to a subcommand of git without it doing anything else than to make a branch or to go to one. */
interface Leaving extends OptionShape {
  readonly allowed: readonly string[];
  /** One of these has to be there. */
  readonly needs?: readonly string[];
  /** How many words may follow that are no options, at least and at most. */
  readonly operands: readonly [least: number, most: number];
}

const quiet = ["-q", "--quiet"];
const tracking = ["-t", "--track", "--no-track"];

const leaving: ReadonlyMap<string, Leaving> = new Map<string, Leaving>([
  [
    "switch",
    {
      allowed: [
        ...quiet,
        ...tracking,
        "-c",
        "--create",
        "--guess",
        "--no-guess",
        "--progress",
        "--no-progress",
      ],
      operands: [1, 3],
    },
  ],
  // Without one of these, what follows may be a file, whose changes it would take back.
  ["checkout", { allowed: [...quiet, ...tracking, "-b"], needs: ["-b"], operands: [1, 3] }],
  ["branch", { allowed: [...quiet, ...tracking], operands: [1, 2] }],
]);

/**
 * Tells whether a command line does nothing but leave the branch that is checked out for another one, make one to go to, or
 * put the work aside for that; what only reads may stand beside it.
 */
export function leavesBranch(command: string): boolean {
  if (!/\bgit\b/.test(command)) return false;
  const commands = listPlainCommands(command) ?? [];
  const kinds = commands.map(({ words, text }) =>
    isLeaving(words) ? "leaves" : classifyCommand(text).verdict,
  );
  return kinds.includes("leaves") && kinds.every((kind) => kind === "leaves" || kind === "reads");
}

function isLeaving(words: readonly Argument[]): boolean {
  const [program, ...args] = words;
  if (!equals(program, "git")) return false;
  const own = parseOptions(args, { values: "-C", endsAtOperand: true });
  if (own.isLoose || own.options.some(({ name }) => name !== "-C")) return false;
  const [subcommand, ...rest] = own.operands;
  if (subcommand === undefined || !rest.every(isExact)) return false;
  if (equals(subcommand, "stash")) return isPutAside(rest);
  const known = isExact(subcommand) ? leaving.get(subcommand.text) : undefined;
  return known !== undefined && isOnly(known, rest);
}

/** Tells whether `git stash` puts all the work aside. */
function isPutAside(words: readonly Argument[]): boolean {
  const rest = equals(words[0], "push") ? words.slice(1) : words;
  const allowed = [...quiet, "-u", "--include-untracked", "-m", "--message"];
  return isOnly({ allowed, values: "-m --message", operands: [0, 0] }, rest);
}

function isOnly({ allowed, needs, operands: [least, most], ...shape }: Leaving, words: readonly Argument[]) {
  const { options, operands, doubtful, isLoose } = parseOptions(words, shape);
  const names = options.map(({ name }) => name);
  return (
    !isLoose &&
    doubtful.length === 0 &&
    names.every((name) => allowed.includes(name)) &&
    (needs === undefined || needs.some((name) => names.includes(name))) &&
    operands.length >= least &&
    operands.length <= most
  );
}
