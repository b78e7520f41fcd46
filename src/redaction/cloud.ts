import { edge, end, firmEdge, fixedToken, hasVariety, isTokenLike, type Rule, token } from "./rule.ts";

const base62 = "[A-Za-z0-9]";
const hex = "[0-9a-f]";

/** Keys and tokens of the places where programs run. */
export const cloudRules: readonly Rule[] = [
  fixedToken({
    kind: "aws-access-key-id",
    prefixes: ["AKIA", "ASIA", "ABIA", "ACCA"],
    alphabet: "[A-Z0-9]",
    length: 16,
  }),
  {
    kind: "aws-secret-key",
    keywords: ["secret"],
    source: String.raw`secret[_ -]?(?:access[_ -]?)?key[^A-Za-z0-9+/\n\[]{1,12}(?<secret>[A-Za-z0-9+/]{40})(?![A-Za-z0-9+/=])`,
    anyCase: true,
    isSecret: isTokenLike,
  },
  token({ kind: "aws-bedrock-key", prefixes: ["ABSK"], body: "[A-Za-z0-9+/%]{100,400}={0,2}" }),
  fixedToken({
    kind: "google-api-key",
    prefixes: ["AIza"],
    alphabet: "[A-Za-z0-9_-]",
    length: 35,
    least: 30,
  }),
  token({ kind: "google-client-secret", prefixes: ["GOCSPX-"], body: "[A-Za-z0-9_-]{20,64}" }),
  token({ kind: "google-access-token", prefixes: ["ya29."], edge: firmEdge, body: "[A-Za-z0-9_-]{20,2048}" }),
  token({ kind: "google-refresh-token", prefixes: ["1//0"], body: "[A-Za-z0-9_-]{40,512}" }),
  {
    kind: "azure-storage-key",
    keywords: ["accountkey", "account_key", "account-key"],
    source: String.raw`account[_-]?key[^A-Za-z0-9+/\n\[]{1,12}(?<secret>[A-Za-z0-9+/]{86}==)`,
    anyCase: true,
  },
  {
    kind: "azure-shared-access-key",
    keywords: ["sharedaccesskey"],
    source: "SharedAccessKey=(?<secret>[A-Za-z0-9+/]{40,88}={0,2})",
    anyCase: true,
  },
  {
    kind: "azure-sas-signature",
    keywords: ["sig="],
    source: "(?<![A-Za-z0-9])sig=(?<secret>[A-Za-z0-9+/%_-]{40,160}={0,2})",
    isSecret: isTokenLike,
  },
  {
    kind: "azure-client-secret",
    keywords: ["q~"],
    source: "(?<=(?<head>[A-Za-z0-9_~.-]{3}[0-9]))Q~[A-Za-z0-9_~.-]{31,34}",
    isSecret: hasVariety,
  },
  {
    kind: "azure-devops-token",
    keywords: ["azdo"],
    source: "(?<=(?<head>[A-Za-z0-9]{76}))AZDO[A-Za-z0-9]{4}",
    isSecret: hasVariety,
  },
  {
    kind: "azure-service-key",
    keywords: ["jqqj99"],
    source: "(?<=(?<head>[A-Za-z0-9]{52}))JQQJ99[A-Za-z0-9]{26}",
    isSecret: hasVariety,
  },
  fixedToken({
    kind: "digitalocean-token",
    prefixes: ["dop_v1_", "doo_v1_", "dor_v1_"],
    alphabet: hex,
    length: 64,
  }),
  fixedToken({
    kind: "cloudflare-token",
    prefixes: ["cfut_", "cfat_", "cfk_"],
    alphabet: base62,
    length: 48,
    least: 40,
  }),
  token({ kind: "cloudflare-origin-key", prefixes: ["v1.0-"], body: "[0-9a-f]{24}-[0-9a-f]{146}" }),
  token({ kind: "heroku-key", prefixes: ["HRKU-AA"], body: "[A-Za-z0-9_-]{40,64}" }),
  token({
    kind: "vercel-token",
    prefixes: ["vcp_", "vci_", "vca_", "vcr_", "vck_"],
    body: "[A-Za-z0-9]{24,80}",
    isSecret: isTokenLike,
  }),
  fixedToken({ kind: "netlify-token", prefixes: ["nfp_", "nfo_", "nfu_"], alphabet: base62, length: 36 }),
  token({ kind: "fly-token", prefixes: ["fo1_"], body: "[A-Za-z0-9_-]{40,64}", isSecret: isTokenLike }),
  token({
    kind: "fly-token",
    prefixes: ["fm1_", "fm1a_", "fm1r_", "fm2_"],
    edge: firmEdge,
    body: "[A-Za-z0-9+/_%-]{60,2048}={0,3}",
  }),
  {
    kind: "alibaba-access-key-id",
    keywords: ["ltai"],
    source: `${edge}LTAI[A-Za-z0-9]{12,26}${end}`,
    isSecret: isTokenLike,
  },
  {
    kind: "tencent-secret-id",
    keywords: ["akid"],
    source: `${edge}AKID[A-Za-z0-9]{32}${end}`,
    isSecret: isTokenLike,
  },
  token({
    kind: "render-key",
    prefixes: ["rnd_"],
    body: `[A-Za-z0-9]{28,40}${end}`,
    isSecret: isTokenLike,
  }),
  token({
    kind: "planetscale-token",
    prefixes: ["pscale_tkn_", "pscale_pw_", "pscale_oauth_"],
    body: "[A-Za-z0-9_.=-]{32,64}",
  }),
  fixedToken({ kind: "neon-key", prefixes: ["napi_"], alphabet: "[a-z0-9]", length: 64, least: 40 }),
  fixedToken({ kind: "supabase-token", prefixes: ["sbp_"], alphabet: hex, length: 40 }),
  token({ kind: "supabase-key", prefixes: ["sb_secret_"], body: "[A-Za-z0-9_-]{20,64}" }),
  token({ kind: "hetzner-token", prefixes: ["hcloud_"], body: "[A-Za-z0-9]{40,80}" }),
];
