/** How costly it is to try a passphrase out: the logarithm of the work of scrypt. */
export interface EncryptOptions {
  readonly workFactor?: number;
}

/** Encrypts chunks of text with a passphrase, in the format of age. */
export async function* encrypt(
  chunks: AsyncIterable<string>,
  passphrase: string,
  { workFactor }: EncryptOptions = {},
): AsyncGenerator<Uint8Array> {
  // It takes a while to load, and few exports are encrypted.
  const { Encrypter } = await import("age-encryption");
  const encrypter = new Encrypter();
  encrypter.setPassphrase(passphrase);
  if (workFactor !== undefined) encrypter.setScryptWorkFactor(workFactor);
  yield* await encrypter.encrypt(ReadableStream.from(toBytes(chunks)));
}

async function* toBytes(chunks: AsyncIterable<string>): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  for await (const chunk of chunks) yield new TextEncoder().encode(chunk);
}
