/*
 * The replay as columns with an entry for each chunk in use. Regions are on top of each other, each
 * with its largest size. Events are half-open: [first, end).
 */
const dead = 2 * levels; // behind the shades of a palette's boxes

const readReplay = (data) => {
  const requested = Float64Array.from(data.requested);
  const bytes = Float64Array.from(data.bytes);
  const first = Float64Array.from(data.first);
  const end = Float64Array.from(data.end);
  const { regions, top } = stacked(data.regions);
  const base = new Map(regions.map((region) => [region.index, region.base]));
  const address = Float64Array.from(data.offset, (offset, i) => base.get(data.region[i]) + offset);
  const isAtPeak = (i) => first[i] <= data.peakEvent && data.peakEvent < end[i];
  const shade = shadesOf(bytes, isAtPeak);
  const parts = chunkParts(requested, bytes, first, end);
  const order = [...bytes.keys()];
  return {
    data,
    regions,
    top,
    requested,
    bytes,
    first,
    end,
    address,
    order,
    names: data.ids,
    start: 1,
    stop: Math.max(1, data.events) + 1,
    unit: unitFor(top),
    curveUnit: unitFor(data.curves.reserved.value.reduce((a, b) => Math.max(a, b), 0)),
    // Requested bytes are painted over unsplit rests if both are within a pixel.
    boxes: boxesOf(
      parts,
      (i) => (parts.start[i] > 0 ? Number.MAX_VALUE : bytes[parts.record[i]]),
      (i) => (parts.start[i] > 0 ? dead : shade(parts.record[i])),
    ),
  };
};

const stacked = (regions) => {
  let top = 0;
  const all = regions.map((region) => {
    const base = top;
    const most = region.value.reduce((a, b) => Math.max(a, b), 0);
    top += most;
    return { ...region, base, most };
  });
  return { regions: all, top };
};

/* The requested bytes, and the rest if it is more than rounding. */
const chunkParts = (requested, bytes, first, end) => {
  const parts = { record: [], first: [], end: [], start: [], stop: [] };
  const add = (record, start, stop) => {
    parts.record.push(record);
    parts.first.push(first[record]);
    parts.end.push(end[record]);
    parts.start.push(start);
    parts.stop.push(stop);
  };
  bytes.forEach((chunk, i) => {
    const isSplit = chunk - requested[i] < 256;
    add(i, 0, isSplit ? chunk : requested[i]);
    if (!isSplit) {
      add(i, requested[i], chunk);
    }
  });
  return parts;
};

/* The value of a curve at an event. */
const valueAt = ({ event, value }, at) => {
  let low = 0;
  let high = event.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (event[middle] <= at) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low === 0 ? 0 : value[low - 1];
};
