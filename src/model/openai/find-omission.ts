import type { Failure } from "../failure.ts";
import type { ModelRequest } from "../model.ts";
import { chooseEffort, toRefused } from "./choose-effort.ts";
import type { OpenaiTraits } from "./openai-traits.ts";
import type { Omissions } from "./to-request.ts";

/** Says what a server may take the request without; undefined when there is nothing more. */
export function findOmission(
  failure: Failure,
  request: ModelRequest,
  traits: OpenaiTraits,
  { efforts, force, usage }: Omissions,
): Partial<Omissions> | undefined {
  if (failure.type !== "answered" || (failure.status !== 400 && failure.status !== 422)) return undefined;
  const { message } = failure;
  if (/stream_options|include_usage/.test(message) && !usage) return { usage: true };
  if (/tool_choice/.test(message) && request.mustCall !== undefined && !force) return { force: true };
  const effort = chooseEffort(request, traits, efforts);
  if (!/reasoning/.test(message) || effort === undefined) return undefined;
  const refused = new Set(efforts).add(toRefused(request, effort));
  return chooseEffort(request, traits, refused) === undefined ? undefined : { efforts: refused };
}
