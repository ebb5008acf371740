/*
 * The replay as a model of the map. A record is a chunk in use. Regions are on top of each other, each with its
 * largest size. Events are half-open: [first, end).
 */
const replayModel = (data) => {
  const { requested, bytes, first, end, failures, curves } = data;
  const count = bytes.length;
  const { regions, top } = stacked(data.regions);
  const base = new Map(regions.map((region) => [region.index, region.base]));
  const address = Float64Array.from(data.offset, (offset, i) => base.get(data.region[i]) + offset);
  const eventText = (from, to) =>
    from === to
      ? from === 0
        ? "Before the first event"
        : `After event ${numberText(from)}`
      : `Events ${numberText(from)} to ${numberText(to)}`;
  const model = {
    item: "chunk",
    height: "address",
    count,
    bytes,
    requested,
    first,
    end,
    address,
    regions,
    data,
    order: Int32Array.from(bytes.keys()),
    names: data.ids,
    boxes: inPaintingOrder(chunkParts(requested, bytes, first, end)),
    levels: levelsOf(bytes),
    weights: requested,
    start: data.older > 0 ? 0 : 1,
    stop: Math.max(1, data.events) + 1,
    unit: unitFor(top),
    axes: [stepAxis("events", "event"), ...timeAxis(data)],
    strips: [
      {
        unit: unitFor(mostOf(curves.reserved)),
        most: mostOf(curves.reserved),
        curves: [
          { name: "reserved", curve: curves.reserved, colour: "total", fill: "held", text: exactText },
          { name: "in use", curve: curves.inUse, colour: "load", text: exactText },
          { name: "requested", curve: curves.requested, colour: "bound", text: exactText },
        ],
      },
      {
        unit: { name: "%", bytes: 100 },
        most: 10_000,
        curves: [
          {
            name: "external fragmentation",
            curve: curves.fragmentation,
            colour: "fragmentation",
            text: (value) => percentText(value, 10_000),
          },
        ],
      },
    ],
    peaks: data.peaks,
    failures: failures.event,
    stepText: (event) => `event ${numberText(event)}`,
    momentText: eventText,
    plan: () => ({ address, top, lines: [] }),
    nameOf: (record) => data.ids[record],
    titleOf: (record) => `Allocation ${data.ids[record]}`,
    detailsOf: (record) => chunkDetails(data, record, shownFrames),
    allDetailsOf: (record) => chunkDetails(data, record, Infinity),
    under: paintRegions(regions),
    over: paintEdges(regions),
    hintAt: (step, byte, state, point) => failureHint(model, point),
  };
  const weigh = weightsAtPeak(model);
  const lineOf = (i) => (data.stack[i] < 0 ? "(no stack)" : data.lines[data.stackLine[data.stack[i]]]);
  const older = (i, key) => (first[i] === 0 ? "(older than the recording)" : key);
  model.groupings = [
    groupingOf("line", "line of code", count, (i) => older(i, lineOf(i)), weigh),
    groupingOf("stack", "stack", count, (i) => older(i, data.stack[i]), weigh),
    groupingOf("tag", "tag", count, (i) => older(i, data.tags[data.tag[i]] || "(no tag)"), weigh),
    groupingOf("stream", "stream", count, (i) => String(data.stream[i]), weigh),
  ].filter(({ keys }) => keys.length > 1);
  return model;
};

/* An axis of times, if the trace has them. Between two known events, times are interpolated. */
const timeAxis = ({ times, events }) => {
  if (!times) {
    return [];
  }
  const steps = times.event;
  const at = times.min;
  const last = steps.length - 1;
  const of = (event) => {
    const i = Math.max(0, d3.bisectRight(steps, event) - 1);
    const next = i < last ? steps[i + 1] : Math.max(events, steps[i]) + 1;
    const time = i < last ? at[i + 1] : at[i] + 1;
    return at[i] + ((time - at[i]) * (Math.max(event, steps[i]) - steps[i])) / (next - steps[i]);
  };
  const stepAt = (time) => {
    const i = Math.max(0, d3.bisectRight(at, time) - 1);
    const next = i < last ? steps[i + 1] : Math.max(events, steps[i]) + 1;
    const until = i < last ? at[i + 1] : at[i] + 1;
    return until === at[i] ? steps[i] : steps[i] + ((next - steps[i]) * (time - at[i])) / (until - at[i]);
  };
  return [
    {
      id: "time",
      label: "time, in the unit of the trace",
      isSteps: false,
      of,
      stepAt,
      text: (tick) => numberText(tick),
      leastSpan: 1,
    },
  ];
};

const shownFrames = 12;

/* The stack, with only the file and its folder of a long path; empty if the trace has none. */
const askedBy = (data, stack, most) => {
  if (stack < 0) {
    return [];
  }
  const frames = Array.from(data.stackFrames.subarray(data.stackStart[stack], data.stackStart[stack + 1]));
  const lines = frames
    .slice(0, most)
    .map((frame) => data.frames[frame].replace(/ at .*\/([^/]+\/[^/]+)$/su, " at $1"));
  return [["asked by", frames.length > most ? [...lines, "… and their callers"] : lines]];
};

const originOf = (data, stack, tag, most) => [
  ...(data.tags[tag] ? [["tag", data.tags[tag]]] : []),
  ...askedBy(data, stack, most),
];

const chunkDetails = (data, record, most) => {
  const { region, offset, stream, stack, tag, events, first, end } = data;
  const from = first[record] === 0 ? "older than the recording" : numberText(first[record]);
  const until = end[record] > events ? "never freed" : numberText(end[record]);
  return [
    ["requested", exactText(data.requested[record])],
    ["chunk", exactText(data.bytes[record])],
    ["region", `${region[record]}, offset ${plainText(offset[record])}`],
    ["events", end[record] > events || first[record] === 0 ? `${from}, ${end[record] > events ? until : `freed by ${until}`}` : `${from} to ${until}`],
    ["stream", String(stream[record])],
    ...originOf(data, stack[record], tag[record], most),
  ];
};

const failureTick = 10;

/* A failed request under the pointer, at the upper edge of the map. */
const failureHint = ({ data: { failures, ...data } }, { px, py, view }) => {
  const { map, x } = view.layout();
  if (py > map.y + failureTick + 2) {
    return null;
  }
  const axis = view.axis();
  let nearest = -1;
  let least = 5;
  failures.event.forEach((event, i) => {
    const off = Math.abs(x(axis.of(event + 0.5)) - px);
    if (off < least) {
      least = off;
      nearest = i;
    }
  });
  return nearest < 0
    ? null
    : {
        title: `Request ${failures.ids[nearest]} failed`,
        details: [
          ["requested", exactText(failures.requested[nearest])],
          ["event", numberText(failures.event[nearest])],
          ["stream", String(failures.stream[nearest])],
          ...originOf(data, failures.stack[nearest], failures.tag[nearest], shownFrames),
        ],
        place: { first: failures.event[nearest], end: failures.event[nearest] + 1, low: 0, high: 0 },
      };
};

const stacked = (regions) => {
  let top = 0;
  const all = regions.map((region) => {
    const base = top;
    const most = mostOf(region);
    top += most;
    return { ...region, base, most };
  });
  return { regions: all, top };
};

/* The requested bytes, and the rest if it is more than rounding. */
const chunkParts = (requested, bytes, first, end) => {
  const record = [];
  const low = [];
  const high = [];
  const slack = [];
  const add = (chunk, from, to, isSlack) => {
    record.push(chunk);
    low.push(from);
    high.push(to);
    slack.push(isSlack);
  };
  for (let i = 0; i < bytes.length; i++) {
    const isSplit = bytes[i] - requested[i] < 256;
    add(i, 0, isSplit ? bytes[i] : requested[i], 0);
    if (!isSplit) {
      add(i, requested[i], bytes[i], 1);
    }
  }
  return {
    record,
    first: record.map((i) => first[i]),
    end: record.map((i) => end[i]),
    low,
    high,
    slack,
  };
};

/* The reserved bytes, in use or free. */
const paintRegions = (regions) => (raster, scale, axis, palette, stop) => {
  for (const region of regions) {
    forSteps(region, stop, (first, end, bytes) => {
      paintRange(raster, scale, axis.of(first), axis.of(end), region.base, region.base + bytes, palette.heldPixel);
    });
  }
};

/* The extent of each region. */
const paintEdges = (regions) => (context, area, x, y, axis, palette, stop) => {
  context.fillStyle = palette.muted;
  for (const region of regions) {
    if (y(region.base) - y(region.base + region.most) < 3) {
      continue; // nothing would be left to see between its edges
    }
    forSteps(region, stop, (first, end, bytes) => {
      const left = Math.max(area.x, x(axis.of(first)));
      const right = Math.min(area.x + area.width, x(axis.of(end)));
      for (const edge of [region.base, region.base + bytes]) {
        if (right > left) {
          context.fillRect(left, Math.round(y(edge)) - 1, Math.max(1, right - left), 1);
        }
      }
    });
  }
};

const forSteps = ({ event, max }, stop, take) => {
  for (let i = 0; i < event.length; i++) {
    if (max[i] > 0) {
      take(event[i], i + 1 < event.length ? event[i + 1] : stop, max[i]);
    }
  }
};

const startPage = (data) => {
  const model = replayModel(data);
  explorerOf(model, () => [momentPanel(model), selectedPanel(model)]);
};
