/** What the agent of the tour and its user say to each other. */
const lines: readonly (readonly [role: "user" | "assistant" | "tool", text: string])[] = [
  ["user", "Users are logged out after an hour. Find out why and fix it."],
  ["assistant", "I will look at how sessions expire."],
  ["tool", "src/session.ts:41: const lifetime = 60 * 60;"],
  ["assistant", "The lifetime is fixed at one hour and never renewed. Shall I renew it at each request?"],
  ["user", "Yes, but never beyond 30 days in all."],
  ["assistant", "Decided: renew at each request, 30 days at most. I will write the test first."],
  ["tool", "1 failed: renews a session that is in use"],
  ["assistant", "It fails as it should. Now the fix."],
  ["tool", "2 passed: renews a session that is in use; ends it after 30 days"],
  ["assistant", "Done. Next: the same for the mobile client."],
];

/** Returns the first messages of the tour as lines for `carryon append`; the talk goes round for as long as asked. */
export function makeScript(count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => {
    const [role, text] = lines[index % lines.length] ?? ["user", ""];
    const round = Math.floor(index / lines.length);
    return JSON.stringify({ role, text: round === 0 ? text : `${text} (${round + 1})` });
  });
}
