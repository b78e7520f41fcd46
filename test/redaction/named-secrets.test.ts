import { createSecretKey } from "node:crypto";
import { describe, expect, it } from "vitest";
import { makeRedactor } from "../../src/redaction/redactor.ts";
import { drawFake, makeRandom, piecesLeft } from "./seeded-random.ts";

const { redactText } = makeRedactor(createSecretKey(Buffer.alloc(32, 7)));
const samples = 20;

/** Names of secrets, the kind that they make of a value, and how such values look. */
const names: readonly (readonly [name: string, kind: string, form: string])[] = [
  ["API_KEY", "key", "<base62:32>"],
  ["api-key", "key", "<hex:32>"],
  ["encryptionKey", "key", "<base64:43>="],
  ["access_token", "token", "<url:43>"],
  ["AUTH_TOKEN_PROD", "token", "<base62:24>"],
  ["client_secret", "secret", "<url:40>"],
  ["SECRET_KEY_BASE", "key", "<hex:128>"],
  ["DB_PASSWORD", "password", "<base62:10>!<base62:4>1"],
  ["passwd", "password", "<base62:12>9"],
  ["SMTP_PASS", "password", "<base62:12>7"],
  ["AWS_SECRET_ACCESS_KEY", "aws-secret-key", "<base64:40>"],
  ["AWS_SESSION_TOKEN", "aws-session-token", "<base64:300>"],
  ["MISTRAL_API_KEY", "mistral-key", "<base62:32>"],
  ["COHERE_API_KEY", "cohere-key", "<base62:40>"],
  ["DEEPSEEK_API_KEY", "deepseek-key", "<hex:32>"],
  ["ASSEMBLYAI_API_KEY", "assemblyai-key", "<hex:32>"],
  ["ELEVENLABS_API_KEY", "elevenlabs-key", "<hex:32>"],
  ["AZURE_OPENAI_API_KEY", "azure-openai-key", "<hex:32>"],
  ["DATADOG_API_KEY", "datadog-key", "<hex:32>"],
  ["DD_APP_KEY", "datadog-key", "<hex:40>"],
  ["HEROKU_API_KEY", "heroku-key", "<hex:8>-<hex:4>-<hex:4>-<hex:4>-<hex:12>"],
  ["VERCEL_TOKEN", "vercel-token", "<base62:24>"],
  ["LINODE_TOKEN", "linode-token", "<hex:64>"],
  ["HETZNER_TOKEN", "hetzner-token", "<base62:64>"],
  ["CLOUDFLARE_API_TOKEN", "cloudflare-key", "<url:40>"],
  ["RAILWAY_TOKEN", "railway-token", "<hex:8>-<hex:4>-<hex:4>-<hex:4>-<hex:12>"],
  ["TWILIO_AUTH_TOKEN", "twilio-auth-token", "<hex:32>"],
  ["MAILGUN_API_KEY", "mailgun-key", "<hex:32>-<hex:8>-<hex:8>"],
  ["POSTMARK_SERVER_TOKEN", "postmark-token", "<hex:8>-<hex:4>-<hex:4>-<hex:4>-<hex:12>"],
  ["PAYPAL_CLIENT_SECRET", "paypal-secret", "<url:80>"],
  ["BRAINTREE_PRIVATE_KEY", "braintree-key", "<hex:32>"],
  ["COINBASE_API_SECRET", "coinbase-secret", "<base64:88>"],
  ["BINANCE_SECRET_KEY", "binance-secret", "<base62:64>"],
  ["BITBUCKET_TOKEN", "bitbucket-password", "<base62:32>"],
  ["GITEA_TOKEN", "gitea-token", "<hex:40>"],
  ["TRAVIS_TOKEN", "travis-token", "<base62:22>"],
  ["CODECOV_TOKEN", "codecov-token", "<hex:8>-<hex:4>-<hex:4>-<hex:4>-<hex:12>"],
  ["JENKINS_API_TOKEN", "jenkins-token", "<hex:34>"],
  ["SNYK_TOKEN", "snyk-token", "<hex:8>-<hex:4>-<hex:4>-<hex:4>-<hex:12>"],
  ["ALGOLIA_ADMIN_KEY", "algolia-key", "<hex:32>"],
  ["SEGMENT_WRITE_KEY", "segment-key", "<base62:32>"],
  ["OKTA_API_TOKEN", "okta-token", "00<url:40>"],
  ["AUTH0_CLIENT_SECRET", "auth0-secret", "<url:64>"],
  ["ZENDESK_API_TOKEN", "zendesk-token", "<base62:40>"],
  ["ASANA_ACCESS_TOKEN", "asana-token", "<hex:32>"],
  ["TRELLO_API_KEY", "trello-key", "<hex:32>"],
  ["JIRA_API_TOKEN", "jira-token", "<base62:24>"],
  ["DROPBOX_ACCESS_TOKEN", "dropbox-token", "<url:64>"],
  ["FACEBOOK_APP_SECRET", "facebook-secret", "<hex:32>"],
  ["TWITTER_API_SECRET", "twitter-secret", "<base62:50>"],
  ["SPOTIFY_CLIENT_SECRET", "spotify-secret", "<hex:32>"],
  ["PAGERDUTY_API_KEY", "pagerduty-key", "<base62:20>"],
  ["ROLLBAR_ACCESS_TOKEN", "rollbar-token", "<hex:32>"],
  ["ELASTIC_API_KEY", "elastic-key", "<base62:60>"],
];

const wrappings: readonly (readonly [name: string, wrap: (name: string, value: string) => string])[] = [
  ["plain text", (name, value) => `My ${name} is ${value}, keep it.`],
  ["JSON", (name, value) => JSON.stringify({ text: JSON.stringify({ [name]: value, last: 1 }) })],
  ["an environment file", (name, value) => `FIRST=1\nexport ${name}=${value}\nLAST=2\n`],
  ["a URL", (name, value) => `https://example.com/v1?first=1&${name}=${value}&last=2`],
  ["a diff", (name, value) => `@@ -1 +1 @@\n-  ${name}: ${value}\n+  ${name} = '${value}'\n`],
  ["two lines", (name, value) => `{\n  "${name}":\n    "${value}"\n}\n`],
];

describe("values whose name says that they are secret", () => {
  it.each(names)("are replaced in every wrapping: %s as %s", (name, kind, form) => {
    const random = makeRandom(name.length + form.length);
    const outcomes = wrappings.flatMap(([wrapping, wrap]) =>
      Array.from({ length: samples }, () => {
        const fake = drawFake(form, random);
        const redacted = redactText(wrap(name, fake.text));
        const isGone = piecesLeft(fake, redacted).length === 0 && redacted.includes(`[redacted:${kind}:`);
        return isGone ? undefined : `${wrapping}: ${redacted}`;
      }),
    );
    const missed = outcomes.filter((outcome) => outcome !== undefined);
    expect(missed.length <= outcomes.length * 0.1 ? [] : missed).toEqual([]);
  });
});

describe("the ways in which names and values are joined", () => {
  const random = makeRandom(20_261_115);
  const value = drawFake("<base62:28>7", random).text;

  it.each([
    ["shell", `export API_KEY=@`],
    ["shell, in quotes", `API_KEY="@" npm start`],
    ["Docker", `docker run -e API_KEY=@ image`],
    ["Dockerfile", `ENV API_KEY @`.replace(" @", "=@")],
    ["PowerShell", `$env:API_KEY = "@"`],
    ["Windows", `set API_KEY=@`],
    ["YAML", `api_key: @`],
    ["YAML, folded", `api_key: >-\n  @\nnext: 1`],
    ["Kubernetes", `- name: API_KEY\n  value: "@"`],
    ["TOML", `api_key = "@"`],
    ["INI", `api_key=@`],
    ["properties", `service.api.key=@`],
    ["JSON", `{"apiKey":"@"}`],
    ["JSON of name and value", `{"name": "API_KEY", "value": "@"}`],
    ["JSON in JSON", String.raw`{"text":"{\"apiKey\":\"@\"}"}`],
    ["TypeScript", `const apiKey: string = "@";`],
    ["JavaScript", `config.apiKey = '@'`],
    ["a template string", "const apiKey = `@`"],
    ["Python", `os.environ["API_KEY"] = "@"`],
    ["Python, a keyword argument", `Client(api_key="@")`],
    ["Python, bytes", `API_KEY = b"@"`],
    ["Go", `apiKey := "@"`],
    ["Rust", `let api_key: &str = "@";`],
    ["Java", `private static final String API_KEY = "@";`],
    ["C#", `string apiKey = @"@";`.replace(`@"@"`, `"@"`)],
    ["Ruby", `:api_key => '@',`],
    ["PHP", `$apiKey = '@';`],
    ["Swift", `let apiKey = "@"`],
    ["Lua", `api_key = "@"`],
    ["a call", `setApiKey("@")`],
    ["headers", `headers.set("x-api-key", "@")`],
    ["a header", `X-Api-Key: @`],
    ["curl", `curl -H 'x-api-key: @' https://example.com`],
    ["a flag", `tool --api-key @ --verbose`],
    ["a flag with a sign", `tool --api-key=@`],
    ["XML", `<apiKey>@</apiKey>`],
    ["an attribute", `<client apiKey="@"/>`],
    ["a property list", `<key>API_KEY</key>\n<string>@</string>`],
    ["a connection string", `Endpoint=sb://x;ApiKey=@;Name=y`],
    ["a query", `https://example.com/?api_key=@&page=2`],
    ["an encoded query", `https://example.com/?next=%3Fapi_key%3D@`],
    ["a sentence", `The API_KEY is @.`],
    ["German", `Der API-Key ist @`],
    ["a string without its end", `api_key = "@\nnext: "value"`],
    ["a comparison", `if (apiKey === "@") {`],
    ["a removed line", `-api_key: @`],
    ["an added line", `+api_key: "@"`],
    ["a quotation", `> api_key=@`],
    ["the colours of a terminal", `\u001b[1mapi_key=@\u001b[0m`],
  ])("%s", (_, pattern) => {
    expect(redactText(pattern.replace("@", value))).toBe(
      pattern.replace("@", redactText(`API_KEY=${value}`).slice(8)),
    );
  });
});
