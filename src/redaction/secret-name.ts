import { nameSuffix } from "./secret-words.ts";

/** What kind of secret a name promises, and how freely its value may be chosen. */
export interface SecretName {
  readonly kind: string;
  /** People make up passwords and phrases; machines make tokens. */
  readonly madeBy: "people" | "machines";
  /** The name says what the secret is for; `token` alone could name a word of a language, too. */
  readonly isExact: boolean;
  /** Its value may be the public name of a key. */
  readonly isFingerprint: boolean;
}

const suffix = new RegExp(`${nameSuffix}$`, "i");
const people = /(?:password|passwd|passphrase|passwort|kennwort|contrasena|senha|mnemonic|seedphrase)s?$/;
const talk =
  /(?:forgot|forget|reset|show|hide|toggle|invalid|wrong|incorrect|missing|weak|has|is|no|bad|require|requires|send|request|recover|lost|change|changed|remember|needs?|enter)_?-?(?:pass(?:word|wd|phrase)?|pwd)s?$/i;
const shortWord = /(?:^|[_.-])(?:pass|pwd)$|[a-z](?:Pass|Pwd)$|(?:^|-)(?:store|key|trust|require)pass$/;
const workingFolder = /^(?:OLD)?PWD$/;
const secretKey =
  /(?:api|app|application|access|account|secret|private|auth|authentication|signing|signature|encryption|encrypt|decryption|crypto|cipher|master|root|admin|shared|storage|service|client|consumer|license|webhook|session|cookie|jwt|hmac|aes|rsa|ssh|gpg|deploy|subscription|function|ingest|ingestion|integration|write|server|role|dek|kek|partner|merchant|sdk|bot|rest|tsig|preshared)key$/;
const notSecretToken =
  /(?:page|pagination|continuation|cursor|sync|next|previous|prev|pad|eos|bos|unk|sep|cls|mask|stop|special|design|color|syntax|public|last|first|current|punctuation|operator|start|end|open|close|input|output)tokens?$/;
const signature = /(?:xamz|xgoog|hmac|webhook|url)signature$/;

/** The same few names stand at thousands of places. */
const read = new Map<string, SecretName | undefined>();
const mostRead = 4096;
const longestRead = 64;

/** Tells what secret a name speaks of; undefined for a name that speaks of none. */
export function readSecretName(name: string): SecretName | undefined {
  if (read.has(name)) return read.get(name);
  const told = judgeName(name);
  if (name.length > longestRead) return told;
  if (read.size >= mostRead) read.clear();
  read.set(name, told);
  return told;
}

function judgeName(name: string): SecretName | undefined {
  const stem = name.slice(-80).replace(suffix, "");
  const joined = stem.replace(/[^A-Za-z0-9]/g, "").toLowerCase();
  if (workingFolder.test(stem)) return undefined;
  if (people.test(joined) || shortWord.test(stem) || /^[A-Z0-9_]{0,80}_(?:PASS|PWD)$/.test(stem))
    return { kind: "password", madeBy: "people", isExact: !talk.test(stem), isFingerprint: false };
  const kind = machineKind(joined);
  if (kind === undefined) return undefined;
  return {
    kind: serviceOf(joined) ?? kind,
    madeBy: "machines",
    isExact: !/^(?:token|secret|credentials?)$/.test(joined),
    isFingerprint: /(?:gpg|pgp|signing)key$/.test(joined),
  };
}

function machineKind(joined: string): string | undefined {
  if (joined.endsWith("token")) return notSecretToken.test(joined) ? undefined : "token";
  if (joined.endsWith("secret")) return "secret";
  if (joined.endsWith("key")) return secretKey.test(joined) ? "key" : undefined;
  if (/credentials?$/.test(joined)) return /^x(?:amz|goog)/.test(joined) ? undefined : "secret";
  return signature.test(joined) ? "signature" : undefined;
}

/** Services whose keys look like any other; the name of the variable tells them. */
const services: readonly (readonly [kind: string, words: RegExp])[] = [
  ["aws-secret-key", /secretaccesskey$|^awssecret/],
  ["aws-session-token", /^(?:xamzsecurity|.{0,40}(?:aws|session)session)token$/],
  ["mistral-key", /mistral/],
  ["cohere-key", /cohere/],
  ["deepseek-key", /deepseek/],
  ["assemblyai-key", /assemblyai/],
  ["elevenlabs-key", /elevenlabs|xikey|xiapi/],
  ["azure-openai-key", /azureopenai|azureai/],
  ["datadog-key", /datadog|^dd(?:api|app|client)/],
  ["heroku-key", /heroku/],
  ["vercel-token", /vercel/],
  ["linode-token", /linode/],
  ["hetzner-token", /hetzner|hcloud/],
  ["cloudflare-key", /cloudflare|^cf/],
  ["railway-token", /railway/],
  ["twilio-auth-token", /twilio/],
  ["mailgun-key", /mailgun/],
  ["postmark-token", /postmark/],
  ["paypal-secret", /paypal/],
  ["braintree-key", /braintree/],
  ["coinbase-secret", /coinbase/],
  ["binance-secret", /binance/],
  ["bitbucket-password", /bitbucket/],
  ["gitea-token", /gitea|forgejo|codeberg/],
  ["travis-token", /travis/],
  ["codecov-token", /codecov/],
  ["jenkins-token", /jenkins/],
  ["snyk-token", /snyk/],
  ["algolia-key", /algolia/],
  ["segment-key", /segment/],
  ["amplitude-key", /amplitude/],
  ["mixpanel-key", /mixpanel/],
  ["okta-token", /okta/],
  ["auth0-secret", /auth0/],
  ["zendesk-token", /zendesk/],
  ["asana-token", /asana/],
  ["trello-key", /trello/],
  ["jira-token", /jira|confluence/],
  ["dropbox-token", /dropbox/],
  ["facebook-secret", /facebook|^fb/],
  ["twitter-secret", /twitter/],
  ["spotify-secret", /spotify/],
  ["reddit-secret", /reddit/],
  ["pagerduty-key", /pagerduty/],
  ["opsgenie-key", /opsgenie/],
  ["rollbar-token", /rollbar/],
  ["bugsnag-key", /bugsnag/],
  ["elastic-key", /elastic/],
  ["django-secret-key", /django/],
];

function serviceOf(joined: string): string | undefined {
  return services.find(([, words]) => words.test(joined))?.[0];
}
