/*
 * The plan as columns with an entry for each record and each part. A part is a rectangle of the map:
 * the bytes that a record needs during a range of tasks. Tasks are half-open: [first, end).
 */
const readPlan = (data) => {
  const count = data.bytes.length;
  const bytes = Float64Array.from(data.bytes);
  const first = Float64Array.from(data.first);
  const end = Float64Array.from(data.last, (last) => last + 1);
  const parts = data.parts ? partsOf(data.parts) : wholeRecords(bytes, first, end);
  const atPeak = new Uint8Array(count);
  parts.record.forEach((record, i) => {
    if (parts.first[i] <= data.peakTask && data.peakTask < parts.end[i]) {
      atPeak[record] = 1;
    }
  });
  const shade = shadesOf(bytes, (record) => atPeak[record] === 1);
  const order = [...bytes.keys()].filter((i) => bytes[i] > 0);
  order.sort((a, b) => first[a] - first[b] || a - b);
  return {
    ids: data.ids,
    names: data.names ?? data.ids,
    shapes: data.shapes,
    tasks: data.tasks ?? [],
    bytes,
    first,
    end,
    order,
    load: data.load,
    peakTask: data.peakTask,
    naive: data.naive,
    plans: data.plans.map((p) => ({ ...p, offsets: Float64Array.from(p.offsets ?? offsetsOf(p.objects)) })),
    start: count > 0 ? first.reduce((a, b) => Math.min(a, b)) : 0,
    stop: count > 0 ? end.reduce((a, b) => Math.max(a, b)) : 1,
    unit: unitFor(data.plans[data.best].total),
    boxes: boxesOf(
      parts,
      (i) => bytes[parts.record[i]],
      (i) => shade(parts.record[i]),
    ),
  };
};

/* The objects of a plan are drawn one after the other. */
const offsetsOf = ({ ids, bytes }) => {
  const starts = [0];
  bytes.forEach((size, i) => starts.push(starts[i] + size));
  return ids.map((id) => starts[id]);
};

const partsOf = ({ record, first, last, start, end }) => ({
  record,
  first,
  end: last.map((task) => task + 1),
  start,
  stop: end,
});

const wholeRecords = (bytes, first, end) => {
  const record = [...bytes.keys()].filter((i) => bytes[i] > 0);
  return {
    record,
    first: record.map((i) => first[i]),
    end: record.map((i) => end[i]),
    start: record.map(() => 0),
    stop: record.map((i) => bytes[i]),
  };
};
