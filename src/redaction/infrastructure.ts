import { edge, end, firmEdge, fixedToken, hasVariety, isNoName, type Rule, token } from "./rule.ts";

const base62 = "[A-Za-z0-9]";
const hex = "[0-9a-f]";

/** Tokens of the tools that hold secrets, watch machines and connect them. */
export const infrastructureRules: readonly Rule[] = [
  token({
    kind: "vault-token",
    prefixes: ["hvs.", "hvb.", "hvr."],
    body: "[A-Za-z0-9_-]{20,255}",
    isSecret: isNoName,
  }),
  {
    kind: "terraform-token",
    keywords: [".atlasv1."],
    source: String.raw`(?<=(?<head>[A-Za-z0-9]{14}))\.atlasv1\.[A-Za-z0-9_-]{60,80}`,
  },
  token({ kind: "pulumi-token", prefixes: ["pul-"], body: `[0-9a-f]{40}${end}` }),
  token({
    kind: "doppler-token",
    prefixes: ["dp.pt.", "dp.ct.", "dp.sa.", "dp.scim.", "dp.audit."],
    body: "[A-Za-z0-9]{30,64}",
  }),
  token({
    kind: "doppler-token",
    prefixes: ["dp.st."],
    body: String.raw`(?:[a-z0-9_-]{2,35}\.)?[A-Za-z0-9]{30,64}`,
  }),
  token({
    kind: "onepassword-token",
    prefixes: ["ops_eyJ"],
    edge: firmEdge,
    body: "[A-Za-z0-9_-]{60,2048}={0,2}",
  }),
  token({
    kind: "onepassword-secret-key",
    prefixes: ["A3-"],
    body: `[A-Z0-9]{6}-[A-Z0-9]{6}-?[A-Z0-9]{5}-[A-Z0-9]{5}-[A-Z0-9]{5}-[A-Z0-9]{5}${end}`,
  }),
  token({
    kind: "tailscale-key",
    prefixes: ["tskey-auth-", "tskey-api-", "tskey-client-", "tskey-scim-", "tskey-webhook-", "tskey-"],
    body: "[A-Za-z0-9]{6,32}-[A-Za-z0-9]{16,64}",
    isSecret: isNoName,
  }),
  token({
    kind: "sentry-token",
    prefixes: ["sntrys_eyJ"],
    edge: firmEdge,
    body: "[A-Za-z0-9+/=_%-]{40,1024}",
  }),
  fixedToken({ kind: "sentry-token", prefixes: ["sntryu_", "sntrya_"], alphabet: hex, length: 64 }),
  {
    kind: "sentry-dsn",
    keywords: ["://"],
    source: "://(?<secret>[0-9a-f]{32})(?=@[A-Za-z0-9.-]{1,80}(?::[0-9]{1,5})?/)",
    isSecret: hasVariety,
  },
  token({
    kind: "grafana-token",
    prefixes: ["glc_eyJ"],
    edge: firmEdge,
    body: "[A-Za-z0-9+/_%-]{32,512}={0,3}",
  }),
  token({ kind: "grafana-token", prefixes: ["glsa_"], body: "[A-Za-z0-9]{32}_[0-9a-fA-F]{8}" }),
  fixedToken({
    kind: "newrelic-key",
    prefixes: ["NRAK-", "NRII-", "NRIQ-", "NRSP-", "NRRA-"],
    alphabet: "[A-Za-z0-9_-]",
    length: 27,
  }),
  {
    kind: "newrelic-key",
    keywords: ["nral"],
    source: `(?<=(?<head>[0-9a-fA-FuU]{36}))NRAL${end}`,
    isSecret: hasVariety,
  },
  token({
    kind: "dynatrace-token",
    prefixes: ["dt0c01.", "dt0s01.", "dt0s02."],
    body: String.raw`[A-Z0-9-]{8,24}\.[A-Z0-9]{64}`,
  }),
  token({
    kind: "honeycomb-key",
    prefixes: ["hcaik_", "hcbik_", "hccik_", "hcxik_"],
    body: "[a-z0-9]{48,64}",
  }),
  fixedToken({
    kind: "sonarqube-token",
    prefixes: ["squ_", "sqp_", "sqa_"],
    alphabet: hex,
    length: 40,
  }),
  token({ kind: "databricks-token", prefixes: ["dapi"], body: `[0-9a-f]{32}(?:-[0-9]{1,2})?${end}` }),
  {
    kind: "launchdarkly-key",
    keywords: ["sdk-", "api-", "mob-"],
    source: `${edge}(?:sdk|api|mob)-[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}${end}`,
    isSecret: hasVariety,
  },
  fixedToken({ kind: "contentful-token", prefixes: ["CFPAT-"], alphabet: "[A-Za-z0-9_-]", length: 43 }),
  token({
    kind: "jetbrains-token",
    prefixes: ["perm:", "perm-"],
    body: String.raw`[A-Za-z0-9+/=_-]{4,128}\.[A-Za-z0-9+/=_-]{4,128}\.[A-Za-z0-9]{30,64}`,
  }),
  fixedToken({
    kind: "mapbox-token",
    prefixes: ["sk.eyJ"],
    alphabet: "[A-Za-z0-9_.-]",
    length: 70,
    least: 40,
  }),
  fixedToken({ kind: "scaleway-key", prefixes: ["SCW"], alphabet: "[A-Z0-9]", length: 17 }),
  fixedToken({ kind: "infisical-token", prefixes: ["st."], alphabet: "[0-9a-f.]", length: 90, least: 60 }),
  fixedToken({ kind: "prefect-key", prefixes: ["pnu_", "pnb_"], alphabet: base62, length: 36 }),
];
