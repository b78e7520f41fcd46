/** Draws docs/tour.svg: what `carryon tour` prints, as a terminal shows it. Run by hand; every run has other ids. */
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";

const cell = { width: 7.8, height: 18 };
const margin = 18;
const looks: Readonly<Record<string, string>> = {
  "1": ' font-weight="bold" fill="#ffffff"',
  "2": ' fill="#8b949e"',
  "31": ' fill="#ff7b72"',
  "32": ' fill="#7ee787"',
  "33": ' fill="#e3b341"',
  "36": ' fill="#79c0ff"',
};

const escapeCharacter = String.fromCharCode(27);
const colourCode = new RegExp(`${escapeCharacter}\\[(\\d+)m`, "g");

const env = { ...process.env, FORCE_COLOR: "1" };
const output = execFileSync(process.execPath, ["bin/carryon.cjs", "tour"], { env, encoding: "utf8" });
const lines = `$ npx carryon tour\n${output.trimEnd()}`.split("\n");
const widest = Math.max(...lines.map((line) => line.replaceAll(colourCode, "").length));

/** Turns the colour codes of one line into spans: `split` gives text and code in turn. */
function drawLine(line: string, row: number): string {
  const pieces = line.split(colourCode);
  const spans = pieces.map((piece, index) => {
    if (index % 2 === 1 || piece === "") return "";
    const text = piece.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
    return `<tspan${looks[pieces[index - 1] ?? ""] ?? ""}>${text}</tspan>`;
  });
  const y = margin + (row + 1) * cell.height;
  return `<text x="${margin}" y="${y}" xml:space="preserve">${spans.join("")}</text>`;
}

const width = Math.ceil(widest * cell.width + 2 * margin);
const height = lines.length * cell.height + 2 * margin;
writeFileSync(
  "docs/tour.svg",
  `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">
<title>What carryon tour prints</title>
<rect width="100%" height="100%" rx="8" fill="#0d1117"/>
<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="13" fill="#e6edf3">
${lines.map(drawLine).join("\n")}
</g>
</svg>
`,
);
