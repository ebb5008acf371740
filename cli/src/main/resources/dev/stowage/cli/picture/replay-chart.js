/* The map, and below it the bytes and the fragmentation, over the same events. */
const replayOption = (replay, palette, render) => {
  const isNarrow = element("frame").clientWidth < 600;
  const side = isNarrow ? { left: 64, right: 40 } : { left: 86, right: 112 };
  const lowest = 2;
  const across = [0, 1, 2].map((gridIndex) => ({
    ...axisOf(palette, replay.start),
    gridIndex,
    min: replay.start,
    max: replay.stop,
    minInterval: 1,
    ...(gridIndex === lowest
      ? { name: "event", nameGap: 26 }
      : { axisLabel: { show: false }, axisTick: { show: false } }),
  }));
  const upwards = (gridIndex, name, max) => ({
    ...axisOf(palette, 0),
    gridIndex,
    name,
    nameGap: isNarrow ? 42 : 62,
    min: 0,
    max,
  });
  const most = replay.data.curves.reserved.value.reduce((a, b) => Math.max(a, b), 1);
  return {
    animation: false,
    aria: { enabled: false },
    textStyle: { fontFamily: fonts },
    grid: [
      { ...side, top: 14, bottom: "44%" },
      { ...side, top: "58.5%", bottom: "27%" },
      { ...side, top: "76%", bottom: 82 },
    ],
    xAxis: across,
    yAxis: [
      upwards(0, `address (${replay.unit.name})`, (Math.max(replay.top, 1) / replay.unit.bytes) * 1.06),
      { ...upwards(1, replay.curveUnit.name, (most / replay.curveUnit.bytes) * 1.1), splitNumber: 3 },
      { ...upwards(2, "%", 100), interval: 50, axisLabel: { color: palette.muted } },
    ],
    dataZoom: zoomsOf(
      palette,
      { xAxisIndex: [0, 1, 2], minValueSpan: 1 },
      { yAxisIndex: 0, minValueSpan: leastSpan(replay.unit) },
    ),
    series: replaySeries(replay, palette, { ...render, regions: regionLabels(replay, palette, !isNarrow) }),
  };
};

const replaySeries = (replay, palette, render) => {
  const { reserved, inUse, requested, fragmentation } = replay.data.curves;
  const curve = (grid, color, { event, value }, unit, more) => ({
    type: "line",
    silent: true,
    symbol: "none",
    clip: true,
    step: "end",
    xAxisIndex: grid,
    yAxisIndex: grid,
    lineStyle: { color, width: 1.5 },
    itemStyle: { color },
    data: [
      ...event.map((at, i) => [at, value[i] / unit]),
      ...(value.length > 0 ? [[replay.stop, value[value.length - 1] / unit]] : []),
    ],
    ...more,
  });
  const bytes = replay.curveUnit.bytes;
  const filled = { areaStyle: { color: palette.boxes[8], opacity: 0.25 } };
  return [
    imageSeries("boxes", "Chunks", 2, palette.boxes[3], replay.start, render.boxes),
    imageSeries("names", "Chunks", 6, palette.boxes[3], replay.start, render.names),
    {
      ...imageSeries("regions", "Regions", 6, palette.muted, replay.start, render.regions),
      clip: false,
    },
    curve(1, palette.total, reserved, bytes, { areaStyle: { color: palette.held, opacity: 1 } }),
    curve(1, palette.load, inUse, bytes, {}),
    curve(1, palette.bound, requested, bytes, {}),
    curve(2, palette.boxes[8], fragmentation, 100, filled),
  ];
};

/* Labels beside the map, if there is space for a line of text. */
const regionLabels = (replay, palette, hasRoom) => ({ coordSys }, api) => {
  const lowest = coordSys.y + coordSys.height;
  const y = (byte) => {
    const [, at] = api.coord([replay.start, byte / replay.unit.bytes]);
    return Math.min(Math.max(at, coordSys.y), lowest);
  };
  const children = [];
  for (const { index, base, most } of hasRoom ? replay.regions : []) {
    const bottom = y(base);
    const top = y(base + most);
    if (bottom - top >= 13) {
      const name = `region ${index}`;
      children.push({
        type: "text",
        silent: true,
        style: {
          text: bottom - top >= 28 ? `${name}\n${humanText(most)}` : name,
          x: coordSys.x + coordSys.width + 6,
          y: (bottom + top) / 2,
          verticalAlign: "middle",
          fill: palette.muted,
          font: `11px ${fonts}`,
          lineHeight: 13,
        },
      });
    }
  }
  return { type: "group", silent: true, children };
};

/* The reserved bytes, in use or free. */
const paintRegions = (replay) => (context, pixels, palette) => {
  context.fillStyle = palette.held;
  for (const region of replay.regions) {
    const bottom = pixels.y(region.base);
    forSteps(replay, region, (first, end, bytes) => {
      const left = pixels.x(first);
      const top = pixels.y(region.base + bytes);
      context.fillRect(left, top, pixels.x(end) - left, bottom - top);
    });
  }
};

const failureTick = 10;

/* The extent of each region, and the failed requests along the upper edge. */
const paintEdges = (replay) => (context, pixels, palette) => {
  const thick = Math.max(1, Math.round(pixels.ratio));
  context.fillStyle = palette.muted;
  for (const region of replay.regions) {
    if (pixels.y(region.base) - pixels.y(region.base + region.most) < 3 * thick) {
      continue; // nothing would be left to see between its edges
    }
    forSteps(replay, region, (first, end, bytes) => {
      const left = pixels.x(first);
      for (const edge of [region.base, region.base + bytes]) {
        context.fillRect(left, pixels.y(edge) - thick, Math.max(thick, pixels.x(end) - left), thick);
      }
    });
  }
  context.fillStyle = palette.failed;
  const width = Math.round(3 * pixels.ratio);
  for (const event of replay.data.failures.event) {
    const x = pixels.x(event + 0.5) - (width >> 1);
    context.fillRect(x, 0, width, Math.round(failureTick * pixels.ratio));
  }
};

const forSteps = (replay, { event, value }, take) => {
  for (let i = 0; i < event.length; i++) {
    if (value[i] > 0) {
      take(event[i], i + 1 < event.length ? event[i + 1] : replay.stop, value[i]);
    }
  }
};
