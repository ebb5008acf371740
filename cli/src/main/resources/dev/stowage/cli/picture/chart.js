/* The common settings of charts: colours, axes, zoom. */
const styleOf = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

const colours = ["ground", "panel", "ink", "muted", "rule", "load", "bound", "total", "focus", "held", "dead", "failed"];

const readPalette = () => {
  const palette = Object.fromEntries(colours.map((name) => [name, styleOf(`--${name}`)]));
  const shades = (hue) => Array.from({ length: levels }, (_, i) => styleOf(`--${hue}${i}`));
  const named = [...shades("blue"), ...shades("orange")];
  palette.boxes = [...named, palette.dead];
  palette.inks = named.map(inkOn);
  return palette;
};

/* Black or white, whichever is further from the colour. */
const inkOn = (colour) => {
  const [r, g, b] = [1, 3, 5].map((i) => parseInt(colour.slice(i, i + 2), 16) / 255);
  return 0.2126 * r ** 2.2 + 0.7152 * g ** 2.2 + 0.0722 * b ** 2.2 > 0.2 ? "#111" : "#fff";
};

/* The text of a tick; empty for the first tick of a zoomed axis, which is not at a round number. */
const tickText = (start) => (value, index) =>
  index === 0 && value !== start ? "" : numberText(Number(value.toPrecision(12)));

const fonts = "system-ui, -apple-system, Segoe UI, Arial, sans-serif";

const axisOf = (palette, start) => ({
  type: "value",
  axisLine: { show: true, lineStyle: { color: palette.muted } },
  splitLine: { lineStyle: { color: palette.rule } },
  nameLocation: "middle",
  nameTextStyle: { color: palette.muted },
  axisLabel: {
    color: palette.muted,
    showMaxLabel: false,
    hideOverlap: true,
    formatter: tickText(start),
  },
});

/* Zoom by wheel and by sliders; the first and the third are horizontal. */
const zoomsOf = (palette, x, y) => {
  const common = { filterMode: "none", throttle: 30 };
  const slider = {
    ...common,
    type: "slider",
    showDataShadow: false,
    showDetail: false,
    brushSelect: false,
    borderColor: palette.rule,
    fillerColor: `${palette.focus}33`,
    handleStyle: { color: palette.panel, borderColor: palette.muted },
    moveHandleStyle: { color: palette.muted },
    emphasis: { handleStyle: { borderColor: palette.focus } },
  };
  return [
    { ...common, ...x, type: "inside" },
    { ...common, ...y, type: "inside" },
    { ...slider, ...x, height: 16, bottom: 10 },
    { ...slider, ...y, width: 16, right: 8 },
  ];
};

/* The smallest range of bytes when zoomed in, in a unit. */
const leastSpan = (unit) => Math.min(64 / unit.bytes, unit.bytes);

/* A canvas as a series, which draws it between the lines; it has a point within the axes. */
const imageSeries = (id, name, z, color, start, renderItem) => ({
  type: "custom",
  id,
  name,
  z,
  silent: true,
  clip: true,
  itemStyle: { color },
  renderItem,
  data: [[start, 0]],
});

const element = (id) => document.getElementById(id);
const levels = 5;
