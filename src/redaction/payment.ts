import { edge, end, fixedToken, type Rule, token } from "./rule.ts";
import { hasVariety, isTokenLike } from "./variety.ts";

const uuid = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}";

/** Keys of services that move money. */
export const paymentRules: readonly Rule[] = [
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
