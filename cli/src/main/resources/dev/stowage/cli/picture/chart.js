/* Axes, zoom, load curve and lower bound. Bytes are in plan.unit here, for ticks at round numbers. */
const styleOf = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

const readPalette = () => {
  const shades = (hue) => Array.from({ length: levels }, (_, i) => styleOf(`--${hue}${i}`));
  const boxes = [...shades("blue"), ...shades("orange")];
  const palette = { boxes, inks: boxes.map(inkOn) };
  for (const name of ["ground", "panel", "ink", "muted", "rule", "load", "bound", "total", "focus"]) {
    palette[name] = styleOf(`--${name}`);
  }
  return palette;
};

/* Black or white, whichever is further from the colour. */
const inkOn = (colour) => {
  const [r, g, b] = [1, 3, 5].map((i) => parseInt(colour.slice(i, i + 2), 16) / 255);
  return 0.2126 * r ** 2.2 + 0.7152 * g ** 2.2 + 0.0722 * b ** 2.2 > 0.2 ? "#111" : "#fff";
};

const seriesNames = ["Tensors", "Live bytes", "Lower bound", "Total"];

const legendIcon = (name) =>
  name === "Tensors"
    ? "roundRect"
    : name === "Lower bound"
      ? "path://M0 0h6v3h-6zM9 0h6v3h-6zM18 0h6v3h-6z"
      : "path://M0 0h24v3h-24z";

/* The axis has a tick where it starts, too: zoomed in, that is at no round number, and says nothing. */
const tickText = (start) => (value, index) =>
  index === 0 && value !== start ? "" : numberText(Number(value.toPrecision(12)));

const chartOption = (plan, shown, palette, render) => {
  const unit = plan.unit;
  const top = Math.max(shown.total, plan.lowerBound, 1) / unit.bytes;
  const muted = { color: palette.muted };
  const axis = {
    type: "value",
    axisLine: { show: true, lineStyle: { color: palette.muted } },
    splitLine: { lineStyle: { color: palette.rule } },
    nameLocation: "middle",
    nameTextStyle: muted,
  };
  return {
    animation: false,
    aria: { enabled: false },
    textStyle: { fontFamily: "system-ui, -apple-system, Segoe UI, Arial, sans-serif" },
    grid: { left: 86, right: 122, top: 38, bottom: 82 },
    legend: {
      top: 6,
      data: seriesNames.map((name) => ({ name, icon: legendIcon(name) })),
      textStyle: { color: palette.ink },
      inactiveColor: palette.rule,
    },
    xAxis: {
      ...axis,
      name: "task",
      nameGap: 26,
      min: plan.firstTask,
      max: plan.endTask,
      minInterval: 1,
      axisLabel: { ...muted, showMaxLabel: false, hideOverlap: true, formatter: tickText(plan.firstTask) },
    },
    yAxis: {
      ...axis,
      name: `offset (${unit.name})`,
      nameGap: 62,
      min: 0,
      max: top * 1.06,
      axisLabel: {
        ...muted,
        showMaxLabel: false,
        hideOverlap: true,
        formatter: tickText(0),
      },
    },
    dataZoom: zooms(plan, palette),
    series: seriesOf(plan, shown, palette, render),
  };
};

const zooms = (plan, palette) => {
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
  const x = { xAxisIndex: 0, minValueSpan: 1 };
  const y = { yAxisIndex: 0, minValueSpan: Math.min(64 / plan.unit.bytes, plan.unit.bytes) };
  return [
    { ...common, ...x, type: "inside" },
    { ...common, ...y, type: "inside" },
    { ...slider, ...x, height: 16, bottom: 10 },
    { ...slider, ...y, width: 16, right: 8 },
  ];
};

/* The labels are beside the plot, above and below the height of their lines: so none hides any. */
const seriesOf = (plan, shown, palette, render) => {
  const { load, unit } = plan;
  const line = { type: "line", silent: true, symbol: "none", clip: true };
  const mark = (name, bytes, color, verticalAlign, type) => ({
    ...line,
    name,
    data: [],
    lineStyle: { color, type, width: 2 },
    itemStyle: { color },
    markLine: {
      silent: true,
      symbol: "none",
      animation: false,
      lineStyle: { color, type, width: 2 },
      label: {
        position: "end",
        color,
        align: "left",
        lineHeight: 14,
        verticalAlign,
        formatter: `${name.toLowerCase()}\n${humanText(bytes)}`,
        fontWeight: 600,
      },
      data: [{ yAxis: bytes / unit.bytes }],
    },
  });
  const [tensors, live, bound, total] = seriesNames;
  const image = (id, z, renderItem) => ({
    type: "custom",
    id,
    name: tensors,
    z,
    silent: true,
    clip: true,
    itemStyle: { color: palette.boxes[3] },
    renderItem,
    data: [[plan.firstTask, 0]],
  });
  const isAbove = shown.total >= plan.lowerBound;
  return [
    image("boxes", 2, render.boxes),
    mark(total, shown.total, palette.total, isAbove ? "bottom" : "top", "solid"),
    mark(bound, plan.lowerBound, palette.bound, isAbove ? "top" : "bottom", "dashed"),
    {
      ...line,
      name: live,
      step: "end",
      z: 5,
      lineStyle: { color: palette.load, width: 1.75, shadowColor: palette.ground, shadowBlur: 3 },
      itemStyle: { color: palette.load },
      data: load.task.map((task, i) => [task, load.bytes[i] / unit.bytes]),
    },
    image("names", 6, render.names),
  ];
};
