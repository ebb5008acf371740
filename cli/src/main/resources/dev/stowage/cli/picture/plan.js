/*
 * The plan as columns: an entry a record, and an entry a part. A part is a rectangle of the map:
 * what a record needs throughout a range of tasks. Tasks are half-open here: [first, end).
 */
const readPlan = (data) => {
  const count = data.bytes.length;
  const plan = {
    ids: data.ids,
    names: data.names ?? data.ids,
    bytes: Float64Array.from(data.bytes),
    first: Float64Array.from(data.first),
    last: Float64Array.from(data.last),
    load: data.load,
    peakTask: data.peakTask,
    lowerBound: data.lowerBound,
    objectsBound: data.objectsBound,
    naive: data.naive,
    best: data.best,
    plans: data.plans.map((p) => ({ ...p, offsets: Float64Array.from(p.offsets) })),
    parts: data.parts ?? wholeRecords(data),
    firstTask: 0,
    endTask: 1,
  };
  if (count > 0) {
    plan.firstTask = plan.first.reduce((a, b) => Math.min(a, b));
    plan.endTask = plan.last.reduce((a, b) => Math.max(a, b)) + 1;
  }
  plan.unit = unitFor(data.plans[data.best].total);
  plan.boxes = boxesOf(plan);
  plan.order = [...plan.bytes.keys()].filter((i) => plan.bytes[i] > 0);
  plan.order.sort((a, b) => plan.first[a] - plan.first[b] || a - b);
  return plan;
};

const wholeRecords = (data) => {
  const parts = { record: [], first: [], last: [], start: [], end: [] };
  data.bytes.forEach((bytes, i) => {
    if (bytes > 0) {
      parts.record.push(i);
      parts.first.push(data.first[i]);
      parts.last.push(data.last[i]);
      parts.start.push(0);
      parts.end.push(bytes);
    }
  });
  return parts;
};

/* The parts in the order of painting: the largest first, so that no other hides a small one. */
const boxesOf = ({ parts, bytes, peakTask }) => {
  const order = [...parts.record.keys()];
  order.sort((a, b) => bytes[parts.record[b]] - bytes[parts.record[a]] || a - b);
  const column = (values) => Float64Array.from(order, (i) => values[i]);
  const boxes = {
    count: order.length,
    record: Int32Array.from(order, (i) => parts.record[i]),
    first: column(parts.first),
    end: column(parts.last.map((last) => last + 1)),
    start: column(parts.start),
    stop: column(parts.end),
  };
  const level = levelsOf(bytes);
  const atPeak = new Uint8Array(bytes.length);
  parts.record.forEach((record, i) => {
    if (parts.first[i] <= peakTask && peakTask <= parts.last[i]) {
      atPeak[record] = 1;
    }
  });
  boxes.colour = Uint8Array.from(boxes.record, (i) => level(bytes[i]) + (atPeak[i] ? levels : 0));
  return boxes;
};

/* Shades of a colour, from small to large tensors, in equal steps of the logarithm. */
const levels = 5;
const levelsOf = (bytes) => {
  let least = Infinity;
  let most = 0;
  for (const b of bytes) {
    if (b > 0) {
      least = Math.min(least, b);
      most = Math.max(most, b);
    }
  }
  const span = Math.log(most / least);
  return (b) =>
    span > 0 ? Math.min(levels - 1, Math.floor((levels * Math.log(b / least)) / span)) : 2;
};

const units = ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
const unitFor = (bytes) => {
  let power = 0;
  while (power < units.length - 1 && bytes >= 1024 ** (power + 1)) {
    power++;
  }
  return { name: units[power], bytes: 1024 ** power };
};

const numberText = (value) => value.toLocaleString("en-US", { maximumFractionDigits: 12 });

const humanText = (bytes) => {
  const unit = unitFor(bytes);
  return unit.bytes === 1 ? `${bytes} B` : `${(bytes / unit.bytes).toFixed(3)} ${unit.name}`;
};

const exactText = (bytes) => {
  const exact = bytes === 1 ? "1 byte" : `${numberText(bytes)} bytes`;
  return bytes < 1024 ? exact : `${exact} (${humanText(bytes)})`;
};

const percentText = (part, whole) => {
  const percent = whole === 0 ? 0 : (100 * part) / whole;
  const digits = { minimumFractionDigits: 1, maximumFractionDigits: 1 };
  return `${percent.toLocaleString("en-US", digits)} %`;
};
