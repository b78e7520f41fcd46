import { edge, fixedToken, type Rule, token } from "./rule.ts";
import { hasVariety, isNoName, isTokenLike } from "./variety.ts";

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
