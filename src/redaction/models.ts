import { end, fixedToken, hasVariety, isMixed, isNoName, isTokenLike, type Rule, token } from "./rule.ts";

const base62 = "[A-Za-z0-9]";
const hex = "[0-9a-f]";
const uuid = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}";

const isPlainKey = (secret: string): boolean => hasVariety(secret) && isMixed(secret.slice(3));

/** Keys of the providers of language models and of what is built around them. */
export const modelRules: readonly Rule[] = [
  token({
    kind: "anthropic-key",
    prefixes: ["sk-ant-"],
    body: "[A-Za-z0-9_-]{16,255}",
    isSecret: isNoName,
  }),
  token({
    kind: "openai-key",
    prefixes: ["sk-proj-", "sk-svcacct-", "sk-admin-", "sk-None-"],
    body: "[A-Za-z0-9_-]{16,255}",
    isSecret: isNoName,
  }),
  // The same form is given out by DeepSeek, Moonshot, Stability, Qwen and by many proxies.
  token({ kind: "openai-key", prefixes: ["sk-"], body: `[A-Za-z0-9]{20,128}${end}`, isSecret: isPlainKey }),
  token({
    kind: "openrouter-key",
    prefixes: ["sk-or-"],
    body: "[A-Za-z0-9-]{24,128}",
    isSecret: isNoName,
  }),
  token({ kind: "langfuse-key", prefixes: ["sk-lf-"], body: uuid }),
  fixedToken({
    kind: "huggingface-token",
    prefixes: ["hf_", "api_org_"],
    alphabet: base62,
    length: 34,
    least: 30,
    isSecret: isNoName,
  }),
  fixedToken({
    kind: "replicate-token",
    prefixes: ["r8_"],
    alphabet: base62,
    length: 37,
    least: 30,
    isSecret: isNoName,
  }),
  fixedToken({ kind: "groq-key", prefixes: ["gsk_"], alphabet: base62, length: 52, least: 32 }),
  fixedToken({ kind: "xai-key", prefixes: ["xai-"], alphabet: base62, length: 80, least: 40 }),
  fixedToken({ kind: "perplexity-key", prefixes: ["pplx-"], alphabet: base62, length: 48, least: 32 }),
  token({
    kind: "fireworks-key",
    prefixes: ["fw_"],
    body: `[A-Za-z0-9]{22,24}${end}`,
    isSecret: isTokenLike,
  }),
  token({ kind: "together-key", prefixes: ["tgp_v1_"], body: "[A-Za-z0-9_-]{32,64}" }),
  token({ kind: "nvidia-key", prefixes: ["nvapi-"], body: "[A-Za-z0-9_-]{40,128}", isSecret: isNoName }),
  fixedToken({
    kind: "cerebras-key",
    prefixes: ["csk-"],
    alphabet: "[a-z0-9]",
    length: 48,
  }),
  token({
    kind: "langsmith-key",
    prefixes: ["lsv2_pt_", "lsv2_sk_"],
    body: "[0-9a-f]{32}_[0-9a-f]{10}",
  }),
  token({ kind: "tavily-key", prefixes: ["tvly-"], body: "[A-Za-z0-9-]{28,64}", isSecret: isNoName }),
  fixedToken({ kind: "firecrawl-key", prefixes: ["fc-"], alphabet: hex, length: 32 }),
  token({ kind: "voyage-key", prefixes: ["pa-"], body: `[A-Za-z0-9_-]{43}${end}`, isSecret: isTokenLike }),
  token({ kind: "jina-key", prefixes: ["jina_"], body: "[A-Za-z0-9_-]{40,80}", isSecret: isNoName }),
  token({ kind: "pinecone-key", prefixes: ["pcsk_"], body: "[A-Za-z0-9_]{40,100}", isSecret: isNoName }),
  token({ kind: "wandb-key", prefixes: ["wandb_v1_"], body: "[A-Za-z0-9_]{40,100}", isSecret: isNoName }),
];
