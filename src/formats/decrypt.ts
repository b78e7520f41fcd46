import { AppError, usageError } from "../lib/app-error.ts";
import { armorStart, readArmor } from "./age-armor.ts";
import { BadImport } from "./bad-import.ts";
import { type ImportSource, readStart } from "./source.ts";

const fileStart = "age-encryption.org/v1";

/** Larger headers than this are not made for a passphrase. */
const headerBytes = 65_536;

/** Tells by its first bytes whether a source is encrypted. */
export async function isEncrypted(source: ImportSource): Promise<boolean> {
  const start = Buffer.from(await readStart(source, 64)).toString("latin1");
  return start.startsWith(fileStart) || start.trimStart().startsWith(armorStart);
}

/** Returns what an encrypted source holds; the passphrase is tried once, however often it is read. */
export async function decryptSource(source: ImportSource, passphrase: string): Promise<ImportSource> {
  const start = Buffer.from(await readStart(source, 64)).toString("latin1");
  const plain = start.startsWith(fileStart) ? source : { open: () => readArmor(source.open()) };
  const { Decrypter } = await import("age-encryption");
  const unlocking = new Decrypter();
  unlocking.addPassphrase(passphrase);
  const header = takeHeader(Buffer.from(await readStart(plain, headerBytes)));
  const fileKey = await unlocking.decryptHeader(header).catch((error: unknown) => {
    throw explain(error);
  });
  return {
    open: async function* () {
      const decrypter = new Decrypter();
      decrypter.addIdentity({ unwrapFileKey: () => fileKey });
      try {
        yield* await decrypter.decrypt(ReadableStream.from(toOwn(plain.open())));
      } catch (error) {
        throw explain(error);
      }
    },
  };
}

/** Returns the bytes up to the line that ends the header. */
function takeHeader(start: Buffer): Uint8Array {
  const last = start.indexOf("\n---");
  const end = last === -1 ? -1 : start.indexOf("\n", last + 1);
  if (end === -1) throw new BadImport(undefined, "the header of the encrypted file is damaged or cut off");
  return start.subarray(0, end + 1);
}

async function* toOwn(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  for await (const chunk of chunks) yield new Uint8Array(chunk);
}

function explain(error: unknown): unknown {
  if (error instanceof AppError || !(error instanceof Error)) return error;
  if (error.message.startsWith("no identity matched"))
    return usageError("wrong-passphrase", "The passphrase does not open the file, or the file is damaged.", {
      hint: "Nothing was imported. Type the passphrase again; a file that was encrypted to a key is opened with `age`.",
      cause: error,
    });
  return new BadImport(undefined, "the encrypted file is damaged or cut off", { cause: error });
}
