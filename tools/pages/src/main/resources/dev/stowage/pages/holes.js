/*
 * Holes: ranges of reserved regions that no chunk uses after an event. A hole is {region, low, high, bytes, owner, below,
 * above}, with the ends as addresses on the map, and the chunks next to it or -1. Its owner is the stream and pool
 * that alone can use it, or empty.
 *
 * Holes are not exact if the map lacks chunks, if the regions have merged steps, if free blocks of several streams
 * are next to each other, or if an expandable segment has addresses without memory.
 */
const holeIn = (model, region, low, high, below, above) => {
  const owner = region.owner !== byStream ? region.owner : model.onlyStream === undefined ? "" : `stream ${model.onlyStream}`;
  return { region, low, high, bytes: high - low, owner, below, above };
};

/* The owner of a region in which each stream has free blocks of its own. */
const byStream = "by stream";

/* The stream of all chunks and requests; undefined if there are several. */
const onlyStreamOf = ({ stream, failures }) => {
  const first = stream[0] ?? failures.stream[0];
  return stream.every((s) => s === first) && failures.stream.every((s) => s === first) ? first : undefined;
};

/*
 * All chunks and holes after an event, the largest holes first: {regions: [{region, bytes, chunks}], holes, isExact}.
 * The chunks of a region are in the order of addresses.
 */
const memoryAt = (model, event) => {
  const { count, bytes, address, first, end } = model;
  const live = [];
  for (let i = 0; i < count; i++) {
    if (first[i] <= event && event < end[i]) {
      live.push(i);
    }
  }
  live.sort((a, b) => address[a] - address[b]);
  const holes = [];
  let isExact = model.data.skipped === 0;
  let next = 0;
  const regions = model.regions.map((region) => {
    const { min, max } = rangeAt(region, event);
    const top = region.base + max;
    const chunks = [];
    let low = region.base;
    const add = (high, above) => {
      if (high > low) {
        holes.push(holeIn(model, region, low, high, chunks.at(-1) ?? -1, above));
      }
    };
    while (next < live.length && address[live[next]] < region.base + region.most) {
      const chunk = live[next++];
      add(address[chunk], chunk);
      low = Math.max(low, address[chunk] + bytes[chunk]);
      chunks.push(chunk);
    }
    add(top, -1);
    // Beyond its size, an expandable segment has chunks above addresses without memory.
    isExact &&= min === max && low <= top && (region.owner !== byStream || model.onlyStream !== undefined);
    return { region, bytes: max, chunks };
  });
  holes.sort((a, b) => b.bytes - a.bytes);
  return { regions, holes, isExact };
};

/* The hole at an address after an event, in one pass over the chunks; undefined if there is none. */
const holeAt = (model, event, byte) => {
  const { count, bytes, address, first, end, regions } = model;
  const region = regions.find(({ base, most }) => base <= byte && byte < base + most);
  if (!region || byte >= region.base + rangeAt(region, event).max) {
    return undefined;
  }
  let low = region.base;
  let high = region.base + rangeAt(region, event).max;
  let below = -1;
  let above = -1;
  for (let i = 0; i < count; i++) {
    if (first[i] > event || event >= end[i]) {
      continue;
    }
    const start = address[i];
    const stop = start + bytes[i];
    if (stop > region.base && start < high) {
      if (start > byte) {
        high = start;
        above = i;
      } else if (stop > byte) {
        return undefined;
      } else if (stop > low) {
        low = stop;
        below = i;
      }
    }
  }
  return holeIn(model, region, low, high, below, above);
};

/* The event since which no byte of a hole was used, and all were reserved. */
const freeSince = ({ count, bytes, address, end }, { region, low, high }, event) => {
  const { event: steps, min } = region;
  let step = d3.bisectRight(steps, event) - 1;
  while (step > 0 && min[step - 1] >= high - region.base) {
    step--;
  }
  let since = steps[step];
  for (let i = 0; i < count; i++) {
    if (end[i] <= event && end[i] > since && address[i] < high && address[i] + bytes[i] > low) {
      since = end[i];
    }
  }
  return since;
};

/* Regions with free bytes, those with the most first. */
const freeRegions = ({ regions }, { bytes }) =>
  regions
    .map(({ region, bytes: size, chunks }) => ({
      region,
      bytes: size,
      free: size - chunks.reduce((sum, chunk) => sum + bytes[chunk], 0),
      chunks,
    }))
    .filter(({ free }) => free > 0)
    .sort((a, b) => b.free - a.free || a.region.index - b.region.index);

/* Only PyTorch's allocator divides regions. It serves up to 1 MiB from regions of small blocks, in units of 512 bytes. */
const smallRequest = 2 ** 20;
const blockBytes = (bytes, { owner }) => {
  const unit = owner.startsWith("stream ") ? 512 : 256;
  return Math.ceil(bytes / unit) * unit;
};
const canServe = ({ owner }, bytes, stream) => {
  const pool = bytes <= smallRequest ? "small" : "large";
  return owner === "" || owner === byStream || owner.startsWith(`stream ${stream}, ${pool}`);
};

/*
 * The chunks between holes that a request could have used instead: {fewest, single}. "single" has all chunks
 * without each of which there is enough room, the smallest first; "fewest" the neighbours with the fewest bytes
 * together, undefined if no region has the room. Each is {chunks, freed, room}: the bytes of the chunks, and those of the
 * hole without them.
 */
const chunksInTheWay = ({ regions }, { address, bytes }, requested, stream) => {
  const single = [];
  let fewest;
  for (const { region, bytes: size, chunks } of regions) {
    if (size === 0 || !canServe(region, requested, stream)) {
      continue;
    }
    const needed = blockBytes(requested, region);
    const startOf = (i) => (i === 0 ? region.base : address[chunks[i - 1]] + bytes[chunks[i - 1]]);
    const stopOf = (i) => (i + 1 === chunks.length ? region.base + size : address[chunks[i + 1]]);
    let from = 0;
    let freed = 0;
    for (let i = 0; i < chunks.length; i++) {
      const alone = stopOf(i) - startOf(i);
      if (alone >= needed) {
        single.push({ chunks: [chunks[i]], freed: bytes[chunks[i]], room: alone });
      }
      freed += bytes[chunks[i]];
      while (from < i && stopOf(i) - startOf(from + 1) >= needed) {
        freed -= bytes[chunks[from]];
        from++;
      }
      const room = stopOf(i) - startOf(from);
      if (room >= needed && (!fewest || freed < fewest.freed)) {
        fewest = { chunks: chunks.slice(from, i + 1), freed, room };
      }
    }
  }
  single.sort((a, b) => a.freed - b.freed);
  return { fewest, single };
};

/* The line of code of a chunk, or what is known instead. */
const ownerLine = ({ data, first }, chunk) => {
  const { events, stack, stackLine, lines, tags, tag } = data;
  if (stack[chunk] >= 0) {
    return lines[stackLine[stack[chunk]]];
  }
  const none = first[chunk] === 0 && events > 0 ? "(older than the recording)" : "(no stack)";
  return tags[tag[chunk]] ? `tag ${tags[tag[chunk]]}` : none;
};

const chunkText = (model, chunk) => {
  const since = model.first[chunk] === 0 ? "" : ` since event ${numberText(model.first[chunk])}`;
  return `${humanText(model.bytes[chunk])}${since}, ${fittingName(ownerLine(model, chunk), 160)}`;
};

const neighbourText = (model, chunk) => (chunk < 0 ? "the edge of the region" : chunkText(model, chunk));

const holeDetails = (model, hole, event) => {
  const { region, low, owner, below, above } = hole;
  const since = freeSince(model, hole, event);
  return [
    ["bytes", exactText(hole.bytes)],
    ["region", `${region.index}, offset ${plainText(low - region.base)}`],
    ...(owner ? [["only for", owner]] : []),
    ["free since", since === 0 ? "before the first event" : `event ${numberText(since)}`],
    ["above", neighbourText(model, above)],
    ["below", neighbourText(model, below)],
  ];
};

/* The tooltip of a hole; the same object while the pointer stays in the same hole after the same event. */
const holeHints = (model) => {
  let last;
  return (event, byte) => {
    if (last && last.event === event && last.hole.low <= byte && byte < last.hole.high) {
      return last.hint;
    }
    const hole = holeAt(model, event, byte);
    last = hole && { event, hole, hint: holeHint(model, hole, event) };
    return last ? last.hint : null;
  };
};

const holeHint = (model, hole, event) => ({
  title: `Free after event ${numberText(event)}`,
  details: [
    ...holeDetails(model, hole, event),
    ...(model.data.skipped > 0 ? [["note", "chunks that are not drawn may use parts of it"]] : []),
  ],
  place: { first: event, end: event + 1, low: hole.low, high: hole.high },
});

/* The stream of the request or free at an event, whose free memory is not that of another stream. */
const streamAt = (model, event) => {
  const { data, first } = model;
  const column = columnAt(data, event);
  if (!column || column.event === event) {
    return column?.stream ?? 0;
  }
  const chunk = d3.bisectLeft(first, event);
  if (first[chunk] === event) {
    return data.stream[chunk];
  }
  const failure = data.failures.event.indexOf(event);
  return failure >= 0 ? data.failures.stream[failure] : column.stream;
};

const isPrivate = ({ owner }) => owner.endsWith(", private pool");
const isOtherStream = ({ owner }, stream) =>
  /^stream \d+, /u.test(owner) && !owner.startsWith(`stream ${BigInt.asUintN(64, BigInt(stream))}, `);

/*
 * The pieces of a hole by what keeps them reserved: [{id, low, high}], with the ids of parts. Of an expandable segment,
 * the pages that are wholly free can be released.
 */
const piecesOf = (model, { region, low, high, below, above }, event, stream = streamAt(model, event)) => {
  const whole = (id) => [{ id, low, high }];
  if (isPrivate(region)) {
    return whole("private_pools");
  }
  if (isOtherStream(region, stream)) {
    return whole("other_streams");
  }
  if (region.page === 0) {
    return whole(below >= 0 || above >= 0 ? "holes" : "kept_segments");
  }
  const from = region.base + Math.ceil((low - region.base) / region.page) * region.page;
  const to = region.base + Math.floor((high - region.base) / region.page) * region.page;
  if (from >= to) {
    return whole("holes");
  }
  return [
    { id: "holes", low, high: from },
    { id: "kept_segments", low: from, high: to },
    { id: "holes", low: to, high },
  ].filter((piece) => piece.low < piece.high);
};

/* The piece that has the most bytes. */
const mainPiece = (pieces) => pieces.reduce((a, b) => (b.high - b.low > a.high - a.low ? b : a));

/* The chunks that keep a hole from being released, the neighbours first, then the others by their distance. */
const pinningChunks = ({ count, data, address, bytes, first, end }, hole, event) => {
  const { region, low, high } = hole;
  // Of an expandable segment, only the chunks of the same pages.
  const { base, page } = region;
  const from = page === 0 ? base : base + Math.floor((low - base) / page) * page;
  const to = page === 0 ? base + region.most : base + Math.ceil((high - base) / page) * page;
  const pins = [];
  for (let i = 0; i < count; i++) {
    const isLive = data.region[i] === region.index && first[i] <= event && event < end[i];
    if (isLive && address[i] < to && address[i] + bytes[i] > from) {
      pins.push(i);
    }
  }
  const distance = (i) => (address[i] >= high ? address[i] - high : low - address[i] - bytes[i]);
  return pins.sort((a, b) => distance(a) - distance(b) || address[a] - address[b]);
};

/* The requests for which the allocator reserved more memory: {event, chunk, region}, by event. */
const growthsOf = (model) => {
  const { regions, first, data } = model;
  const growths = [];
  for (const region of regions) {
    region.event.forEach((event, i) => {
      if (event > 0 && region.max[i] > (i > 0 ? region.max[i - 1] : 0)) {
        for (let chunk = d3.bisectLeft(first, event); first[chunk] === event; chunk++) {
          if (data.region[chunk] === region.index) {
            growths.push({ event, chunk, region });
          }
        }
      }
    });
  }
  return growths.sort((a, b) => a.event - b.event);
};

/* The event that uses a byte of a hole or returns it; the number after the last event if there is none. */
const holeEnd = ({ count, bytes, address, first, data }, { region, low, high }, event) => {
  let until = data.events + 1;
  for (let i = 0; i < count; i++) {
    if (first[i] > event && first[i] < until && address[i] < high && address[i] + bytes[i] > low) {
      until = first[i];
    }
  }
  for (let i = d3.bisectRight(region.event, event); i < region.event.length; i++) {
    if (region.event[i] < until && region.min[i] < high - region.base) {
      return region.event[i];
    }
  }
  return until;
};

/*
 * The requests, while a hole is free, for which the allocator reserved more memory or which failed, and that are not
 * larger than the hole ("fitting"), or than its region with the chunks of the region elsewhere ("freed"):
 * {since, until, fitting, freed}. A request is {event, bytes, owner, chunk or failure}.
 */
const servedBy = (model, hole, event) => {
  const { data, requested } = model;
  const { failures } = data;
  const since = freeSince(model, hole, event);
  const until = holeEnd(model, hole, event);
  const size = rangeAt(hole.region, event).max;
  const fitting = [];
  const freed = [];
  const add = (request, isSameLane) => {
    const needed = blockBytes(request.bytes, hole.region);
    if (request.event > since && request.event <= until) {
      if (needed <= hole.bytes) {
        fitting.push(request);
      } else if (needed <= size && isSameLane) {
        freed.push(request);
      }
    }
  };
  model.growths ??= growthsOf(model);
  for (const { event: at, chunk, region } of model.growths) {
    const isWithin = at === until && model.address[chunk] < hole.high && model.address[chunk] + model.bytes[chunk] > hole.low;
    if (!isWithin) {
      add({ event: at, bytes: requested[chunk], chunk, owner: region.owner }, region.owner === hole.region.owner);
    }
  }
  failures.event.forEach((at, failure) => {
    const isSameLane = !isPrivate(hole.region) && canServe(hole.region, failures.requested[failure], failures.stream[failure]);
    add({ event: at, bytes: failures.requested[failure], failure, owner: `stream ${failures.stream[failure]}` }, isSameLane);
  });
  const byEvent = (a, b) => a.event - b.event;
  return { since, until, fitting: fitting.sort(byEvent), freed: freed.sort(byEvent) };
};

/* The rectangle of the chosen hole on the map, as long as it is free; undefined if there is none. */
const chosenHole = (model) => {
  let key;
  let place;
  return ({ moment, hole: low }) => {
    const now = `${moment} ${low}`;
    if (now !== key) {
      key = now;
      const hole = low < 0 ? undefined : holeAt(model, moment, low);
      place = hole && { first: freeSince(model, hole, moment), end: holeEnd(model, hole, moment), low: hole.low, high: hole.high };
    }
    return place;
  };
};

/*
 * The events in which chunks are in a region, or in each page of an expandable segment, as ranges by ascending event:
 * a list for each region, of units {low, high, spans}.
 */
const pinnedSpans = (model) => {
  const { regions, count, data, address, bytes, first, end } = model;
  const units = new Map(
    regions.map(({ index, base, most, page }) => {
      const size = page === 0 ? Math.max(1, most) : page;
      const unitOf = (i) => ({ low: base + i * size, high: Math.min(base + most, base + (i + 1) * size), spans: [] });
      return [index, { base, size, list: Array.from({ length: Math.ceil(most / size) }, (_, i) => unitOf(i)) }];
    }),
  );
  // Chunks are in the order of their first events, so that a range can only be prolonged or follow the last one.
  for (let i = 0; i < count; i++) {
    const { base, size, list } = units.get(data.region[i]);
    const last = Math.min(list.length - 1, Math.floor((address[i] + bytes[i] - 1 - base) / size));
    for (let unit = Math.floor((address[i] - base) / size); unit <= last; unit++) {
      const { spans } = list[unit];
      const before = spans.at(-1);
      if (before && before[1] >= first[i]) {
        before[1] = Math.max(before[1], end[i]);
      } else {
        spans.push([first[i], end[i]]);
      }
    }
  }
  return regions.map(({ index }) => units.get(index).list);
};
