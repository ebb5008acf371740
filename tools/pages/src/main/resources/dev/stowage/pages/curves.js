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
const mostOf = ({ max }) => d3.max(max) ?? 0;

/*
 * A curve as columns of pixels: the first one of each step, and the next one after it, with the smallest and the
 * largest value of the steps that start there, and the first value and the range of the last step. A million steps have at most as many
 * columns as the area has pixels. "position" has the position of each step on the axis, "stop" is the end of the last.
 */
const columnsOf = ({ min, max }, position, stop, x, area) => {
  const most = Math.max(0, Math.ceil(area.width) + 2);
  const count = position.length;
  const right = area.x + area.width;
  const { from, factor, first } = x;
  const pixelAt = (at) => Math.min(right, Math.max(area.x, Math.round(first + (at - from) * factor)));
  const columns = {
    count: 0,
    x0: new Int32Array(most),
    x1: new Int32Array(most),
    low: new Float64Array(most),
    high: new Float64Array(most),
    start: new Float64Array(most),
    end: new Float64Array(most),
    endHigh: new Float64Array(most),
  };
  const { x0, x1, low, high, start, end, endHigh } = columns;
  let last = -1;
  const visible = x.invert(right);
  for (let i = Math.max(0, d3.bisectRight(position, x.invert(area.x)) - 1); i < count && position[i] < visible; i++) {
    const left = pixelAt(position[i]);
    if (last < 0 || x0[last] !== left) {
      last++;
      x0[last] = left;
      x1[last] = left;
      low[last] = min[i];
      high[last] = max[i];
      start[last] = min[i];
    } else {
      low[last] = Math.min(low[last], min[i]);
      high[last] = Math.max(high[last], max[i]);
    }
    end[last] = min[i];
    endHigh[last] = max[i];
    x1[last] = pixelAt(i + 1 < count ? position[i + 1] : stop);
  }
  columns.count = last + 1;
  return columns;
};

/*
 * Paints a curve into an area. Each column of pixels has a line from its smallest to its largest value; "dashes" are
 * the pixels of a dash and of a gap in horizontal lines.
 */
const paintCurve = (context, area, curve, position, stop, x, y, { colour, thickness, fill, dashes }) => {
  const bottom = area.y + area.height;
  const within = (value) => Math.min(Math.max(y(value), area.y - thickness), bottom + thickness);
  const { count, x0, x1, low, high, start, end, endHigh } = columnsOf(curve, position, stop, x, area);
  const across = (from, to, at) => {
    if (!dashes) {
      context.fillRect(from, at, Math.max(1, to - from), thickness);
      return;
    }
    const [dash, gap] = dashes;
    for (let left = from - (from % (dash + gap)); left < Math.max(to, from + 1); left += dash + gap) {
      const right = Math.min(left + dash, Math.max(to, from + 1));
      if (right > from) {
        context.fillRect(Math.max(left, from), at, right - Math.max(left, from), thickness);
      }
    }
  };
  if (fill) {
    context.fillStyle = fill;
    for (let i = 0; i < count; i++) {
      const top = within(high[i]);
      context.fillRect(x0[i], top, Math.max(1, x1[i] - x0[i]), bottom - top);
    }
  }
  context.fillStyle = colour;
  for (let i = 0; i < count; i++) {
    if (high[i] > low[i]) {
      const top = within(high[i]);
      context.fillRect(x0[i], top, thickness, within(low[i]) - top + thickness);
    }
    if (endHigh[i] > end[i]) {
      const top = within(endHigh[i]); // a group of steps has its range over all of them
      context.fillRect(x0[i], top, Math.max(1, x1[i] - x0[i]), within(end[i]) - top + thickness);
    } else {
      across(x0[i], x1[i], within(end[i]));
    }
    if (i > 0) {
      const before = within(end[i - 1]);
      const now = within(start[i]);
      context.fillRect(x0[i], Math.min(before, now), thickness, Math.abs(now - before) + thickness);
    }
  }
};
