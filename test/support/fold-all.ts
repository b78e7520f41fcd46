import type { Fold } from "../../src/model/make-model.ts";
import { joinTold } from "./model-world.ts";

/** Puts a whole stream together; returns what was told on the way, and the reply. */
export function foldAll<Event, State>(fold: Fold<Event, State>, events: readonly Event[]) {
  let state = fold.begin;
  const told = events.flatMap((event) => {
    const next = fold.take(state, event);
    state = next.state;
    return next.told;
  });
  return { told: joinTold(told), reply: fold.finish(state) };
}
