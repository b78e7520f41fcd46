import { Silence } from "./failure.ts";

/** How long a server may be silent. */
export interface Timeouts {
  /** Until it begins to answer. */
  readonly firstByteMs: number;
  /** Between two pieces of its answer. */
  readonly betweenBytesMs: number;
}

type Fetch = typeof fetch;

/**
 * Returns a `fetch` that ends a request with `Silence` when nothing comes.
 *
 * It listens to the bytes, because the SDKs keep the signs of life of a server to themselves. Redirects are not
 * followed: the key and the conversation would go to whoever a server names.
 */
export function watchSilence({ firstByteMs, betweenBytesMs }: Timeouts): Fetch {
  return async (input, init = {}) => {
    const silence = new AbortController();
    const limit = async <Value>(ms: number, work: Promise<Value>): Promise<Value> => {
      const timer = setTimeout(() => silence.abort(new Silence(ms)), ms);
      try {
        return await work;
      } finally {
        clearTimeout(timer);
      }
    };
    const signal = AbortSignal.any([silence.signal, ...(init.signal ? [init.signal] : [])]);
    const response = await limit(firstByteMs, fetch(input, { ...init, signal, redirect: "manual" }));
    if (response.body === null) return response;
    const body = ReadableStream.from(listen(response.body, limit, { firstByteMs, betweenBytesMs }));
    const { status, statusText, headers } = response;
    return new Response(body, { status, statusText, headers });
  };
}

/** Only a read that waits is timed: a reader that takes its time is not the silence of a server. */
async function* listen(
  body: ReadableStream<Uint8Array>,
  limit: <Value>(ms: number, work: Promise<Value>) => Promise<Value>,
  { firstByteMs, betweenBytesMs }: Timeouts,
): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  let ms = firstByteMs;
  try {
    for (;;) {
      const { done, value } = await limit(ms, reader.read());
      if (done) return;
      ms = betweenBytesMs;
      yield value;
    }
  } finally {
    // A stream that has broken already says so again.
    await reader.cancel().catch(() => undefined);
  }
}
