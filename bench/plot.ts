import type { Point, Series } from "./figure.ts";

const width = 760;
const height = 450;
const area = { left: 76, right: 540, top: 60, bottom: 384 } as const;
const labelGap = 17;

/** Middle tones: each can be read on white and on a dark page. */
const ink = "#77808a";
const colours = ["#2f81f7", "#8b949e", "#2da44e", "#d4781a", "#e5534b"] as const;

interface Scale {
  readonly from: number;
  readonly to: number;
}

/** Draws the cost of one append against the length of the session; both axes are logarithmic. */
export function renderPlot(series: readonly Series[]): string {
  const points = series.flatMap((each) => each.points);
  const lengths = spanOf(points.map((point) => point.length));
  const costs = spanOf(points.map((point) => point.ratio));
  const x = (point: Point) => place(point.length, lengths, area.left, area.right);
  const y = (point: Point) => place(point.ratio, costs, area.bottom, area.top);
  const lines = series.map((each, index) => {
    const path = each.points.map((point) => `${round(x(point))},${round(y(point))}`);
    const colour = colours[index % colours.length] ?? ink;
    const end = each.points.at(-1);
    return { name: each.name, path, colour, end: end && { x: x(end), y: y(end), ratio: end.ratio } };
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="title" font-family="system-ui, -apple-system, 'Segoe UI', sans-serif" font-size="13">
<title id="title">Cost of one durable append against the length of the session</title>
<text x="${area.left}" y="24" font-size="16" font-weight="600" fill="${ink}">Cost of one durable append of a 2 KB message</text>
<text x="${area.left}" y="43" fill="${ink}">in bare SQLite inserts of the same bytes, measured in the same run; lower is better</text>
${ticksOf(costs)
  .map((tick) => horizontal(tick, place(tick, costs, area.bottom, area.top)))
  .join("\n")}
${ticksOf(lengths)
  .map((tick) => vertical(tick, place(tick, lengths, area.left, area.right)))
  .join("\n")}
<text x="${(area.left + area.right) / 2}" y="${area.bottom + 44}" text-anchor="middle" fill="${ink}">messages in the session</text>
<text transform="translate(18 ${(area.top + area.bottom) / 2}) rotate(-90)" text-anchor="middle" fill="${ink}">times a bare insert</text>
${lines.map(drawLine).join("\n")}
${spread(lines.flatMap(({ name, colour, end }) => (end === undefined ? [] : [{ name, colour, ...end }])))
  .map(drawLabel)
  .join("\n")}
</svg>
`;
}

/** Returns the powers of ten around the values. */
function spanOf(values: readonly number[]): Scale {
  const from = Math.floor(Math.log10(Math.min(...values)));
  return { from, to: Math.max(from + 1, Math.ceil(Math.log10(Math.max(...values)))) };
}

function place(value: number, scale: Scale, start: number, end: number): number {
  return start + ((Math.log10(value) - scale.from) / (scale.to - scale.from)) * (end - start);
}

function ticksOf(scale: Scale): readonly number[] {
  return Array.from({ length: scale.to - scale.from + 1 }, (_, index) => 10 ** (scale.from + index));
}

function horizontal(tick: number, y: number): string {
  return `<line x1="${area.left}" x2="${area.right}" y1="${round(y)}" y2="${round(y)}" stroke="${ink}" stroke-opacity="0.25"/>
<text x="${area.left - 8}" y="${round(y + 4)}" text-anchor="end" fill="${ink}">${tick.toLocaleString("en")}</text>`;
}

function vertical(tick: number, x: number): string {
  return `<line x1="${round(x)}" x2="${round(x)}" y1="${area.bottom}" y2="${area.bottom + 5}" stroke="${ink}"/>
<text x="${round(x)}" y="${area.bottom + 20}" text-anchor="middle" fill="${ink}">${tick.toLocaleString("en")}</text>`;
}

function drawLine({ path, colour }: { readonly path: readonly string[]; readonly colour: string }): string {
  const dots = path.map((at) => {
    const [x, y] = at.split(",");
    return `<circle cx="${x}" cy="${y}" r="3.5" fill="${colour}"/>`;
  });
  return `<polyline points="${path.join(" ")}" fill="none" stroke="${colour}" stroke-width="2.5" stroke-linejoin="round"/>${dots.join("")}`;
}

interface Label {
  readonly name: string;
  readonly colour: string;
  readonly x: number;
  readonly y: number;
  readonly ratio: number;
}

/** Moves labels of lines that end side by side apart, upwards, so that none covers another. */
function spread(labels: readonly Label[]): readonly Label[] {
  const placed: Label[] = [];
  for (const label of labels.toSorted((one, other) => other.y - one.y)) {
    const below = placed.findLast((each) => Math.abs(each.x - label.x) < 1);
    placed.push({ ...label, y: Math.min(label.y, (below?.y ?? height) - labelGap) });
  }
  return placed;
}

function drawLabel({ name, colour, x, y, ratio }: Label): string {
  const times = ratio < 10 ? ratio.toFixed(1) : Math.round(ratio).toLocaleString("en");
  return `<text x="${round(x + 9)}" y="${round(y + 3)}" fill="${colour}" font-weight="600">${name} ${times}×</text>`;
}

function round(value: number): string {
  return value.toFixed(1);
}
