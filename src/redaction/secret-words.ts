/** What may follow the word that says secret, without making the name that of something else. */
export const nameSuffix =
  "(?:[_-]?(?:prod|production|dev|development|stage|staging|test|live|main|primary|secondary|backup|old|new|value|base64|b64|hex|plain|raw|base|[0-9]{1,3}))?";

/** The words that can make a name say secret; each is looked for in every text. */
export const secretWords = [
  "password",
  "passwords",
  "passwd",
  "passphrase",
  "passphrases",
  "passwort",
  "kennwort",
  "contrasena",
  "senha",
  "mnemonic",
  "pwd",
  "pass",
  "secret",
  "token",
  "credential",
  "credentials",
  "key",
  "signature",
] as const;

/** What every name has in it that speaks of a secret: most have not, and the rest of the patterns costs more. */
export const telling =
  /pass|pwd|kennwort|contrasena|senha|mnemonic|seedphrase|secret|token|credential|key|signature/;
