import { KeybindingsManager, setCapabilities, setKeybindings, TUI_KEYBINDINGS } from "@earendil-works/pi-tui";
import type { KeyTerminal } from "../../key-terminal.ts";
import type { ChatSetting, HeldChat } from "../commands/chat-command.ts";
import { type ChatHabits, TerminalChat } from "./terminal-chat.ts";

/** Prepares a chat on a terminal, which is as it was when the chat has been left. */
export function openTerminalChat(setting: ChatSetting, keys: KeyTerminal, habits: ChatHabits): HeldChat {
  // A link that shows one address and leads to another is seen through; pictures are not for us.
  setCapabilities({ images: null, trueColor: false, hyperlinks: false });
  setKeybindings(
    new KeybindingsManager(TUI_KEYBINDINGS, {
      "tui.input.newLine": ["shift+enter", "ctrl+j", "alt+enter", "ctrl+enter"],
    }),
  );
  return new TerminalChat(setting, keys, habits);
}
