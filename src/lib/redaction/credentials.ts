import { edge, firmEdge, type Rule, token } from "./rule.ts";
import { looksLikePassword, looksLikeToken } from "./secret-value.ts";
import { hasVariety, isMixed, isTokenLike } from "./variety.ts";

const base64Url = "[A-Za-z0-9_-]";

/** Secrets that belong to no service: signed tokens, key files, password hashes, and what URLs and headers carry. */
export const credentialRules: readonly Rule[] = [
  {
    kind: "jwt",
    keywords: ["eyj"],
    source: String.raw`${firmEdge}eyJ${base64Url}{8,4096}\.eyJ${base64Url}{4,16384}(?:\.${base64Url}{0,2048})?`,
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
    kind: "url-password",
    keywords: ["://"],
    source: String.raw`://[^\s:@/?#"'\x60<>\[\]]{0,128}:(?<secret>[^\s/?#"'\x60<>]{1,256})(?=@[A-Za-z0-9.$%{_[-])`,
    isSecret: isUrlPassword,
  },
  {
    kind: "url-password",
    keywords: ["%3a%2f%2f"],
    source: "%3A%2F%2F[A-Za-z0-9._~-]{0,128}%3A(?<secret>[A-Za-z0-9._~!*()%-]{4,256})(?=%40)",
    anyCase: true,
    isSecret: isUrlPassword,
  },
  {
    kind: "url-token",
    keywords: ["://"],
    source: "://(?<secret>[A-Za-z0-9_-]{20,255})(?=@[A-Za-z0-9.-])",
    isSecret: isTokenLike,
  },
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
    isSecret: isBasic,
  },
  {
    kind: "authorization",
    keywords: ["authorization"],
    source: String.raw`authorization\\{0,3}["']?\]?[ \t]{0,4}[:=,][ \t]{0,4}\\{0,3}["'\x60]?(?:[A-Za-z0-9-]{2,16} )?(?<secret>[A-Za-z0-9._~+/=:-]{12,4096})`,
    anyCase: true,
    isSecret: looksLikeToken,
  },
  {
    kind: "netrc-password",
    keywords: ["login"],
    source: String.raw`${edge}login\s{1,8}[^\s\[]{1,64}\s{1,8}password\s{1,8}(?<secret>[^\s\[]{4,128})`,
    isSecret: looksLikePassword,
  },
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

const urlPlaceholder =
  /^(?:.{1,3}|pass|passwd|password|pwd|pw|secret|token|x{1,20}|\*{1,20}|\.{1,20}|•{1,20}|[0-9]{1,5})$/i;
const template = /[${}<>[\]]|%s|\bYOUR|placeholder/i;

function isUrlPassword(secret: string): boolean {
  return !urlPlaceholder.test(secret) && !template.test(secret);
}

function isMixedPassword(secret: string): boolean {
  return (
    /[a-z]/.test(secret) &&
    /[A-Z!@#$%^&*+=]/.test(secret) &&
    /[0-9]/.test(secret) &&
    looksLikePassword(secret)
  );
}

function isBearer(secret: string): boolean {
  return looksLikeToken(secret) || (secret.length >= 24 && isMixed(secret) && isTokenLike(secret));
}

/** Tells whether base64 hides a name and a password. */
function isBasic(secret: string): boolean {
  const decoded = Buffer.from(secret, "base64").toString("utf8");
  return /^[^:\p{C}\uFFFD]{0,256}:[^\p{C}\uFFFD]{1,512}$/u.test(decoded);
}
