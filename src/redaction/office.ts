import { edge, end, fixedToken, hasVariety, isNoName, isTokenLike, type Rule, token } from "./rule.ts";

const base62 = "[A-Za-z0-9]";
const uuid = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}";

/** Keys of the services that send mail, keep notes and plan work. */
export const officeRules: readonly Rule[] = [
  token({
    kind: "sendgrid-key",
    prefixes: ["SG."],
    body: String.raw`[A-Za-z0-9_-]{16,32}\.[A-Za-z0-9_-]{32,64}`,
    isSecret: isNoName,
  }),
  {
    kind: "mailgun-key",
    keywords: ["key-"],
    source: `${edge}key-[0-9a-f]{32}${end}`,
    isSecret: hasVariety,
  },
  {
    kind: "mailchimp-key",
    keywords: ["-us"],
    source: `(?<=${edge}(?<head>[0-9a-f]{32}))-us[0-9]{1,2}${end}`,
    isSecret: hasVariety,
  },
  token({
    kind: "brevo-key",
    prefixes: ["xkeysib-", "xsmtpsib-"],
    body: "[0-9a-f]{64}-[A-Za-z0-9]{16}",
  }),
  token({
    kind: "resend-key",
    prefixes: ["re_"],
    body: `[A-Za-z0-9]{8}_[A-Za-z0-9]{22,28}${end}`,
    isSecret: isTokenLike,
  }),
  fixedToken({ kind: "linear-key", prefixes: ["lin_api_", "lin_oauth_"], alphabet: base62, length: 40 }),
  fixedToken({
    kind: "notion-token",
    prefixes: ["ntn_"],
    alphabet: base62,
    length: 46,
    least: 40,
  }),
  fixedToken({
    kind: "notion-token",
    prefixes: ["secret_"],
    alphabet: base62,
    length: 43,
    isSecret: isTokenLike,
  }),
  {
    kind: "airtable-token",
    keywords: ["pat"],
    source: String.raw`${edge}pat[A-Za-z0-9]{14}\.[0-9a-f]{64}`,
    isSecret: hasVariety,
  },
  token({ kind: "postman-key", prefixes: ["PMAK-"], body: "[0-9a-f]{24}-[0-9a-f]{34}" }),
  token({ kind: "figma-token", prefixes: ["figd_", "figu_"], body: "[A-Za-z0-9_-]{36,64}" }),
  token({ kind: "hubspot-token", prefixes: ["pat-na1-", "pat-na2-", "pat-eu1-"], body: uuid }),
  token({
    kind: "typeform-token",
    prefixes: ["tfp_"],
    body: "[A-Za-z0-9_.=-]{40,64}",
    isSecret: isNoName,
  }),
  {
    kind: "deepl-key",
    keywords: [":fx"],
    source: `(?<=(?<head>${uuid})):fx${end}`,
    isSecret: hasVariety,
  },
];
