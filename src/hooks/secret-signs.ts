import { knownCommands } from "../redaction/command-line.ts";
import { joints } from "../redaction/joints.ts";
import { edge } from "../redaction/rule.ts";
import { nameSuffix, secretWords, telling } from "../redaction/secret-words.ts";

import { isVeiled } from "../redaction/unveil.ts";

/** What tokens begin with, each as it is written. */
export const tokenPrefixes =
  "sk- hf_ api_org_ r8_ gsk_ xai- pplx- fw_ tgp_v1_ nvapi- csk- lsv2_pt_ lsv2_sk_ tvly- fc- pa- jina_ pcsk_ wandb_v1_ ghp_ gho_ ghu_ ghs_ ghr_ github_pat_ glpat- gldt- glrt- glrtr- glcbt- glptt- glft- glimt- glagent- gloas- glsoat- glffct- glwt- ATBB ATATT3 ATCTT3 ATSTT3 npm_ pypi-AgE rubygems_ cio dckr_pat_ dckr_oat_ oy2 CLOJARS_ AKCp sgp_ CCIPAT_ CCIPRJ_ bkua_ bkct_ ddp_ ddo_ AKIA ASIA ABIA ACCA ABSK AIza GOCSPX- ya29. 1//0 dop_v1_ doo_v1_ dor_v1_ cfut_ cfat_ cfk_ v1.0- HRKU-AA vcp_ vci_ vca_ vcr_ vck_ nfp_ nfo_ nfu_ fo1_ fm1_ fm1a_ fm1r_ fm2_ LTAI AKID rnd_ pscale_tkn_ pscale_pw_ pscale_oauth_ napi_ sbp_ hcloud_ xoxa- xoxb- xoxc- xoxd- xoxe- xoxo- xoxp- xoxr- xoxs- xoxe.xoxb- xoxe.xoxp- xapp- syt_ SK rk_live_ rk_test_ whsec_ sq0atp- sq0csp- EAAA shpat_ shpca_ shppa_ shpss_ shpua_ access-sandbox- access-development- access-production- rzp_live_ rzp_test_ FLWSECK- FLWSECK_TEST- sk_ hvs. hvb. hvr. pul- dp.pt. dp.ct. dp.sa. dp.scim. dp.audit. dp.st. A3- sntryu_ sntrya_ glsa_ NRAK- NRII- NRIQ- NRSP- NRRA- dt0c01. dt0s01. dt0s02. hcaik_ hcbik_ hccik_ hcxik_ squ_ sqp_ sqa_ dapi CFPAT- perm: perm- SCW st. pnu_ pnb_ SG. re_ lin_api_ lin_oauth_ ntn_ PMAK- figd_ figu_ tfp_ sb_secret_ secret_ pdl_live_apikey_ pdl_sdbx_apikey_ tskey- xkeysib- xsmtpsib- AGE-SECRET-KEY-1 AGE-SECRET-KEY-PQ-1 pat-na1- pat-na2- pat-eu1-".split(
    " ",
  );

/** Keywords that are rare enough: where one is, the rules have to look. */
export const rareWords =
  "access_token$ sessid= sessionid= connect.sid= _session= eyj -----begin private-lines: hooks.slack.com/ /webhooks/ /incomingwebhook/ sig= q~ azdo jqqj99 nral :fx :aa :apa91b .atlasv1. $2a$ $2b$ $2y$ $argon2 $5$ $6$ $y$ $1$ $apr1$ {sha} {ssha pbkdf2_sha scram-sha- jdbc:oracle: :5432: :5433: :5434: :6432: :6543: :25060: :26257: :*: %3a%2f%2f".split(
    " ",
  );

/** Keywords that are frequent, and what has to follow them in a secret. */
export const frequentWords: readonly { readonly words: readonly string[]; readonly form: () => RegExp }[] = [
  {
    words: "pass pwd kennwort contrasena senha mnemonic secret token credential key signature".split(" "),
    form: () =>
      new RegExp(
        `(?:${anyWord})${nameSuffix}(?:${anyJoint})|${flag}|${environment}|pass:\\S|${longValue}`,
        "i",
      ),
  },
  { words: ["pat"], form: () => /pat[A-Za-z0-9]{14}\./ },
  { words: ["key-"], form: () => /key-[0-9a-f]{32}/ },
  { words: ["bearer"], form: () => /bearer(?:%20|[\s:"']){1,4}[\w.~+/=-]{12}/i },
  { words: ["basic"], form: () => /basic(?:%20|[ \t]){1,4}[\w+/-]{8}/i },
  { words: ["auth", "cookie"], form: () => /(?:auth|authorization|cookie)\\{0,3}["']?\]?[ \t]{0,4}[:=,]/i },
  { words: ["login"], form: () => /login\s{1,8}[^\s[]{1,64}\s{1,8}password/ },
  { words: ["://"], form: () => /:\/\/\S{0,400}@/ },
  { words: ["machine"], form: () => /machine\s{1,8}\S{1,200}\s{1,8}(?:login|password|account)/i },
  { words: ["identified"], form: () => /identified\s{1,8}(?:by|with)/i },
  { words: ["requirepass ", "masterauth "], form: () => /(?:requirepass|masterauth) \S/i },
  {
    words: knownCommands,
    form: () => new RegExp(`(?:${knownCommands.join("|")})(?=[ \\t\\\\"'\\n])[^]{0,400}?[\\s"'\\\\]-`, "i"),
  },
  { words: ["-us"], form: () => /[0-9a-f]{32}-us|--user / },
  { words: ["sdk-", "api-", "mob-"], form: () => /(?:sdk|api|mob)-[0-9a-f]{8}-/ },
  { words: [" -u ", " -p"], form: () => / -u ["']?[^\s:"'@[]{1,64}:| -p["']?[\w!@#$%^&*+=.-]{6}|sshpass -p/ },
  // A flag that is an item of a list, as every text stands on a line of its own.
  { words: ["\n-p"], form: () => /\n-p\n/ },
  // The only rule without a keyword; its tokens have two full stops.
  { words: ["."], form: () => /[MNO][DTjz][AEIMQUYcgk][\w-]{20,25}\.[\w-]{6}\./ },
];

const anyWord = secretWords.join("|");
/** Joints that are no more than a blank: one follows every word, so that what stands before the word has to tell. */
const blank = /^\[ \\t\]\{1,8\}|^\(\?:=\| \)/;
const anyJoint = joints
  .filter((joint) => !blank.test(joint.source))
  .map((joint) => joint.source)
  .join("|");
const flag = `-[A-Za-z0-9_.-]{0,64}?(?:${anyWord})${nameSuffix}["']?[\\s=,]`;
const environment = `(?:env|setenv|setx|set -g?x|fastcgi_param|config set)[ \\t]\\S{0,80}?(?:${anyWord})`;
const longValue = "key[^A-Za-z0-9+/\\n\\[]{1,12}[A-Za-z0-9+/]{40}";

/** The fields that hold what the header of the same name would; see `redactValue`. */
const headerName = /^(?:proxy-)?authorization$|^(?:set-)?cookie$|^_?auth$|^value$/i;

/** The texts of a payload. */
export interface PayloadTexts {
  /** Every text, the names of fields too. */
  readonly texts: readonly string[];
  /** The names of the fields that may hold a secret. */
  readonly names: readonly string[];
}

/**
 * Tells whether a payload may hold a secret; no is certain, and costs a tenth of looking for one.
 *
 * Most payloads hold none, and a hook that knows this loads none of the rules.
 */
export function mayHoldSecret({ texts, names }: PayloadTexts): boolean {
  // A line end parts texts as their ends do.
  const all = texts.join("\n");
  const lower = all.toLowerCase();
  const has = (word: string) => lower.includes(word);
  return (
    isVeiled(all) ||
    rareWords.some(has) ||
    tokenPrefixes.some((prefix) => all.includes(prefix) && hasTokenOf(prefix, all)) ||
    frequentWords.some(({ words, form }) => words.some(has) && form().test(all)) ||
    names.some(isTelling)
  );
}

function hasTokenOf(prefix: string, text: string): boolean {
  return new RegExp(`${edge}${prefix.replaceAll(".", "\\.")}[A-Za-z0-9_.%+/=-]{4}`).test(text);
}

/** Tells whether the value of a field with this name may be a secret whatever it looks like. */
function isTelling(name: string): boolean {
  return headerName.test(name) || telling.test(name.replace(/[^A-Za-z0-9]/g, "").toLowerCase());
}
