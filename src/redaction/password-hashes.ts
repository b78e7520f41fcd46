import type { Rule } from "./rule.ts";
import { hasVariety } from "./variety.ts";

/** Passwords as servers keep them: who has the hash can try passwords until one fits. */
export const passwordHashRules: readonly Rule[] = [
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
