/** What agents set for the commands that they run, and what we set for those of a session. */
const signs = [
  "CLAUDECODE",
  "CLAUDE_CODE_ENTRYPOINT",
  "CLAUDE_CODE_SESSION_ID",
  "CARRYON_SESSION",
  "CODEX_SANDBOX",
  "CODEX_THREAD_ID",
  "GEMINI_CLI",
  "OPENCODE",
  "CURSOR_AGENT",
  "AGENT",
];

/** Tells whether an environment says that an agent runs the program. */
export function isUnderAgent({
  env,
}: {
  readonly env: Readonly<Record<string, string | undefined>>;
}): boolean {
  // No terminal has this one empty: somebody has emptied it.
  if (env.CLAUDECODE === "") return true;
  return signs.some((name) => (env[name] ?? "") !== "" && env[name] !== "0");
}
