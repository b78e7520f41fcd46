import {
  edge,
  firmEdge,
  fixedToken,
  hasVariety,
  isMixed,
  isNoName,
  isTokenLike,
  type Rule,
  token,
} from "./rule.ts";

const uuid = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}";

/** Tokens and webhooks of the services people talk on. */
export const chatRules: readonly Rule[] = [
  token({
    kind: "slack-token",
    prefixes: ["xoxa-", "xoxb-", "xoxc-", "xoxd-", "xoxe-", "xoxo-", "xoxp-", "xoxr-", "xoxs-"],
    body: "[A-Za-z0-9%-]{10,512}",
    isSecret: isNoName,
  }),
  token({
    kind: "slack-token",
    prefixes: ["xoxe.xoxb-", "xoxe.xoxp-", "xapp-"],
    body: "[A-Za-z0-9-]{20,512}",
    isSecret: isNoName,
  }),
  {
    kind: "slack-webhook",
    keywords: ["hooks.slack.com/"],
    source: String.raw`hooks\.slack\.com/(?:services|workflows|triggers)/(?<secret>[A-Z0-9]{6,14}/[A-Z0-9]{6,20}/[A-Za-z0-9/]{16,80})`,
    isSecret: hasVariety,
  },
  {
    kind: "discord-webhook",
    keywords: ["/webhooks/"],
    source: "/webhooks/[0-9]{15,22}/(?<secret>[A-Za-z0-9_-]{40,128})",
    isSecret: hasVariety,
  },
  {
    // Three parts: a number in base64, which begins like this, a time stamp, and the secret.
    kind: "discord-token",
    keywords: [],
    part: String.raw`\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27}`,
    source: String.raw`${edge}[MNO][DTjz][AEIMQUYcgk][A-Za-z0-9_-]{20,25}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,64}`,
    isSecret: isTokenLike,
  },
  {
    kind: "telegram-bot-token",
    keywords: [":aa"],
    source: "(?<=(?<head>[0-9]{8,10})):AA[A-Za-z0-9_-]{32,35}(?![A-Za-z0-9_-])",
    isSecret: hasVariety,
  },
  {
    kind: "teams-webhook",
    keywords: ["/incomingwebhook/"],
    source: `/IncomingWebhook/(?<secret>[0-9a-f]{32}/${uuid}(?:/[A-Za-z0-9_-]{20,80})?)`,
  },
  token({
    kind: "matrix-token",
    prefixes: ["syt_"],
    body: "[A-Za-z0-9]{2,255}_[A-Za-z]{20}_[A-Za-z0-9]{6}",
  }),
  fixedToken({ kind: "twilio-key", prefixes: ["SK"], alphabet: "[0-9a-f]", length: 32 }),
  {
    kind: "firebase-server-key",
    keywords: [":apa91b"],
    source: "(?<=(?<head>AAAA[A-Za-z0-9_-]{7})):APA91b[A-Za-z0-9_-]{100,200}",
  },
];

const base62 = "[A-Za-z0-9]";

/** Tokens of the places where code is hosted and packages are published. */
export const codeHostRules: readonly Rule[] = [
  fixedToken({
    kind: "github-token",
    prefixes: ["ghp_", "gho_", "ghu_", "ghs_", "ghr_"],
    alphabet: base62,
    length: 36,
    least: 16,
  }),
  fixedToken({
    kind: "github-fine-grained-token",
    prefixes: ["github_pat_"],
    alphabet: "[A-Za-z0-9_]",
    length: 82,
    least: 22,
  }),
  token({
    kind: "gitlab-token",
    prefixes: ["glpat-", "gldt-", "glrt-", "glrtr-", "glcbt-", "glptt-", "glft-", "glimt-", "glagent-"],
    body: String.raw`[A-Za-z0-9_-]{16,512}(?:\.[A-Za-z0-9]{2}\.[A-Za-z0-9]{7,12})?`,
    isSecret: isNoName,
  }),
  token({
    kind: "gitlab-token",
    prefixes: ["gloas-", "glsoat-", "glffct-", "glwt-"],
    body: "[A-Za-z0-9_-]{16,512}",
    isSecret: isNoName,
  }),
  fixedToken({ kind: "bitbucket-app-password", prefixes: ["ATBB"], alphabet: base62, length: 32 }),
  token({
    kind: "atlassian-token",
    prefixes: ["ATATT3", "ATCTT3", "ATSTT3"],
    body: "[A-Za-z0-9_-]{40,512}(?:=[0-9A-Z]{8})?",
  }),
  fixedToken({
    kind: "npm-token",
    prefixes: ["npm_"],
    alphabet: base62,
    length: 36,
    least: 30,
    isSecret: isMixed,
  }),
  token({ kind: "pypi-token", prefixes: ["pypi-AgE"], edge: firmEdge, body: "[A-Za-z0-9_-]{32,1024}" }),
  fixedToken({ kind: "rubygems-token", prefixes: ["rubygems_"], alphabet: "[0-9a-f]", length: 48 }),
  {
    kind: "crates-io-token",
    keywords: ["cio"],
    source: `${edge}cio[A-Za-z0-9]{32}(?![A-Za-z0-9+/=_-])`,
    isSecret: isTokenLike,
  },
  token({ kind: "docker-token", prefixes: ["dckr_pat_", "dckr_oat_"], body: "[A-Za-z0-9_-]{20,64}" }),
  {
    kind: "nuget-key",
    keywords: ["oy2"],
    source: `${edge}oy2[a-z0-9]{43}(?![A-Za-z0-9+/=_-])`,
    isSecret: isTokenLike,
  },
  fixedToken({ kind: "clojars-token", prefixes: ["CLOJARS_"], alphabet: "[a-z0-9]", length: 60 }),
  fixedToken({ kind: "artifactory-key", prefixes: ["AKCp"], alphabet: base62, length: 69, least: 60 }),
  fixedToken({ kind: "sourcegraph-token", prefixes: ["sgp_"], alphabet: "[0-9a-f_]", length: 40 }),
  token({
    kind: "circleci-token",
    prefixes: ["CCIPAT_", "CCIPRJ_"],
    body: "[A-Za-z0-9]{16,40}_[0-9a-f]{40}",
  }),
  fixedToken({
    kind: "buildkite-token",
    prefixes: ["bkua_", "bkct_"],
    alphabet: "[0-9a-f]",
    length: 40,
  }),
  fixedToken({ kind: "deno-deploy-token", prefixes: ["ddp_", "ddo_"], alphabet: base62, length: 36 }),
];
