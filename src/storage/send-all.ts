/**
 * Waits for statements that were sent together, since a round trip each may cost more than they do; throws what the first
 * that failed did.
 *
 * A server does them in their order. The others fail after the first, each with an error that nobody asks for.
 */
export async function sendAll<const Sent extends readonly Promise<unknown>[]>(
  sent: Sent,
): Promise<{ -readonly [Index in keyof Sent]: Awaited<Sent[Index]> }> {
  await Promise.allSettled(sent);
  return Promise.all(sent);
}
