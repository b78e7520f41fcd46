import type { GitPath } from "../../git/git-path.ts";

/** Names that files with secrets have by custom. What may hold one or not, such as `*.pem`, is judged by its content. */
const names: readonly RegExp[] = [
  /^id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?$/,
  /\.(?:key|p12|pfx|pkcs12|jks|keystore|kdbx|ppk|ovpn|asc\.key|age-key)$/,
  /^(?:\.netrc|_netrc|\.pgpass|\.my\.cnf|\.git-credentials|\.pypirc|\.htpasswd|\.dockercfg|\.vault-token)$/,
  /^(?:credentials|secrets?)(?:\.(?:json|ya?ml|toml|ini|txt|properties))?$/,
  /^(?:service[-_]?account|client[-_]?secret)[^/]{0,100}\.json$/,
  /\.(?:tfvars|tfstate)$/,
];

/** Tells whether a file is called as files with secrets are. */
export function isSecretName(path: GitPath): boolean {
  const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
  return names.some((pattern) => pattern.test(name));
}

/** Tells whether a file is called as one with settings of an environment, be it an example of them. */
export function isEnvironmentName(path: GitPath): boolean {
  return /(?:^|\/)\.env[^/]*$/i.test(path);
}

/** Tells whether real secrets are likely to be written into a file of this name, whatever is in it now. */
export function isMadeForSecrets(path: GitPath): boolean {
  if (isSecretName(path)) return true;
  return isEnvironmentName(path) && !/(?:example|sample|template)[^/]*$/i.test(path);
}
