/** Draws docs/tour.svg: what `carryon tour` prints, as a terminal shows it. Run by hand; every run has other ids. */
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { countShown, drawLine, drawTerminal } from "./draw-terminal.ts";

const env = { ...process.env, FORCE_COLOR: "1" };
const output = execFileSync(process.execPath, ["bin/carryon.cjs", "tour"], { env, encoding: "utf8" });
const lines = `$ npx carryon tour\n${output.trimEnd()}`.split("\n");

writeFileSync(
  "docs/tour.svg",
  drawTerminal({
    title: "What carryon tour prints",
    columns: Math.max(...lines.map(countShown)),
    rows: lines.length,
    body: lines.map(drawLine).join("\n"),
  }),
);
