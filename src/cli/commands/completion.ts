import { Argument } from "@commander-js/extra-typings";
import { defineCommand } from "../define-command.ts";

const raw = String.raw;

/** What each shell runs; all of them ask `carryon __complete`, so that they never grow out of date. */
const completionScripts = {
  bash: raw`_carryon() {
  local value
  COMPREPLY=()
  while IFS=$'\t' read -r value _; do
    COMPREPLY+=("$value")
  done < <(carryon __complete "${"$"}{COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _carryon carryon
`,
  zsh: raw`#compdef carryon
_carryon() {
  local -a candidates
  local value description
  while IFS=$'\t' read -r value description; do
    candidates+=("${"$"}{value//:/\\:}:$description")
  done < <(carryon __complete "${"$"}{(@)words[2,CURRENT]}" 2>/dev/null)
  if (( $#candidates )); then _describe carryon candidates; else _files; fi
}
if [ "${"$"}{funcstack[1]}" = _carryon ]; then _carryon "$@"; else compdef _carryon carryon; fi
`,
  fish: raw`function __carryon_complete
  set -l words (commandline -opc)
  set -e words[1]
  set -l current (commandline -ct)
  set -l candidates (carryon __complete $words "$current" 2>/dev/null)
  if test (count $candidates) -gt 0
    printf '%s\n' $candidates
  else
    __fish_complete_path "$current"
  end
end
complete -c carryon -f -a '(__carryon_complete)'
`,
} as const;

export const command = defineCommand({
  details: "It completes commands, options and the ids of sessions.",
  examples: [
    {
      line: `echo 'eval "$(carryon completion bash)"' >> ~/.bashrc`,
      does: "For bash, from the next shell on",
    },
    { line: "echo 'source <(carryon completion zsh)' >> ~/.zshrc", does: "For zsh, after compinit" },
    { line: "carryon completion fish > ~/.config/fish/completions/carryon.fish", does: "For fish" },
  ],
  define: (command) =>
    command.addArgument(new Argument("<shell>", "Your shell").choices(["bash", "zsh", "fish"] as const)),
  run: async (context, [shell]) => context.out(completionScripts[shell]),
});
