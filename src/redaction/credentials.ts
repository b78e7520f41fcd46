import { firmEdge, hasVariety, isMixed, isTokenLike, type Rule, token } from "./rule.ts";
import { looksLikeToken } from "./secret-value.ts";

const base64Url = "[A-Za-z0-9_-]";
/** A dot between the parts of a token, with a line end before it or behind it. */
const lineEnd = String.raw`(?:\r?\n[+>|]?[ \t]{0,8}|\\n)?`;
const dot = String.raw`${lineEnd}\.${lineEnd}`;

/** Secrets that belong to no service: signed tokens, key files, and what headers carry. */
export const credentialRules: readonly Rule[] = [
  {
    kind: "jwt",
    keywords: ["eyj"],
    source: String.raw`${firmEdge}eyJ${base64Url}{8,4096}${dot}eyJ${base64Url}{4,16384}(?:${dot}${base64Url}{16,2048}|\.${base64Url}{0,2048})?`,
    isSecret: hasVariety,
  },
  {
    kind: "jwe",
    keywords: ["eyj"],
    source: String.raw`${firmEdge}eyJ${base64Url}{8,4096}\.${base64Url}{0,1024}\.${base64Url}{8,64}\.${base64Url}{4,16384}\.${base64Url}{16,64}`,
    isSecret: hasVariety,
  },
  token({
    kind: "age-secret-key",
    prefixes: ["AGE-SECRET-KEY-1", "AGE-SECRET-KEY-PQ-1"],
    body: "[A-Z0-9]{40,128}",
  }),
  {
    kind: "bearer-token",
    keywords: ["bearer"],
    source: String.raw`bearer(?:%20|[\s:"']){1,4}(?<secret>[A-Za-z0-9._~+/=-]{12,4096})`,
    anyCase: true,
    isSecret: isBearer,
  },
  {
    kind: "basic-credentials",
    keywords: ["basic"],
    source: String.raw`basic(?:%20|[ \t]){1,4}(?<secret>[A-Za-z0-9+/_-]{8,1024}={0,2})`,
    anyCase: true,
    isSecret: isBasic,
  },
  {
    // The file of Docker's logins, and the line of npm's.
    kind: "basic-credentials",
    keywords: ["auth"],
    source: String.raw`(?<![A-Za-z0-9])auth\\{0,3}["']?[ \t]{0,4}[:=][ \t]{0,4}\\{0,3}["']?(?<secret>[A-Za-z0-9+/]{8,1024}={0,2})`,
    isSecret: isStoredLogin,
  },
  {
    kind: "request-signature",
    keywords: ["signature="],
    source: "(?<![A-Za-z0-9])signature=(?<secret>[0-9a-f]{64})(?![A-Za-z0-9])",
    anyCase: true,
    isSecret: hasVariety,
  },
  {
    kind: "authorization",
    keywords: ["authorization"],
    source: String.raw`authorization\\{0,3}["']?\]?[ \t]{0,4}[:=,][ \t]{0,4}\\{0,3}["'\x60]?(?:[A-Za-z0-9-]{2,16} )?(?<secret>[A-Za-z0-9._~+/=:-]{12,4096})`,
    anyCase: true,
    isSecret: looksLikeToken,
  },
];

function isBearer(secret: string): boolean {
  return looksLikeToken(secret) || (secret.length >= 24 && isMixed(secret) && isTokenLike(secret));
}

/** Tells whether base64 hides a text, as words that only look like base64 do not. */
function isStoredLogin(secret: string): boolean {
  const decoded = Buffer.from(secret, "base64").toString("utf8");
  return secret.length % 4 === 0 && /^[^\p{C}\uFFFD]{6,768}$/u.test(decoded);
}

/** Tells whether base64 hides a name and a password. */
function isBasic(secret: string): boolean {
  const decoded = Buffer.from(secret, "base64").toString("utf8");
  return /^[^:\p{C}\uFFFD]{0,256}:[^\p{C}\uFFFD]{1,512}$/u.test(decoded);
}
