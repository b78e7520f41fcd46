import type { ChatStatus } from "../../../chat/chat.ts";
import { toPrintableLine } from "../../../lib/printable.ts";
import type { Style } from "../../../lib/style.ts";
import { wrap } from "../../../lib/terminal-text.ts";
import type { Block } from "./past.ts";

/** Says at the beginning which session this is, with which model, where, and how to get help. */
export function bannerBlock(
  { session, model }: Pick<ChatStatus, "session" | "model">,
  { folder, style }: { readonly folder: string; readonly style: Style },
): Block {
  const about = toPrintableLine(`${model} in ${folder}`);
  const help = "/help shows the commands and the keys. Enter sends, Alt+Enter begins a new line.";
  return (width) => [
    ...wrap(`Carryon chat · ${session}`, width).split("\n").map(style.bold),
    ...wrap(about, width).split("\n"),
    ...wrap(help, width).split("\n").map(style.dim),
    "",
  ];
}
