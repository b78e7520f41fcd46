/** How large a character is, and what is left free around all of them. */
export const cell = { width: 7.8, height: 18 };
export const margin = 18;

const looks: Readonly<Record<string, string>> = {
  "1": ' font-weight="bold" fill="#ffffff"',
  "2": ' fill="#8b949e"',
  "31": ' fill="#ff7b72"',
  "32": ' fill="#7ee787"',
  "33": ' fill="#e3b341"',
  "36": ' fill="#79c0ff"',
};

const escapeCharacter = String.fromCharCode(27);
/** A terminal may write what came before to an end in the same code: `0;1`. */
const colourCode = new RegExp(`${escapeCharacter}\\[(?:0;)?(\\d+)m`, "g");

/** Returns how many characters of a line are shown. */
export function countShown(line: string): number {
  return line.replaceAll(colourCode, "").length;
}

/** What tmux writes behind a code to be sure of the usual colours. */
const usualColours = new RegExp(`(?<=${escapeCharacter}\\[[\\d;]+m)(?:${escapeCharacter}\\[[34]9m)+`, "g");

/** Divides what a terminal shows into its lines; the look in which one ends is that in which the next one begins. */
export function toLines(screen: string): readonly string[] {
  let look = "";
  const lines = screen.replaceAll(usualColours, "").split("\n");
  return lines.map((line) => {
    const whole = look + line;
    look = [...whole.matchAll(colourCode)].at(-1)?.[0] ?? "";
    return whole;
  });
}

/** Draws one line of a terminal, whose colour codes become spans. */
export function drawLine(line: string, row: number): string {
  // It gives text and code in turn.
  const pieces = line.split(colourCode);
  const spans = pieces.map((piece, index) => {
    if (index % 2 === 1 || piece === "") return "";
    const text = piece.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
    return `<tspan${looks[pieces[index - 1] ?? ""] ?? ""}>${text}</tspan>`;
  });
  const y = margin + (row + 1) * cell.height;
  return `<text x="${margin}" y="${y}" xml:space="preserve">${spans.join("")}</text>`;
}

/** What is drawn on a terminal of some size. */
export interface Drawing {
  readonly title: string;
  readonly columns: number;
  readonly rows: number;
  readonly style?: string;
  readonly body: string;
}

/** Draws a terminal as an SVG. */
export function drawTerminal({ title, columns, rows, style, body }: Drawing): string {
  const width = Math.ceil(columns * cell.width + 2 * margin);
  const height = rows * cell.height + 2 * margin;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">
<title>${title}</title>
${style === undefined ? "" : `<style>${style}</style>\n`}<rect width="100%" height="100%" rx="8" fill="#0d1117"/>
<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="13" fill="#e6edf3">
${body}
</g>
</svg>
`;
}
