/* Load curve, lower bound and total over the map. Bytes are in plan.unit, for round ticks. */
const seriesNames = ["Tensors", "Live bytes", "Lower bound", "Total"];

const legendIcon = (name) =>
  name === "Tensors"
    ? "roundRect"
    : name === "Lower bound"
      ? "path://M0 0h6v3h-6zM9 0h6v3h-6zM18 0h6v3h-6z"
      : "path://M0 0h24v3h-24z";

const planOption = (plan, shown, palette, render) => {
  const top = Math.max(shown.total, shown.bound, 1) / plan.unit.bytes;
  return {
    animation: false,
    aria: { enabled: false },
    textStyle: { fontFamily: fonts },
    grid: { left: 86, right: 122, top: 38, bottom: 82 },
    legend: {
      top: 6,
      data: seriesNames.map((name) => ({ name, icon: legendIcon(name) })),
      textStyle: { color: palette.ink },
      inactiveColor: palette.rule,
    },
    xAxis: {
      ...axisOf(palette, plan.start),
      name: "task",
      nameGap: 26,
      min: plan.start,
      max: plan.stop,
      minInterval: 1,
    },
    yAxis: {
      ...axisOf(palette, 0),
      name: `offset (${plan.unit.name})`,
      nameGap: 62,
      min: 0,
      max: top * 1.06,
    },
    dataZoom: zoomsOf(
      palette,
      { xAxisIndex: 0, minValueSpan: 1 },
      { yAxisIndex: 0, minValueSpan: leastSpan(plan.unit) },
    ),
    series: planSeries(plan, shown, palette, render),
  };
};

/* The labels are beside the plot, above and below their lines, so that they do not overlap. */
const planSeries = (plan, shown, palette, render) => {
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
  const isAbove = shown.total >= shown.bound;
  return [
    imageSeries("boxes", tensors, 2, palette.boxes[3], plan.start, render.boxes),
    mark(total, shown.total, palette.total, isAbove ? "bottom" : "top", "solid"),
    mark(bound, shown.bound, palette.bound, isAbove ? "top" : "bottom", "dashed"),
    {
      ...line,
      name: live,
      step: "end",
      z: 5,
      lineStyle: { color: palette.load, width: 1.75, shadowColor: palette.ground, shadowBlur: 3 },
      itemStyle: { color: palette.load },
      data: load.task.map((task, i) => [task, load.bytes[i] / unit.bytes]),
    },
    imageSeries("names", tensors, 6, palette.boxes[3], plan.start, render.names),
  ];
};
