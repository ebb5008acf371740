/*
 * The replay as a model of the map. A record is a chunk in use. Regions are on top of each other, each with its
 * largest size. Events are half-open: [first, end).
 */
const replayModel = (data) => {
  const { requested, bytes, first, end, failures, curves } = data;
  const count = bytes.length;
  let top = 0;
  const regions = data.regions.map((region) => {
    const most = mostOf(region.max);
    top += most;
    return { ...region, base: top - most, most };
  });
  const bases = new Map(regions.map(({ index, base }) => [index, base]));
  const stop = Math.max(1, data.events) + 1;
  const momentText = (from, to) =>
    from < to
      ? `Events ${numberText(from)} to ${numberText(to)}`
      : from > 0
        ? `After event ${numberText(from)}`
        : data.events > 0
          ? "Before the first event"
          : "The only moment";
  const peaks = peaksOf(curves.requested, stop);
  const address = Float64Array.from(data.offset, (offset, i) => bases.get(data.region[i]) + offset);
  const boxes = inPaintingOrder({ record: bytes.map((_, i) => i), first, end, low: bytes.map(() => 0), high: bytes });
  const plan = { address, ...placedBoxes(boxes, address), top, lines: [] };
  const model = {
    item: "chunk",
    height: "address",
    axis: "event",
    count,
    bytes,
    weights: requested,
    first,
    end,
    address,
    regions,
    names: data.ids,
    data,
    boxes,
    levels: levelsOf(bytes),
    start: data.older > 0 ? 0 : 1,
    stop,
    unit: unitFor(top),
    strip: {
      most: mostOf(curves.reserved.max),
      stack: stackOf(data),
      curves: [
        { name: "reserved", curve: curves.reserved, colour: "total" },
        { name: "in use", curve: curves.inUse, colour: "load" },
      ],
    },
    peaks,
    failures: failures.event,
    bands: regions.map(({ index, base: low, most }) => ({ name: `region ${index}`, low, high: low + most })),
    momentText,
    plan: () => plan,
    titleOf: (record) => `Allocation ${data.ids[record]}`,
    untilText: (i) => (end[i] > data.events ? "end" : numberText(end[i])),
    detailsOf: (record, _, most) => chunkDetails(data, record, Math.max(12, most)),
    under: paintRegions(regions, stop),
    columns: [
      ...(data.stack.some((stack) => stack >= 0) || data.tags.some((tag) => tag !== "") ? [askedBy(data)] : []),
      { title: "In chunk", text: (i) => humanText(bytes[i]), hint: (i) => exactText(bytes[i]), isExtra: true },
    ],
    peakText: peakSentence(mostOf(curves.requested.max), " requested", peaks.map(eventsText)),
    sumsOf: ({ liveRecords, liveTotal }) => {
      const inChunks = liveRecords.reduce((sum, i) => sum + bytes[i], 0);
      return [`${countText(liveRecords.length, "chunk")}: ${exactText(liveTotal)} requested, ${exactText(inChunks)} in chunks`];
    },
    stackHint: (step) => {
      const column = columnAt(data, step);
      return [...model.strip.stack.kinds].reverse().map(({ id, name }) => [name, `${humanText(column.bytes[id])}, ${percentText(column.bytes[id], column.reserved)}`]);
    },
  };
  model.memoryAt = (event) => memoryAt(model, event); // for tests
  model.kindOfHole = kindOfHole;
  model.holeAt = (event, byte) => holeAt(model, event, byte);
  model.hintAt = (event, byte) => {
    const hole = holeAt(model, event, byte);
    return hole ? { title: `Free after event ${numberText(event)}`, details: holeDetails(model, hole), place: { ...hole, first: event, end: event + 1 } } : null;
  };
  model.groupings = replayGroupings(model);
  return model;
};

const eventsText = ([from, to]) => (from === to ? `event ${numberText(from)}` : `events ${numberText(from)} to ${numberText(to)}`);

/* The groups are as in "replay --explain". */
const replayGroupings = (model) => {
  const { data, first } = model;
  const none = (i, text) => (first[i] === 0 && data.events > 0 ? "(older than the recording)" : text);
  const byStack = (i, keyOf) => (data.stack[i] < 0 ? none(i, "(no stack)") : keyOf(data.stack[i]));
  const framesOf = (stack) => (typeof stack === "string" ? [stack] : data.stacks[stack].map((frame) => data.frames[frame]));
  const inner = (stack) => framesOf(stack).slice(0, 3).map(shortFrame).join(" \u2190 ");
  const streamText = (i) => String(BigInt.asUintN(64, BigInt(data.stream[i])));
  return [
    groupingOf(model, "line", "line of code", (i) => byStack(i, (stack) => data.lines[stack]), shortFrame),
    groupingOf(model, "stack", "stack", (i) => byStack(i, Number), inner, (stack) => framesOf(stack).join("\n")),
    ...(data.ids.some((id) => id.includes("/")) ? [layerGrouping(model, (i) => data.ids[i])] : []),
    groupingOf(model, "tag", "tag", (i) => data.tags[data.tag[i]] || none(i, "(no tag)")),
    groupingOf(model, "stream", "stream", streamText),
  ].filter(({ keys }) => keys.length > 1);
};

/* Only the file and its folder of a path in a frame or a line of code. */
const shortFrame = (frame) => frame.replace(/ at .*\/([^/]+\/[^/]+)$/su, " at $1");

/* The line of code that asked for a chunk, or its tag, or nothing. */
const askerOf = ({ stack, lines, tag, tags }, i) => (stack[i] >= 0 ? lines[stack[i]] : tags[tag[i]] ? `tag ${tags[tag[i]]}` : "");

const askedBy = (data) => {
  const textOf = (i) => askerOf(data, i);
  return { title: "Asked by", text: (i) => textOf(i).replace(/ at .*\//su, " "), hint: textOf, isText: true, isWide: true };
};

const chunkDetails = (data, record, most) => {
  const { region, offset, stream, stack, tag, events, first, end } = data;
  const from = first[record] === 0 ? "older than the recording" : numberText(first[record]);
  const frames = stack[record] < 0 ? [] : data.stacks[stack[record]].map((frame) => shortFrame(data.frames[frame]));
  return [
    ["requested", exactText(data.requested[record])],
    ["chunk", exactText(data.bytes[record])],
    ["region", `${region[record]}, offset ${numberText(offset[record])}`],
    ["events", `${from} to ${end[record] > events ? "the end" : numberText(end[record])}`],
    ["stream", String(stream[record])],
    ...(data.tags[tag[record]] ? [["tag", data.tags[tag[record]]]] : []),
    ...(frames.length > 0 ? [["asked by", frames.length > most ? [...frames.slice(0, most), "… and their callers"] : frames]] : []),
  ];
};

/* The parts of the reserved memory at an event: {stream, bytes, reserved}, with the bytes by the id of a part. */
const columnAt = ({ parts }, at) => {
  const i = Math.max(0, indexAbove(parts.first, at) - 1);
  const bytes = Object.fromEntries(partKinds.map(({ id }) => [id, parts[id][i] ?? 0]));
  const reserved = Object.values(bytes).reduce((a, b) => a + b, 0);
  return { stream: parts.stream[i] ?? 0, bytes, reserved };
};

/* The reserved bytes, in use or free, with a gap of a pixel above each region. */
const paintRegions = (regions, stop) => (context, { map, x, y }, palette) => {
  context.fillStyle = palette.held;
  for (const { base, event, max } of regions) {
    event.forEach((from, i) => {
      const left = Math.max(map.x, Math.round(x(from)));
      const right = Math.min(map.x + map.width, Math.round(x(event[i + 1] ?? stop)));
      const top = Math.round(y(base + max[i])) + 1;
      context.fillRect(left, top, Math.max(0, right - left), Math.max(0, Math.round(y(base)) - top));
    });
  }
};

/* The failed requests; the text on the page has the reasons. */
const failuresPanel = (model, navigation) => {
  const { failures } = model.data;
  const failed = Array.from(failures.event.keys());
  const asker = (i) => fittingName(askerOf({ ...model.data, ...failures }, i) || `'${failures.ids[i]}'`, 160);
  const textOf = (i) => `event ${numberText(failures.event[i])}: ${humanText(failures.requested[i])} on stream ${failures.stream[i]}, ${asker(i)}`;
  const buttons = buttonList(failed, (i) => buttonOf(textOf(i), () => navigation.goTo(failures.event[i])), 200);
  return {
    id: "reasons",
    title: "Reasons",
    element: node("div", node("h2", "Failed requests"), failed.length > 0 ? buttons : node("p", "No request failed.")),
    update: () => {},
  };
};

starts.REPLAY = (data) => {
  const model = replayModel(data);
  element("part-key").replaceChildren(...model.strip.stack.kinds.map(({ colour, name }) => swatchOf(colour, name)));
  explorerOf(model, (_, store, navigation) => [
    momentPanel(model, store),
    ...(model.groupings.length > 0 ? [groupsPanel(model, store)] : []),
    selectedPanel(model),
    holesPanel(model, store, navigation),
    failuresPanel(model, navigation),
  ]);
};
