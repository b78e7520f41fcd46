import type { Range } from "../lib/marker.ts";
import { assignmentRule } from "./assignment.ts";
import { cloudRules } from "./cloud.ts";
import { commandPasswordRules } from "./command-passwords.ts";
import { cookieRule, sessionCookieRule } from "./cookie.ts";
import { credentialRules } from "./credentials.ts";
import { infrastructureRules } from "./infrastructure.ts";
import { loginRules } from "./logins.ts";
import { modelRules } from "./models.ts";
import { officeRules } from "./office.ts";
import {
  edge,
  end,
  type Finding,
  fixedToken,
  hasVariety,
  isTokenLike,
  type ReaderRule,
  type Rule,
  type TextView,
  token,
} from "./rule.ts";
import { chatRules, codeHostRules } from "./services.ts";

const header = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/y;
const dashes = "-----";
const footer = /-{5,6}END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/y;
/** What the body of a key can be made of when its end is missing: base64 and line ends, plain or escaped. */
const notBody = /[^A-Za-z0-9+/=\s\\]/g;
const base64Run = /[A-Za-z0-9+/]{16}/;

/** Private keys in text form, also when escaped line ends, the marks of a diff or quotes stand between their lines. */
const privateKeyRule: ReaderRule = {
  keywords: ["-----begin "],
  read: ({ text }, keyword) => {
    header.lastIndex = keyword.start;
    if (!header.test(text)) return [];
    const bodyStart = header.lastIndex;
    const bodyEnd = findDashes(text, bodyStart);
    footer.lastIndex = bodyEnd;
    const end = footer.test(text) ? footer.lastIndex : endOfOpenBody(text, bodyStart, bodyEnd);
    if (!base64Run.test(text.slice(bodyStart, end))) return [];
    return [{ kind: "private-key", start: keyword.start, end }];
  },
};

/** Returns where the next row of five dashes begins, or the end of the text. */
function findDashes(text: string, from: number): number {
  const found = text.indexOf(dashes, from);
  return found === -1 ? text.length : found;
}

/** Returns where a key ends of which only the beginning is there. */
function endOfOpenBody(text: string, start: number, limit: number): number {
  notBody.lastIndex = start;
  const found = notBody.exec(text);
  return found === null ? limit : Math.min(found.index, limit);
}

const puttyLines = /Private-Lines: ?[0-9]{1,4}(?:\r?\n|\\r?\\n|\\n)/y;
const puttyBody = /[A-Za-z0-9+/=\s\\]{40,16384}/y;

/** The private lines of a PuTTY key file. */
const puttyKeyRule: ReaderRule = {
  keywords: ["private-lines:"],
  read: ({ text }: TextView, keyword: Range): readonly Finding[] => {
    puttyLines.lastIndex = keyword.start;
    if (!puttyLines.test(text)) return [];
    const start = puttyLines.lastIndex;
    puttyBody.lastIndex = start;
    if (!puttyBody.test(text)) return [];
    return [{ kind: "private-key", start, end: puttyBody.lastIndex }];
  },
};

const uuid = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}";

/** Keys of services that move money. */
const paymentRules: readonly Rule[] = [
  token({
    kind: "stripe-key",
    prefixes: ["sk_live_", "sk_test_", "rk_live_", "rk_test_", "sk_prod_"],
    body: "[A-Za-z0-9]{16,255}",
  }),
  token({ kind: "stripe-webhook-secret", prefixes: ["whsec_"], body: "[A-Za-z0-9+/]{24,128}={0,2}" }),
  token({ kind: "square-token", prefixes: ["sq0atp-", "sq0csp-"], body: "[A-Za-z0-9_-]{22,64}" }),
  {
    kind: "square-token",
    keywords: ["eaaa"],
    source: `${edge}EAAA[A-Za-z0-9_-]{60}(?![A-Za-z0-9+/=_-])`,
    isSecret: isTokenLike,
  },
  {
    kind: "braintree-token",
    keywords: ["access_token$"],
    source: String.raw`access_token\$(?:production|sandbox)\$[0-9a-z]{16}\$[0-9a-f]{32}`,
    isSecret: hasVariety,
  },
  token({
    kind: "shopify-token",
    prefixes: ["shpat_", "shpca_", "shppa_", "shpss_", "shpua_"],
    body: "[0-9a-fA-F]{32,64}",
  }),
  token({
    kind: "plaid-token",
    prefixes: ["access-sandbox-", "access-development-", "access-production-"],
    body: uuid,
  }),
  token({ kind: "razorpay-key", prefixes: ["rzp_live_", "rzp_test_"], body: `[A-Za-z0-9]{14,32}${end}` }),
  token({ kind: "flutterwave-key", prefixes: ["FLWSECK-", "FLWSECK_TEST-"], body: "[A-Za-z0-9-]{12,64}" }),
  token({
    kind: "paddle-key",
    prefixes: ["pdl_live_apikey_", "pdl_sdbx_apikey_"],
    body: "[A-Za-z0-9_]{26,80}",
  }),
  fixedToken({ kind: "paystack-key", prefixes: ["sk_"], alphabet: "[0-9a-f]", length: 48 }),
];

/** Passwords as servers keep them: who has the hash can try passwords until one fits. */
const passwordHashRules: readonly Rule[] = [
  {
    kind: "password-hash",
    keywords: ["$2a$", "$2b$", "$2y$"],
    source: String.raw`\$2[aby]\$[0-9]{2}\$[A-Za-z0-9./]{53}`,
    isSecret: hasVariety,
  },
  {
    kind: "password-hash",
    keywords: ["$argon2"],
    source: String.raw`\$argon2(?:id|i|d)\$v=[0-9]{1,3}\$[a-z0-9=,]{5,60}\$[A-Za-z0-9+/]{8,128}\$[A-Za-z0-9+/]{16,256}`,
  },
  {
    kind: "password-hash",
    keywords: ["$5$", "$6$", "$y$"],
    source: String.raw`\$[56y]\$(?:[A-Za-z0-9./=]{1,24}\$)?[A-Za-z0-9./]{1,32}\$[A-Za-z0-9./]{43,86}`,
  },
  {
    // The files that Apache's htpasswd writes.
    kind: "password-hash",
    keywords: ["$apr1$", "$1$"],
    source: String.raw`\$(?:apr1|1)\$[A-Za-z0-9./]{1,8}\$[A-Za-z0-9./]{22}`,
  },
  {
    kind: "password-hash",
    keywords: ["{sha}", "{ssha}", "{ssha256}", "{ssha512}"],
    source: String.raw`\{S?SHA(?:256|512)?\}(?<secret>[A-Za-z0-9+/]{27,160}={0,2})`,
    anyCase: true,
    isSecret: hasVariety,
  },
  {
    kind: "password-hash",
    keywords: ["pbkdf2_sha"],
    source: String.raw`pbkdf2_sha(?:1|256|512)\$[0-9]{3,8}\$[A-Za-z0-9]{6,64}\$[A-Za-z0-9+/]{20,128}={0,2}`,
  },
  {
    kind: "password-hash",
    keywords: ["scram-sha-"],
    source: String.raw`SCRAM-SHA-(?:1|256)\$[0-9]{3,8}:[A-Za-z0-9+/=]{8,64}\$[A-Za-z0-9+/=]{28,48}:[A-Za-z0-9+/=]{28,48}`,
  },
];

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
