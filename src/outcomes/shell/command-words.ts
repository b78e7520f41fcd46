import type { Command, CommandArgument, Redirection } from "unbash";

/** Returns the words of a command as they were typed, with the variables before it. */
export function wordsOf({ name, prefix, args }: Command): readonly string[] {
  const variables = prefix.filter((each) => each.type === "Assignment");
  return [...variables, ...(name === undefined ? [] : [name]), ...args].map(textOf);
}

/** Returns a word without its quotes; substitutions stay as they are written. */
function textOf(word: CommandArgument): string {
  if (word.type === "Word") return word.value;
  return word.value.type === "Word" ? `${word.name}=${word.value.value}` : word.text;
}

/** Returns the files that redirections name; `2>&1` names none. */
export function filesIn(redirects: readonly Redirection[]): readonly string[] {
  return redirects.flatMap((each) => {
    const name = each.type === "HereDoc" ? undefined : each.target?.value;
    return name === undefined || (/&$/.test(each.operator) && /^\d+$/.test(name)) ? [] : [name];
  });
}

const variable = /^[A-Za-z_]\w*\+?=/;
const mostCarriers = 10;
/** Words that run the words after them. */
interface Carrier {
  readonly words: RegExp;
  /** The words that it takes for itself. */
  readonly takes: RegExp;
  /** Those of its options whose value stands in the next word. */
  readonly valued?: RegExp;
  /** Set where a name of its own stands before the words that it runs. */
  readonly hasName?: true;
}

const carriers: readonly Carrier[] = [
  {
    words: /^(?:!|time|nohup|command|exec|builtin|env|sudo|doas|nice|ionice|stdbuf|xvfb-run|chronic)$/,
    takes: /^-/,
  },
  { words: /^(?:npx|bunx|pnpx)$/, takes: /^-/ },
  { words: /^timeout$/, takes: /^(?:-|[\d.]+[smhd]?$|(?:SIG)?[A-Z]{3,4}\d?$)/ },
  { words: /^(?:uv|poetry|pipenv|pdm|hatch|rye) run$/, takes: /^-/ },
  { words: /^(?:npm|pnpm|yarn|bun) (?:exec|dlx|x)$/, takes: /^-/ },
  { words: /^bundle exec$/, takes: /^-/ },
  {
    words: /^(?:docker|podman)(?:-compose| compose)? (?:run|exec)$/,
    takes: /^-/,
    valued: /^(?:-[euvwp]|--env|--user|--volume|--workdir|--name|--network|--entrypoint)$/,
    hasName: true,
  },
  { words: /^python[\d.]*(?: -\w+)? -m$/, takes: /^$/ },
];
/** Options of the others whose value stands in the next word. */
const withValue = /^(?:-[nku]|-p|--package|--signal|--adjustment)$/;

/** Returns a command without variables and words that only run the rest. */
export function withoutCarriers(words: readonly string[], depth = 0): readonly string[] {
  const start = words.findIndex((word) => !variable.test(word));
  const rest = start < 0 ? [] : words.slice(start);
  const inner = depth > mostCarriers ? undefined : carriedBy(rest);
  return inner === undefined ? rest : withoutCarriers(inner, depth + 1);
}

/** Returns the words that a carrier runs; undefined where a command begins with none. */
function carriedBy(words: readonly string[]): readonly string[] | undefined {
  const leads = [1, 2, 3].map((count) => words.slice(0, count).join(" "));
  const carrier = carriers.find(({ words: lead }) => leads.some((each) => lead.test(each)));
  // `command -v make` only looks for it.
  if (carrier === undefined || /^command -[vV]/.test(leads[1] ?? "")) return undefined;
  const { takes, valued = withValue, hasName } = carrier;
  let at = 1 + leads.findIndex((each) => carrier.words.test(each));
  while (at < words.length && takes.test(words[at] ?? "")) at += valued.test(words[at] ?? "") ? 2 : 1;
  if (hasName) at += 1;
  // A container may run what its image says.
  return hasName && at >= words.length ? undefined : words.slice(at);
}

/** Returns the line that a shell is given as an argument, as in `bash -lc "make"`. */
export function innerLine(program: string, words: readonly string[]): string | undefined {
  if (!/^(?:ba|da|z|k)?sh$/.test(program)) return undefined;
  const option = words.findIndex((word) => /^-\w*c$/.test(word));
  return option < 0 ? undefined : words[option + 1];
}
