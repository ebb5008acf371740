/*
 * The rectangles of the map. Parts are rectangles as columns: {record, first, end, low, high}, with bytes relative to the start of
 * the record. This returns them in the order of painting: the largest first, so that small ones stay visible.
 */
const inPaintingOrder = ({ record, first, end, low, high }) => {
  const order = Uint32Array.from(record.keys()).sort((a, b) => high[b] - low[b] - high[a] + low[a] || a - b);
  const sorted = (values) => Float64Array.from(order, (i) => values[i]);
  return { record: Int32Array.from(order, (i) => record[i]), first: sorted(first), end: sorted(end), low: sorted(low), high: sorted(high) };
};

/* The first and the last byte of each box: {start, stop}, half-open. */
const placedBoxes = ({ record, low, high }, address) => ({
  start: low.map((byte, i) => address[record[i]] + byte),
  stop: high.map((byte, i) => address[record[i]] + byte),
});

/* The record with the last painted box at a point, or within some steps and bytes of it; -1 if there is none. */
const recordAt = ({ record, first, end }, { start, stop }, step, byte, steps, bytes) => {
  for (let i = record.length - 1; i >= 0; i--) {
    if (first[i] - steps <= step && step < end[i] + steps && start[i] - bytes <= byte && byte < stop[i] + bytes) {
      return record[i];
    }
  }
  return -1;
};

const mostNames = 600;

/* Paints the visible boxes, by the tone of each record, and returns the boxes with room for a name, the largest first. */
const paintBoxes = (context, { record, first, end }, { start, stop }, { x, y, range }, { tone, live }, palette) => {
  const { left, right, bottom, top } = range;
  const leastRoom = 1.2 * palette.text;
  const named = [];
  let last;
  for (let i = 0; i < record.length; i++) {
    if (end[i] <= left || first[i] >= right || stop[i] <= bottom || start[i] >= top) {
      continue;
    }
    const box = { record: record[i] };
    box.x = Math.min(Math.round(x(Math.max(first[i], left))), Math.round(x(right)) - 1);
    box.y = Math.min(Math.round(y(Math.min(stop[i], top))), Math.round(y(bottom)) - 1);
    box.width = Math.round(x(Math.min(end[i], right))) - box.x;
    box.height = Math.round(y(Math.max(start[i], bottom))) - box.y;
    const style = (live[box.record] === 1 ? palette.hatched : palette.boxes)[tone[box.record]];
    if (style !== last) {
      context.fillStyle = style;
      last = style;
    }
    // A gap of a pixel separates neighbours if they are large enough; each box has at least a pixel.
    const across = box.width > 4 && end[i] < right ? 1 : 0;
    const upwards = box.height > 4 && stop[i] < top ? 1 : 0;
    context.fillRect(box.x, box.y + upwards, Math.max(1, box.width - across), Math.max(1, box.height - upwards));
    if (box.width > leastRoom && box.height > leastRoom && named.length < mostNames) {
      named.push(box);
    }
  }
  return named;
};

/*
 * Paints names, horizontally, or upwards in a tall box. A border in the colour of the box separates a name from the lines below.
 */
const paintNames = (context, named, tone, names, palette) => {
  context.font = `${palette.text}px ${fonts}`;
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.lineJoin = "round";
  context.lineWidth = 4;
  const em = context.measureText("x").width;
  const roomOf = (pixels) => Math.floor((pixels - 8) / em);
  for (const { record, x, y, width, height } of named) {
    const name = names[record];
    const upwards = height > width && roomOf(width) < name.length;
    const along = upwards ? height : width;
    const room = roomOf(along);
    if (room < Math.min(7, name.length)) {
      continue;
    }
    const text = fittingName(name, room);
    context.strokeStyle = palette.boxes[tone[record]];
    context.fillStyle = palette.inks[tone[record]];
    context.save();
    context.translate(x + width / 2, y + height / 2);
    context.rotate(upwards ? -Math.PI / 2 : 0);
    context.strokeText(text, 0, 0, along - 4);
    context.fillText(text, 0, 0, along - 4);
    context.restore();
  }
};

/* The ends of a name around an ellipsis. Three quarters are of the end, which has the number of a layer. */
const fittingName = (name, room) => {
  const all = [...name];
  const start = Math.floor((room - 1) / 4);
  return all.length <= room ? name : `${all.slice(0, start).join("")}…${all.slice(all.length - room + 1 + start).join("")}`;
};
