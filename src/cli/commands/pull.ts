import { pullHere } from "../../share/exchange-here.ts";
import { defineShareCommand } from "../share/define-share-command.ts";

export const command = defineShareCommand({
  details:
    "Compares the sessions that another store has of this project with those here and takes what is missing, with its hashes; nothing is taken twice, and after an interruption the next pull goes on. A session that went on in both becomes two: the one that arrives second is a fork named after its machine. What was deleted there is deleted here, unless it was begun or continued here: that is named once, and stays.",
  examples: [
    { line: "carryon pull postgres://ada@db.example.com/team", does: "Take what others did in this project" },
    { line: "carryon pull", does: "From the `remote` of config.yaml" },
    { line: "carryon pull --all", does: "What it has of all projects" },
  ],
  verb: "Pulled from",
  exchange: pullHere,
});
