import { isNoSecret } from "./no-secret.ts";
import type { SecretName } from "./secret-name.ts";
import { countDistinct, isJoinedWords, isRandom, isWild } from "./variety.ts";

/**
 * Where a value stands: set in an environment, the field of an object, written without quotes, in quotes, handed to a
 * function, or told in a sentence.
 *
 * The plainer the place, the more the value itself must look like a secret.
 */
export type Form = "environment" | "field" | "written" | "quoted" | "called" | "told";

/** How much of a long value is looked at; the rest is like it. */
const looked = 96;

/** Words with digits that are no sign of chance. */
const technicalWords =
  /base(?:32|58|62|64)(?:url)?|utf-?(?:8|16)|sha-?[0-9]{1,3}|md5|o?auth[12]|argon2|pbkdf2|bcrypt|aes-?[0-9]{3}|rs256|hs256|es256|ed25519|x509|pkcs[0-9]{1,2}|(?<![A-Za-z0-9])(?:2fa|e2e|i18n|k8s|s3|ec2|v[0-9]{1,2}|web3|http2|p256)(?![A-Za-z0-9])|latin1|aws4-hmac/gi;

/** Names that variables for passwords have. */
const variable =
  /^[a-z_$]{0,20}(?:pass|passwd|password|pwd|value|val|arg|param|input|str|string|text|field|hash|user|data)_?[0-9]{0,2}$/i;

const digit = /[0-9]/;
const letter = /[A-Za-z]/;
/** Signs that words and identifiers do not have inside them. */
const innerSign = /[A-Za-z0-9][!@#$%^&*+=~?|:;,][A-Za-z0-9!@#$%^&*+=~?|]/;

/** Tells whether a value is the secret that its name promises. */
export function isSecretValue(value: string, name: SecretName, form: Form): boolean {
  const start = value.slice(0, looked);
  if (form === "environment" || form === "field") return couldBeSecret(start, name);
  const isBare = form === "written" || form === "told";
  if (name.madeBy === "machines")
    return looksLikeToken(start) && (!isBare || (start.length >= 12 && !isExpression(start)));
  if (isBare && (variable.test(start) || start.includes("."))) return looksLikeToken(start);
  return looksLikePassword(start) && (form !== "called" || digit.test(start));
}

/** Tells whether a value is made by a machine: characters drawn by chance, not words. */
export function looksLikeToken(value: string): boolean {
  const start = value.slice(0, looked);
  if (start.length < 8 || isNoSecret(start) || isJoinedWords(start)) return false;
  const bare = start.replace(technicalWords, "");
  return countDistinct(bare) >= 6 && (digit.test(bare) || bare.length >= 20) && isRandom(bare);
}

/** Tells whether a value is what people choose as a password: letters with digits or signs. */
export function looksLikePassword(value: string): boolean {
  const start = value.slice(0, looked);
  if (start.length < 6 || isNoSecret(start)) return false;
  const bare = start.replace(technicalWords, "");
  if (countDistinct(bare) < 4 || /\s/.test(start)) return false;
  if (!letter.test(bare)) return /^[0-9]{6,64}$/.test(start);
  return digit.test(bare) || innerSign.test(bare) || isPassphrase(start);
}

const fieldWord =
  /pass|word|form|field|input|label|title|button|reset|forgot|error|require|min|max|new|old|show|confirm/;

/** Tells whether a value is at least four words joined by dashes, and not the name of a field for passwords. */
function isPassphrase(value: string): boolean {
  const words = value.split("-");
  return words.length >= 4 && words.every((word) => /^[a-z]{3,12}$/.test(word)) && !fieldWord.test(value);
}

/** Stands where hardly anything but a secret would: all goes that is no reference, no filling and no plain word. */
function couldBeSecret(value: string, name: SecretName): boolean {
  if (countDistinct(value) < 4 || isNoSecret(value)) return false;
  if (name.madeBy === "people")
    return value.length >= 6 && !(/\s/.test(value) && /passw|kennwort/i.test(value));
  if (looksLikeToken(value)) return true;
  return value.length >= 12 && (/^[a-z]{12,96}$/.test(value) || !isExpression(value)) && !/\s/.test(value);
}

/** Twenty-four words of at most eight letters. */
const longestPhrase = 24 * 9;

/** Tells whether a value is the words from which a wallet can be restored. */
export function isSeedPhrase(value: string): boolean {
  const words = value.slice(0, longestPhrase).split(" ");
  return words.length >= 12 && words.length <= 24 && words.every((word) => /^[a-z]{3,8}$/.test(word));
}

/** Tells whether a value is the name of a variable or of a field of one. */
function isExpression(value: string): boolean {
  const names = value.split(".");
  if (names.length === 1 && isWild(value)) return false;
  return names.every((name) => /^[#$A-Za-z_][A-Za-z_$]{0,80}[0-9]{0,2}$/.test(name));
}
