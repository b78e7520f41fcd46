import { readSecretName } from "../../redaction/secret-name.ts";

type Variables = Readonly<Record<string, string | undefined>>;

/** Settings of the Carryon that runs the command, which would be those of one that the command runs. */
const ours = /^CARRYON_(?!HOME$)/;

/** Returns the variables that a command of a model finds: those of the caller, without keys and other secrets by their names. */
export function commandEnvironment(env: Variables): Variables {
  const kept = Object.entries(env).filter(([name]) => readSecretName(name) === undefined && !ours.test(name));
  return Object.fromEntries(kept);
}
