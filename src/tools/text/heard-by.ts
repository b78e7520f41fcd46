import { StringDecoder } from "node:string_decoder";
import type { OutputKeeper } from "../../lib/output-tail.ts";
import type { OutputListener } from "../tool.ts";

/** Returns what keeps an output and lets somebody hear it as it comes, in whole characters. */
export function heardBy(listener: OutputListener | undefined, keeper: OutputKeeper): OutputKeeper {
  if (listener === undefined) return keeper;
  const decoder = new StringDecoder("utf8");
  return {
    add: (bytes) => {
      keeper.add(bytes);
      const text = decoder.write(bytes);
      if (text !== "") listener(text);
    },
    get text() {
      return keeper.text;
    },
  };
}
