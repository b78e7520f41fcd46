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
/** Words that run the words after them, and which words of their own they take: options, and a name where it has one. */
const carriers: readonly { readonly words: RegExp; readonly takes: RegExp; readonly names?: 1 }[] = [
  {
    words: /^(?:!|time|nohup|command|exec|builtin|env|sudo|doas|nice|ionice|stdbuf|xvfb-run|chronic)$/,
    takes: /^-/,
  },
  { words: /^(?:npx|bunx|pnpx)$/, takes: /^-/ },
  { words: /^timeout$/, takes: /^(?:-|[\d.]+[smhd]?$|(?:SIG)?[A-Z]{3,4}\d?$)/ },
  { words: /^(?:uv|poetry|pipenv|pdm|hatch|rye) run$/, takes: /^-/ },
  { words: /^(?:npm|pnpm|yarn|bun) (?:exec|dlx|x)$/, takes: /^-/ },
  { words: /^bundle exec$/, takes: /^-/ },
  { words: /^(?:docker|podman)(?:-compose| compose)? (?:run|exec)$/, takes: /^-/, names: 1 },
  { words: /^python[\d.]*(?: -\w+)? -m$/, takes: /^$/ },
];
/** Options whose value stands in the next word. */
const withValue = /^(?:-[nkuewv]|-p|--package|--signal|--adjustment|--name|--network|--entrypoint)$/;

/** Returns a command without variables and words that only run the rest. */
export function withoutCarriers(words: readonly string[], depth = 0): readonly string[] {
  const start = words.findIndex((word) => !variable.test(word));
  const rest = start < 0 ? [] : words.slice(start);
  // `command -v make` only looks for it.
  if (/^command -[vV]/.test(rest.slice(0, 2).join(" "))) return rest;
  const leads = [1, 2, 3].map((count) => rest.slice(0, count).join(" "));
  const carrier = carriers.find(({ words: lead }) => leads.some((each) => lead.test(each)));
  if (carrier === undefined || depth > mostCarriers) return rest;
  let at = 1 + leads.findIndex((each) => carrier.words.test(each));
  while (at < rest.length && carrier.takes.test(rest[at] ?? "")) at += withValue.test(rest[at] ?? "") ? 2 : 1;
  return withoutCarriers(rest.slice(at + (carrier.names ?? 0)), depth + 1);
}

/** Returns the line that a shell is given as an argument, as in `bash -lc "make"`. */
export function innerLine(program: string, words: readonly string[]): string | undefined {
  if (!/^(?:ba|da|z|k)?sh$/.test(program)) return undefined;
  const option = words.findIndex((word) => /^-\w*c$/.test(word));
  return option < 0 ? undefined : words[option + 1];
}
