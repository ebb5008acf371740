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

/* Regions with free bytes that cannot be released, because chunks in them are in use; those with the most first. */
const pinnedRegions = ({ regions }, { bytes }) =>
  regions
    .map(({ region, bytes: size, chunks }) => ({
      region,
      bytes: size,
      free: size - chunks.reduce((sum, chunk) => sum + bytes[chunk], 0),
      chunks: [...chunks].sort((a, b) => bytes[b] - bytes[a]),
    }))
    .filter(({ free, chunks }) => free > 0 && chunks.length > 0)
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
  const { stack, stackLine, lines, tags, tag } = data;
  if (stack[chunk] >= 0) {
    return lines[stackLine[stack[chunk]]];
  }
  return first[chunk] === 0 ? "(older than the recording)" : tags[tag[chunk]] ? `tag ${tags[tag[chunk]]}` : "(no stack)";
};

const chunkText = (model, chunk) => {
  const of = model.first[chunk] === 0 ? "" : ` of event ${numberText(model.first[chunk])}`;
  return `${humanText(model.bytes[chunk])}${of}, ${fittingName(ownerLine(model, chunk), 160)}`;
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
