/* The bytes of each plan over the shapes: by the dimension if only one is open, else by the best plan. */
const data = JSON.parse(element("data").textContent);
const single = data.open.length === 1 ? data.dimensions[data.open[0]] : undefined;
const order = [...data.best.keys()].sort((a, b) =>
  single ? single.values[a] - single.values[b] : data.best[a] - data.best[b] || a - b,
);
const places = order.map((shape, i) => (single ? single.values[shape] : i + 1));

const curves = [
  { name: "Plan for the maximum", bytes: () => data.maximum, color: "total", width: 2 },
  ...(data.arena
    ? [{ name: "Bucket arenas", bytes: (i) => data.arena[i], color: "load", width: single ? 2 : 0 }]
    : []),
  { name: "One layout", bytes: (i) => data.layout[i], color: "blue2", width: 6 },
  { name: "Best plan", bytes: (i) => data.best[i], color: "failed", width: 1.5 },
];

const escaped = (text) =>
  text.replace(/[&<>"]/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[c]);

const tooltip = (points) => {
  const shape = order[points[0].dataIndex];
  const title = data.dimensions
    .map(({ name, values }) => `${escaped(name)}=${numberText(values[shape])}`)
    .join(", ");
  const lines = curves.map(({ name, bytes }) => {
    const above = percentText(bytes(shape) - data.best[shape], data.best[shape]);
    return `${name}: ${plainText(bytes(shape))}, +${above}`;
  });
  return [`<strong>${title}</strong>`, ...lines].join("<br>");
};

const smallest = Math.max(1, data.best.reduce((a, b) => Math.min(a, b)));
const unit = unitFor(data.maximum);
const isWide = data.maximum > 30 * smallest;

const optionOf = (palette) => ({
  animation: false,
  textStyle: { fontFamily: fonts },
  grid: { left: 118, right: 40, top: 38, bottom: 82 },
  legend: {
    top: 6,
    data: curves.map(({ name }) => ({ name, icon: "path://M0 0h24v3h-24z" })),
    textStyle: { color: palette.ink },
    inactiveColor: palette.rule,
  },
  tooltip: {
    trigger: "axis",
    confine: true,
    backgroundColor: palette.panel,
    borderColor: palette.rule,
    textStyle: { color: palette.ink },
    formatter: tooltip,
  },
  xAxis: {
    ...axisOf(palette, places[0]),
    name: single ? single.name : "shapes by the bytes of the best plan",
    nameGap: 26,
    min: places[0],
    max: Math.max(places.at(-1), places[0] + 1),
    minInterval: 1,
  },
  yAxis: {
    ...axisOf(palette, 0),
    type: isWide ? "log" : "value",
    name: isWide ? "bytes, logarithmic" : `bytes (${unit.name})`,
    nameGap: 92,
    axisLabel: {
      color: palette.muted,
      formatter: (value) => (isWide ? humanText(value) : numberText(value)),
    },
  },
  dataZoom: [
    { type: "inside", xAxisIndex: 0, filterMode: "none" },
    { type: "slider", xAxisIndex: 0, filterMode: "none", height: 16, bottom: 10, showDetail: false },
  ],
  series: curves.map(({ name, bytes, color, width }) => ({
    name,
    type: "line",
    step: single && "end",
    symbol: "circle",
    symbolSize: 4,
    showSymbol: width === 0 || order.length === 1,
    lineStyle: { color: styleOf(`--${color}`), width },
    itemStyle: { color: styleOf(`--${color}`) },
    data: order.map((shape, i) => [
      places[i],
      isWide ? Math.max(1, bytes(shape)) : bytes(shape) / unit.bytes,
    ]),
  })),
});

const chart = echarts.init(element("map"), null, { renderer: "canvas" });
const draw = () => chart.setOption(optionOf(readPalette()), true);
window.addEventListener("resize", () => chart.resize());
window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
draw();
