import type { Failure } from "./failure.ts";
import type { Model, ModelRequest } from "./model.ts";
import type { Asked } from "./model-errors.ts";
import type { Opening } from "./opening.ts";
import { type Fold, streamReply } from "./stream-reply.ts";

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
