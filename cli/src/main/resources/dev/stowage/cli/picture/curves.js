/*
 * A curve has a range of values from each step of a list until the next one: {event, min, max}. The range is
 * one value, unless the steps of a long trace were merged into groups.
 */
const rangeAt = ({ event, min, max }, at) => {
  const i = d3.bisectRight(event, at) - 1;
  return i < 0
    ? { first: 0, last: event.length > 0 ? event[0] - 1 : Infinity, min: 0, max: 0 }
    : {
        first: event[i],
        last: i + 1 < event.length ? event[i + 1] - 1 : Infinity,
        min: min[i],
        max: max[i],
      };
};

/* The largest value of a curve. */
const mostOf = ({ max }) => max.reduce((a, b) => Math.max(a, b), 0);

/*
 * Paints a curve into an area with one vertical line for each column of pixels, from the smallest to the largest
 * value there, so that a million steps are as fast as a thousand. "x" and "y" map to pixels; "position" has the
 * position of each step on the axis.
 */
const paintCurve = (context, area, curve, position, stop, x, y, { colour, thickness, fill }) => {
  const { min, max } = curve;
  const count = position.length;
  const right = area.x + area.width;
  const bottom = area.y + area.height;
  const within = (value) => Math.min(Math.max(value, area.y - thickness), bottom + thickness);
  const columns = [];
  let last = -1;
  let i = Math.max(0, d3.bisectRight(position, x.invert(area.x)) - 1);
  for (; i < count; i++) {
    const x0 = Math.max(area.x, Math.round(x(position[i])));
    if (x0 >= right) {
      break;
    }
    const x1 = Math.min(right, Math.round(x(i + 1 < count ? position[i + 1] : stop)));
    if (x1 < area.x) {
      continue;
    }
    let low = min[i];
    let high = max[i];
    const column = columns[last];
    if (column && column.x0 === x0) {
      column.low = Math.min(column.low, low);
      column.high = Math.max(column.high, high);
      column.end = min[i];
      column.x1 = Math.max(column.x1, x1);
      continue;
    }
    columns.push({ x0, x1, low, high, start: low, end: low });
    last++;
  }
  if (fill) {
    context.fillStyle = fill;
    for (const { x0, x1, high } of columns) {
      const y0 = within(y(high));
      context.fillRect(x0, y0, Math.max(1, x1 - x0), bottom - y0);
    }
  }
  context.fillStyle = colour;
  let before;
  for (const column of columns) {
    const y0 = within(y(column.high));
    const y1 = within(y(column.low));
    const isGroup = column.high > column.low && column.x1 - column.x0 > 1;
    const single = column.high === column.low || isGroup;
    context.fillRect(column.x0, y0, single ? Math.max(1, column.x1 - column.x0) : thickness, y1 - y0 + thickness);
    if (!single) {
      const yEnd = within(y(column.end));
      context.fillRect(column.x0, yEnd, Math.max(1, column.x1 - column.x0), thickness);
    }
    if (before !== undefined) {
      const from = within(y(before));
      const to = within(y(column.start));
      context.fillRect(column.x0, Math.min(from, to), thickness, Math.abs(to - from) + thickness);
    }
    before = column.end;
  }
};
