/* The page, which already has its numbers. */
const replay = readReplay(JSON.parse(element("data").textContent));
const { curves, failures, frames, stacks } = replay.data;

const shownFrames = 12;

/* The stack, with only the file and its folder of a long path; empty if the trace has none. */
const askedBy = (stack) => {
  if (stack < 0) {
    return [];
  }
  const lines = stacks[stack].map((frame) => frames[frame].replace(/ at .*\/([^/]+\/[^/]+)$/su, " at $1"));
  const isLong = lines.length > shownFrames;
  return [["asked by", isLong ? [...lines.slice(0, shownFrames), "… and their callers"] : lines]];
};

const detailsOf = (i) => {
  const { region, offset, stream, stack, events } = replay.data;
  const first = numberText(replay.first[i]);
  const end = replay.end[i];
  return [
    ["requested", exactText(replay.requested[i])],
    ["chunk", exactText(replay.bytes[i])],
    ["region", `${region[i]}, offset ${plainText(offset[i])}`],
    ["events", end > events ? `${first}, never freed` : `${first} to ${numberText(end)}`],
    ["stream", String(stream[i])],
    ...askedBy(stack[i]),
  ];
};

const failureHint = (i, x, area) => ({
  key: `failure ${i}`,
  name: `Request ${failures.ids[i]} failed`,
  details: [
    ["requested", exactText(failures.requested[i])],
    ["event", numberText(failures.event[i])],
    ["stream", String(failures.stream[i])],
    ...askedBy(failures.stack[i]),
  ],
  place: { left: x - 2, top: area.y, width: 4, height: failureTick },
});

const failureAt = ([x, y], { areaOf, xOf }) => {
  const area = areaOf(0);
  if (y < area.y || y > area.y + failureTick + 2 || x < area.x || x > area.x + area.width) {
    return undefined;
  }
  let nearest = -1;
  let least = 5;
  failures.event.forEach((event, i) => {
    const off = Math.abs(xOf(event + 0.5) - x);
    if (off < least) {
      least = off;
      nearest = i;
    }
  });
  return nearest < 0 ? undefined : failureHint(nearest, xOf(failures.event[nearest] + 0.5), area);
};

const curvesAt = (at, { chart, areaOf, xOf, stepOf }) => {
  if (![1, 2].some((gridIndex) => chart.containPixel({ gridIndex }, at))) {
    return undefined;
  }
  const event = Math.min(Math.max(1, Math.floor(stepOf(at[0]))), replay.data.events);
  const upper = areaOf(1);
  const lower = areaOf(2);
  return {
    key: `event ${event}`,
    name: `After event ${numberText(event)}`,
    details: [
      ["reserved", exactText(valueAt(curves.reserved, event))],
      ["in use", exactText(valueAt(curves.inUse, event))],
      ["requested", exactText(valueAt(curves.requested, event))],
      ["external fragmentation", percentText(valueAt(curves.fragmentation, event), 10_000)],
    ],
    place: {
      left: xOf(event + 0.5),
      top: upper.y,
      width: 0,
      height: lower.y + lower.height - upper.y,
    },
  };
};

viewOf(replay, {
  offsets: () => replay.address,
  top: () => replay.top,
  title: (i) => `Allocation ${replay.names[i]}`,
  details: detailsOf,
  option: (palette, render) => replayOption(replay, palette, render),
  under: paintRegions(replay),
  over: paintEdges(replay),
  hint: (at, tools) => failureAt(at, tools) ?? curvesAt(at, tools),
}).draw();
