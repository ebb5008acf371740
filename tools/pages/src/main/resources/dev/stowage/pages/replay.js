/*
 * The replay as a model of the map. A record is a chunk in use. Regions are on top of each other, each with its
 * largest size. Events are half-open: [first, end).
 */
const replayModel = (data) => {
  const { requested, bytes, first, end, failures, curves } = data;
  const count = bytes.length;
  const { regions, top } = stacked(regionsOf(data.regions));
  const base = new Map(regions.map((region) => [region.index, region.base]));
  const address = Float64Array.from(data.offset, (offset, i) => base.get(data.region[i]) + offset);
  const eventText = (from, to) =>
    from === to
      ? from === 0
        ? data.events > 0
          ? "Before the first event"
          : "The only moment"
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
    onlyStream: onlyStreamOf(data),
    order: indicesOf(count, () => true),
    names: data.ids,
    bands: regions.map(({ index, base: low, most }) => ({ name: `region ${index}`, low, high: low + most })),
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
        stack: stackOf(data),
        curves: [
          { name: "reserved", curve: curves.reserved, colour: "total", text: exactText },
          ...hiddenBand(data),
          { name: "in use", curve: curves.inUse, colour: "load", text: exactText },
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
    under: paintRegions(regions, (state) => pinsIn(model, state), { first, end, address, bytes }),
    underKey: (state) => (state.group === pinGroup ? `${pinGroup} ${streamAt(model, state.moment)}` : ""),
    holeAt: (step, byte) => holeAt(model, step, byte),
    stackHint: (step) => stackHint(data, step),
    partKinds: shownParts(data),
    over: paintEdges(regions),
    hintAt: (step, byte, state, point) => failureHint(model, point) ?? hintOfHole(step, byte),
  };
  Object.assign(model, chunkTexts(model));
  model.sharing = sharingOf(model);
  model.related = (state) => sharingRecords(model.sharing(state));
  addGroupings(model);
  const hintOfHole = holeHints(model);
  model.chosenHole = chosenHole(model);
  // For tests.
  model.memoryAt = (event) => memoryAt(model, event);
  model.servedBy = (hole, event) => servedBy(model, hole, event);
  model.piecesOf = (hole, event) => piecesOf(model, hole, event);
  model.inTheWay = (event, bytes, stream) => chunksInTheWay(memoryAt(model, event), model, bytes, stream);
  model.freeRegionsAt = (event) => freeRegions(memoryAt(model, event), model);
  model.freeSince = (hole, event) => freeSince(model, hole, event);
  return model;
};

/* The groups are those of "replay --explain". */
const addGroupings = (model) => {
  const { data, count, first } = model;
  const weigh = weightsAtPeak(model);
  const none = (i, text) => (first[i] === 0 && data.events > 0 ? "(older than the recording)" : text);
  const orNone = (i, keyOf) => (data.stack[i] < 0 ? none(i, "(no stack)") : keyOf(data.stack[i]));
  const lineOf = (i) => orNone(i, (stack) => data.lines[data.stackLine[stack]]);
  const streamOf = (i) => String(BigInt.asUintN(64, BigInt(data.stream[i])));
  const inner = (stack) => framesOf(data, stack).slice(0, 3).map(shortFrame).join(" \u2190 ");
  const all = (stack) => framesOf(data, stack).join("\n");
  model.stacks = groupingOf("stack", "stack", count, (i) => orNone(i, Number), weigh, inner, all);
  model.groupings = [
    groupingOf("line", "line of code", count, lineOf, weigh, shortFrame),
    model.stacks,
    ...layerGroupings(model, weigh),
    groupingOf("tag", "tag", count, (i) => data.tags[data.tag[i]] || none(i, "(no tag)"), weigh),
    groupingOf("stream", "stream", count, streamOf, weigh),
    groupingOf("age", "age", count, (i) => none(i, "(recorded)"), weigh),
  ].filter(({ keys }) => keys.length > 1);
};

/* The texts of the panels, as documented there. */
const chunkTexts = (model) => {
  const { data, first, end, bytes, requested } = model;
  const { curves, events } = data;
  let peak;
  const lineOf = (i) => (data.stack[i] < 0 ? "" : data.lines[data.stackLine[data.stack[i]]]);
  const tagOf = (i) => data.tags[data.tag[i]];
  const shortest = (frame) => frame.replace(/ at .*\//su, " ");
  const column = (title, of) => ({ title, text: (i) => shortest(of(i)), order: of, hint: of, isText: true });
  const hiddenText = (state) => {
    const { counts, sums } = hiddenAt(model, state);
    return counts.max === 0
      ? ""
      : ` ${rangeText(counts, numberText)} ${counts.max === 1 ? "chunk" : "chunks"}, ${rangeText(sums, humanText)}, not drawn.`;
  };
  return {
    hiddenText,
    whenText: (event) =>
      event < 0 ? "" : event === 0 ? "before the first event" : `after event ${numberText(event)}`,
    // The share of all requested bytes, also those of chunks that are not drawn.
    totalOf: (state) => state.liveTotal + hiddenAt(model, state).sums.max,
    sumsOf: (state) => {
      const { liveRecords, liveTotal } = state;
      const inChunks = liveRecords.reduce((sum, i) => sum + bytes[i], 0);
      const count = liveRecords.length;
      const hidden = hiddenText(state).trim();
      return [
        `${numberText(count)} ${count === 1 ? "chunk" : "chunks"}: ${exactText(liveTotal)} requested, ${exactText(inChunks)} in chunks`,
        ...(hidden ? [hidden] : []),
      ];
    },
    peakText: () => {
      peak ??= peakTexts({
        bytes: mostOf(curves.requested),
        peaks: data.peaks,
        noun: "event",
        nexts: [{ ...lowerPeak(model), without: "these chunks" }],
        what: " requested",
      });
      return peak;
    },
    bytesTitle: "Requested",
    sinceText: (i) => (first[i] === 0 ? "before" : numberText(first[i])),
    untilText: (i) => (end[i] > events ? "end" : numberText(end[i])),
    untilValue: (i) => (end[i] > events ? "end" : end[i]),
    originColumns: [
      ...(data.lines.length > 0 ? [{ ...column("Line of code", lineOf), isWide: true }] : []),
      ...(data.tags.some((tag) => tag !== "") ? [column("Tag", tagOf)] : []),
    ],
    moreColumns: [
      { title: "In chunk", text: (i) => humanText(bytes[i]), order: (i) => bytes[i], hint: (i) => exactText(bytes[i]) },
    ],
  };
};

/*
 * The requested bytes of the chunks in use that are not drawn, as a band below the curves: those of the curve without
 * the drawn chunks. Chunks are in the order of their first events. A step of several events has a range.
 */
const hiddenBand = ({ skipped, curves, requested, first, end, events }) => {
  if (skipped === 0) {
    return [];
  }
  const { event, min, max } = curves.requested;
  const byEnd = Int32Array.from(end.keys()).sort((a, b) => end[a] - end[b]);
  const hidden = { event, min: new Float64Array(event.length), max: new Float64Array(event.length) };
  let drawn = 0;
  let begun = 0;
  let ended = 0;
  for (let step = 0; step < event.length; step++) {
    const last = step + 1 < event.length ? event[step + 1] - 1 : events;
    let least = Infinity;
    let most = 0;
    let at = event[step];
    while (at <= last) {
      while (begun < first.length && first[begun] <= at) {
        drawn += requested[begun++];
      }
      while (ended < byEnd.length && end[byEnd[ended]] <= at) {
        drawn -= requested[byEnd[ended++]];
      }
      least = Math.min(least, drawn);
      most = Math.max(most, drawn);
      at = Math.min(first[begun] ?? Infinity, end[byEnd[ended]] ?? Infinity);
    }
    hidden.min[step] = Math.max(0, min[step] - most);
    hidden.max[step] = Math.max(0, max[step] - least);
  }
  return [{ name: "not drawn", curve: hidden, colour: "muted", fill: "dead", text: exactText }];
};

/* The number and the requested bytes of the chunks in use that are not drawn, as ranges. All are drawn at the peak. */
const hiddenAt = ({ data: { skipped, curves, peaks } }, { moment, liveRecords, liveTotal }) => {
  const none = { min: 0, max: 0 };
  const [first, last] = peaks[0] ?? [-1, -1];
  if (skipped === 0 || (first <= moment && moment <= last)) {
    return { counts: none, sums: none };
  }
  const rest = ({ min, max }, drawn) => ({ min: Math.max(0, min - drawn), max: Math.max(0, max - drawn) });
  return {
    counts: rest(rangeAt(curves.live, moment), liveRecords.length),
    sums: rest(rangeAt(curves.requested, moment), liveTotal),
  };
};

/*
 * The peak of the requested bytes without the chunks that are in use at the peak: {bytes, ranges, isBound}. It is a
 * bound if the curve has groups of events, or if chunks at later peaks are not drawn.
 */
const lowerPeak = ({ data, stop, count, first, end, requested }) => {
  const { event, min, max } = data.curves.requested;
  const peakEnds = data.peaks.map(([, to]) => to);
  const changes = [];
  for (let i = 0; i < count; i++) {
    const peak = data.peaks[d3.bisectLeft(peakEnds, first[i])]; // the first one that ends after the chunk begins
    if (peak && peak[0] < end[i]) {
      changes.push([first[i], requested[i]], [end[i], -requested[i]]);
    }
  }
  changes.sort((a, b) => a[0] - b[0]);
  let isBound = data.skipped > 0 && data.peaks.length > 1;
  let bytes = 0;
  let ranges = [];
  let removed = 0;
  let at = 0;
  for (let i = 0; i < event.length; i++) {
    const until = i + 1 < event.length ? event[i + 1] : stop;
    let least = Infinity;
    for (let from = event[i]; from < until; from = at < changes.length ? Math.min(until, changes[at][0]) : until) {
      while (at < changes.length && changes[at][0] <= from) {
        removed += changes[at][1];
        at++;
      }
      least = Math.min(least, removed);
    }
    isBound ||= min[i] !== max[i];
    const others = max[i] - least;
    if (others > bytes) {
      bytes = others;
      ranges = [];
    }
    if (others === bytes && bytes > 0) {
      if (ranges.at(-1)?.[1] === event[i] - 1) {
        ranges.at(-1)[1] = until - 1;
      } else {
        ranges.push([event[i], until - 1]);
      }
    }
  }
  return { bytes, ranges, isBound };
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
    ...(events > 0
      ? [["events", end[record] > events || first[record] === 0 ? `${from}, ${end[record] > events ? until : `freed by ${until}`}` : `${from} to ${until}`]]
      : []),
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

/* The parts at a step, from the top of their stack to the bottom, and a note: a part of a tooltip. */
const stackHint = (data, step) => {
  const column = columnAt(data, step);
  if (!column) {
    return [];
  }
  const note = columnNote(column, step);
  const parts = [...shownParts(data)].reverse();
  return [
    ...parts.map(({ id, name }) => [name, partBytesText(column.bytes[id], column.reserved)]),
    ...(note ? [["note", note]] : []),
  ];
};

/* The regions, each with its owner and steps. */
const regionsOf = ({ index, owner, owners, page, start, event, min, max }) =>
  Array.from(index, (number, i) => {
    const steps = (column) => column.subarray(start[i], start[i + 1]);
    return { index: number, owner: owners[owner[i]], page: page[i], event: steps(event), min: steps(min), max: steps(max) };
  });

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
  const isSplit = (i) => bytes[i] - requested[i] >= 256;
  let count = bytes.length;
  for (let i = 0; i < bytes.length; i++) {
    count += isSplit(i) ? 1 : 0;
  }
  const column = () => new Float64Array(count);
  const parts = { record: new Int32Array(count), first: column(), end: column(), low: column(), high: column() };
  const slack = new Uint8Array(count);
  let at = 0;
  const add = (chunk, low, high, isSlack) => {
    parts.record[at] = chunk;
    parts.first[at] = first[chunk];
    parts.end[at] = end[chunk];
    parts.low[at] = low;
    parts.high[at] = high;
    slack[at++] = isSlack;
  };
  for (let i = 0; i < bytes.length; i++) {
    add(i, 0, isSplit(i) ? requested[i] : bytes[i], 0);
    if (isSplit(i)) {
      add(i, requested[i], bytes[i], 1);
    }
  }
  return { ...parts, slack };
};

/* The reserved bytes, in use or free; "pinsOf" has the units by which free bytes are coloured, if they are. */
const paintRegions = (regions, pinsOf, chunks) => (raster, scale, axis, palette, stop, state) => {
  const pins = pinsOf(state);
  const side = Math.max(1, Math.round(window.devicePixelRatio || 1));
  const fill = (first, end, low, high, kind) => {
    if (high > low && end > first) {
      const { ground, ink } = palette.parts[kind.id];
      paintRange(raster, scale, axis.of(first), axis.of(end), low, high, pixelOf(ground.rgb), kind.ink, pixelOf(ink.rgb), side);
    }
  };
  regions.forEach((region, i) => {
    forSteps(region, stop, (first, end, bytes) => {
      if (!pins) {
        paintRange(raster, scale, axis.of(first), axis.of(end), region.base, region.base + bytes, palette.heldPixel);
        return;
      }
      const top = region.base + bytes;
      fill(first, end, region.base, top, pins.kindOf(region));
      for (const { low, high, spans } of pins.kindOf(region).id === "kept_segments" ? pins.units[i] : []) {
        for (let s = Math.max(0, spanAfter(spans, first) - 1); s < spans.length && spans[s][0] < end; s++) {
          const [from, to] = spans[s];
          fill(Math.max(from, first), Math.min(to, end), low, Math.min(high, top), pins.hole);
        }
      }
    });
  });
  for (let i = 0; pins && i < chunks.first.length; i++) {
    // The gaps between chunks have no pattern.
    const low = chunks.address[i];
    paintRange(raster, scale, axis.of(chunks.first[i]), axis.of(chunks.end[i]), low, low + chunks.bytes[i], palette.heldPixel);
  }
};

/* The index of the first span that begins after an event. */
const { right: spanAfter } = d3.bisector(([from]) => from);

/* The colours of free memory by what pins it: the kind of a region without chunks in use, and units with chunks. */
const pinGroup = "holes";
const pinsIn = (model, { group, moment }) => {
  if (group !== pinGroup) {
    return undefined;
  }
  model.pins ??= pinnedSpans(model);
  const stream = streamAt(model, moment);
  const kind = (id) => partKinds.find((one) => one.id === id);
  return {
    units: model.pins,
    hole: kind("holes"),
    kindOf: (region) =>
      kind(isPrivate(region) ? "private_pools" : isOtherStream(region, stream) ? "other_streams" : "kept_segments"),
  };
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

/* "beside" has the data and the name of another replay, for a second map. */
const startPage = (data, beside) => {
  const model = replayModel(data);
  const other = beside && replayModel(beside.data);
  if (other) {
    model.beside = other;
    other.beside = model;
    // The curves below both maps have the same height.
    model.strips.forEach((strip, i) => {
      strip.most = other.strips[i].most = Math.max(strip.most, other.strips[i].most);
    });
  }
  partKey(model);
  const compared = other && besidePanel(model, other, beside.name);
  const explorer = explorerOf(model, (_, store, navigation) => [
    momentPanel(model, store),
    ...(model.groupings.length > 0 ? [groupsPanel(model, store)] : []),
    ...(data.lines.length > 0 ? [flamePanel(model, store)] : []),
    selectedPanel(model, store),
    holesPanel(model, store, navigation),
    replayReasonsPanel(model, store, navigation),
    searchPanel(model, store),
    ...(compared ? [compared] : []),
  ]);
  if (compared) {
    compared.connect(besideReplay(explorer, model, other, beside.name));
  }
};
