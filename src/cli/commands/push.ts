import { Option } from "@commander-js/extra-typings";
import { pushHere } from "../../share/exchange-here.ts";
import { defineShareCommand } from "../share/define-share-command.ts";

export const command = defineShareCommand({
  details:
    "Compares the sessions of this project with those of another store and sends what is missing there, with its hashes; nothing is sent twice, and after an interruption the next push goes on. A session that went on in both becomes two: the one that arrives second is a fork named after its machine. What was deleted here is deleted there, unless it was begun or continued there.",
  examples: [
    {
      line: "carryon push postgres://ada@db.example.com/team",
      does: "Share the sessions of this project with a team",
    },
    { line: "carryon push", does: "To the `remote` of config.yaml" },
    {
      line: "carryon push ~/usb/carryon latest --create",
      does: "Only the newest session, to the store of another home folder",
    },
  ],
  options: [new Option("--create", "Make a store in the folder STORE where there is none")],
  verb: "Pushed to",
  exchange: pushHere,
});
