import { type Failure, toFailure } from "./failure.ts";
import type { ModelEvent, ModelReply } from "./model.ts";
import { type Asked, lostReply, toModelError } from "./model-errors.ts";
import { type Pace, planRetry, type RetryPolicy } from "./retry.ts";

/** What of a reply is told before it is whole. */
export type Told = Extract<ModelEvent, { type: "text" | "thinking" | "call" }>;

/** How the events of a provider become a reply. Pure: however they are cut, the reply is the same. */
export interface Fold<Event, State> {
  readonly begin: State;
  take(state: State, event: Event): { readonly state: State; readonly told: readonly Told[] };
  /** Returns the reply; undefined where the answer broke off before its end. */
  finish(state: State): ModelReply | undefined;
}

/** One request, on its way until it is answered. */
export interface Exchange<Event, State> {
  readonly asked: Asked;
  readonly fold: Fold<Event, State>;
  readonly policy: RetryPolicy;
  readonly pace: Pace;
  /** Sends the request as it is now. */
  send(signal: AbortSignal): Promise<AsyncIterable<Event>>;
  /** Changes the request, where the server refused something that can be left out; false where there is nothing. */
  amend(failure: Failure): boolean;
}

/** Streams a reply, and asks again as long as that makes sense and nothing of the reply has been told. */
export async function* streamReply<Event, State>(
  exchange: Exchange<Event, State>,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent> {
  const { asked, policy, pace } = exchange;
  for (let attempts = 1, waitedMs = 0; ; attempts += 1) {
    const outcome = yield* tryOnce(exchange, signal);
    if (outcome === undefined) return;
    const { failure, hasTold } = outcome;
    if (hasTold) throw lostReply(failure, asked);
    if (exchange.amend(failure)) {
      attempts -= 1;
      continue;
    }
    const next = planRetry(failure, { attempts, waitedMs }, policy, pace.random());
    if (next.type === "give-up") throw toModelError(failure, asked);
    const { waitMs } = next;
    const reason = toModelError(failure, asked).message;
    yield { type: "retry", reason, waitMs, attempt: attempts + 1, attempts: next.attempts };
    await pace.sleep(waitMs, signal);
    waitedMs += waitMs;
  }
}

interface Outcome {
  readonly failure: Failure;
  readonly hasTold: boolean;
}

/** Tells a reply up to its end; returns why it did not get there. */
async function* tryOnce<Event, State>(
  { fold, pace, send }: Exchange<Event, State>,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent, Outcome | undefined> {
  signal.throwIfAborted();
  let state = fold.begin;
  let isEmpty = true;
  let hasTold = false;
  try {
    for await (const event of await send(signal)) {
      isEmpty = false;
      const next = fold.take(state, event);
      state = next.state;
      for (const told of next.told) {
        hasTold = true;
        yield told;
      }
    }
  } catch (error) {
    signal.throwIfAborted();
    return { failure: toFailure(error, pace.now()), hasTold };
  }
  // The SDKs end a stream that was aborted as if it had been read to its end.
  signal.throwIfAborted();
  const reply = fold.finish(state);
  if (reply === undefined) {
    return {
      failure: isEmpty ? { type: "empty" } : { type: "broken", reason: "it ended too early" },
      hasTold,
    };
  }
  yield { type: "reply", reply };
  return undefined;
}
