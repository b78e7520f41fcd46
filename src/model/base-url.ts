import { ModelError } from "./model-error.ts";
import type { Provider } from "./provider.ts";

/**
 * Checks the address of a server, and returns it without a slash at its end.
 *
 * A key goes over the network only if nobody on the way can read it: by https, or to this machine. An address that is
 * refused is never repeated, since it may hold a password.
 */
export function parseBaseUrl(text: string, provider: Provider, key: string | undefined): string {
  const url = URL.parse(text);
  if (url === null || !["http:", "https:"].includes(url.protocol) || url.hostname === "") {
    throw refuse(provider, "it is no address that begins with https://", exampleHint(provider));
  }
  if (url.username !== "" || url.password !== "") {
    throw refuse(provider, "a name or password stands in it", `Set ${provider.keyVariable} instead.`);
  }
  if (url.search !== "" || url.hash !== "") {
    throw refuse(provider, "something follows its path", exampleHint(provider));
  }
  if (url.protocol === "http:" && key !== undefined && !isLoopback(url.hostname)) {
    throw refuse(
      provider,
      "the key would go over the network unencrypted",
      `Write https://, or reach the server through this machine, as \`ssh -L\` does, or give it no key: ${provider.keyVariable}.`,
    );
  }
  return `${url.origin}${url.pathname.replace(/\/+$/, "")}`;
}

function refuse({ title, hostVariable }: Provider, reason: string, hint: string): ModelError {
  return new ModelError(`The address of ${title} (${hostVariable}) cannot be used: ${reason}.`, {
    kind: "config",
    code: "bad-model-url",
    hint,
  });
}

function exampleHint({ baseUrl }: Provider): string {
  return `Write an address such as ${baseUrl}.`;
}

function isLoopback(host: string): boolean {
  return (
    host === "localhost" || host.endsWith(".localhost") || host === "[::1]" || /^127(\.\d+){3}$/.test(host)
  );
}
