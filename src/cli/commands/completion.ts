import { Argument } from "@commander-js/extra-typings";
import { completionScripts } from "../completion-scripts.ts";
import { defineCommand } from "../define-command.ts";

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
