import type { Rule } from "./rule.ts";
import { looksLikePassword } from "./secret-value.ts";
import { hasVariety } from "./variety.ts";

/** Passwords among the arguments of commands. */
export const commandPasswordRules: readonly Rule[] = [
  {
    kind: "command-password",
    keywords: [" -u ", "--user "],
    source: String.raw`(?: -u|--user) ["']?[^\s:"'@\[]{1,64}:(?<secret>[^\s"'\[]{6,128})`,
    isSecret: looksLikePassword,
  },
  {
    // mysql -psecret
    kind: "command-password",
    keywords: [" -p"],
    source: String.raw` -p["']?(?<secret>[A-Za-z0-9!@#$%^&*_+=.-]{6,64})(?=["'\s]|$)`,
    isSecret: isMixedPassword,
  },
  {
    kind: "command-password",
    keywords: ["sshpass -p"],
    source: String.raw`sshpass -p ?["']?(?<secret>[^\s"'\[$]{4,128})`,
    isSecret: hasVariety,
  },
];

function isMixedPassword(secret: string): boolean {
  return (
    /[a-z]/.test(secret) &&
    /[A-Z!@#$%^&*+=]/.test(secret) &&
    /[0-9]/.test(secret) &&
    looksLikePassword(secret)
  );
}
