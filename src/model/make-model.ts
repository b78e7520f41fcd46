import { type Failure, toFailure } from "./failure.ts";
import type { Model, ModelEvent, ModelReply, ModelRequest } from "./model.ts";
import { type Asked, lostReply, toModelError } from "./model-errors.ts";
import { type Pace, planRetry, type RetryPolicy } from "./retry.ts";
import type { Timeouts } from "./watch-silence.ts";

/** How a model is reached, with everything decided. */
export interface Opening {
  readonly baseUrl: string;
  readonly contextTokens: number | undefined;
  readonly timeouts: Timeouts;
  readonly policy: RetryPolicy;
  readonly pace: Pace;
}

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
interface Exchange<Event, State> {
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
async function* streamReply<Event, State>(
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

/** Sends a request, and resolves with the events of its answer. */
export type Post<Event> = (body: object, signal: AbortSignal) => Promise<AsyncIterable<Event>>;

/** What makes one provider different from another. */
export interface Protocol<Event, State, Omissions> {
  /** How much the model holds, as far as its name tells. */
  readonly contextTokens: number;
  readonly fold: Fold<Event, State>;
  /** What is left out before any server has refused anything. */
  readonly nothing: Omissions;
  /** Loads the SDK. It takes as long as all of Carryon: whoever does not ask a model must not wait for it. */
  load(): Promise<Post<Event>>;
  toBody(request: ModelRequest, omissions: Omissions): object;
  /** Says what a server may take a request without; undefined when there is nothing more. */
  findOmission(failure: Failure, request: ModelRequest, omissions: Omissions): Partial<Omissions> | undefined;
}

/** Makes a model of a protocol. What its server has refused once is left out from then on. */
export function makeModel<Event, State, Omissions>(
  asked: Asked,
  opening: Opening,
  protocol: Protocol<Event, State, Omissions>,
): Model {
  const { fold, nothing, toBody, findOmission } = protocol;
  const { policy, pace } = opening;
  let loading: Promise<Post<Event>> | undefined;
  const load = () => (loading ??= protocol.load());
  let omissions = nothing;
  return {
    name: `${asked.provider.id}/${asked.model}`,
    contextTokens: opening.contextTokens ?? protocol.contextTokens,
    prepare: async () => {
      await load();
    },
    stream: (request, signal) => {
      const send = async (sending: AbortSignal) => {
        const post = await load();
        return post(toBody(request, omissions), sending);
      };
      const amend = (failure: Failure) => {
        const more = findOmission(failure, request, omissions);
        omissions = { ...omissions, ...more };
        return more !== undefined;
      };
      return streamReply({ asked, fold, policy, pace, send, amend }, signal);
    },
  };
}
