/*
 * Steps as columns of pixels: {x0, x1, low, high}, with the range of the values of the steps that start in each. A
 * million steps have at most as many columns as the area has pixels. "stop" is the end of the last step.
 */
const columnsOf = ({ event, max }, stop, x, area) => {
  const right = area.x + area.width;
  const pixelAt = (at) => Math.min(right, Math.max(area.x, Math.round(x(at))));
  const columns = [];
  const visible = x.invert(right);
  for (let i = Math.max(0, indexAbove(event, x.invert(area.x)) - 1); i < event.length && event[i] < visible; i++) {
    const x0 = pixelAt(event[i]);
    const x1 = pixelAt(event[i + 1] ?? stop);
    const last = columns.at(-1);
    if (last?.x0 === x0) {
      Object.assign(last, { x1, low: Math.min(last.low, max[i]), high: Math.max(last.high, max[i]), end: max[i] });
      last.most = max[i] > max[last.most] ? i : last.most;
    } else {
      columns.push({ x0, x1, low: max[i], high: max[i], end: max[i], most: i });
    }
  }
  return columns;
};

/* Paints a curve into an area. Each column of pixels has a line from its smallest to its largest value. */
const paintCurve = (context, area, curve, stop, x, y, colour, thickness) => {
  const within = (value) => Math.min(Math.max(y(value), area.y - thickness), area.y + area.height + thickness) - thickness / 2;
  context.fillStyle = colour;
  let before;
  for (const { x0, x1, low, high, end } of columnsOf(curve, stop, x, area)) {
    const top = within(Math.max(high, before ?? high));
    context.fillRect(x0, top, thickness, within(Math.min(low, before ?? low)) - top + thickness);
    context.fillRect(x0, within(end), Math.max(1, x1 - x0), thickness);
    before = end;
  }
};

/* Parts above each other as a stack: {kinds, sums}, with the sum of the parts up to each part. Parts without bytes are left out. */
const stackOf = ({ parts }) => {
  const kinds = partKinds.filter(({ id }) => parts[id].some((bytes) => bytes > 0));
  const sums = [];
  let below = parts.first.map(() => 0);
  for (const { id } of kinds) {
    below = below.map((bytes, i) => bytes + parts[id][i]);
    sums.push(below);
  }
  return { kinds, sums, curve: { event: parts.first, max: below } };
};

/* Paints a stack. Several columns of data can start in a column of pixels: it shows the one with the most bytes. */
const paintStack = (context, area, { kinds, sums, curve }, stop, x, y, palette) => {
  const level = (bytes) => Math.round(Math.max(area.y, y(bytes)));
  for (const { x0, x1, most } of columnsOf(curve, stop, x, area)) {
    kinds.forEach(({ colour }, k) => {
      const low = level(k === 0 ? 0 : sums[k - 1][most]);
      const high = level(sums[k][most]);
      context.fillStyle = palette[colour];
      context.fillRect(x0, high, Math.max(1, x1 - x0), low - high);
    });
  }
};
