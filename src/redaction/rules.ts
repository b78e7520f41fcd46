import { assignmentRule } from "./assignment.ts";
import { chatRules } from "./chat.ts";
import { cloudRules } from "./cloud.ts";
import { codeHostRules } from "./code-hosts.ts";
import { commandPasswordRules } from "./command-passwords.ts";
import { cookieRule, sessionCookieRule } from "./cookie.ts";
import { credentialRules } from "./credentials.ts";
import { infrastructureRules } from "./infrastructure.ts";
import { loginRules } from "./logins.ts";
import { modelRules } from "./models.ts";
import { officeRules } from "./office.ts";
import { passwordHashRules } from "./password-hashes.ts";
import { paymentRules } from "./payment.ts";
import { privateKeyRule, puttyKeyRule } from "./private-key.ts";
import type { Rule } from "./rule.ts";

/** Everything that is looked for, the most telling first: of rules that find the same secret, the first one names it. */
export const rules: readonly Rule[] = [
  ...modelRules,
  ...codeHostRules,
  ...cloudRules,
  ...chatRules,
  ...paymentRules,
  ...infrastructureRules,
  ...officeRules,
  privateKeyRule,
  puttyKeyRule,
  ...credentialRules,
  ...passwordHashRules,
  ...loginRules,
  ...commandPasswordRules,
  cookieRule,
  sessionCookieRule,
  assignmentRule,
];
