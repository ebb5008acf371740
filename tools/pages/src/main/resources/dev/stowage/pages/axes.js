/* A linear scale from a range of values to pixels. */
const scaleOf = (from, to, first, last) => {
  const factor = (last - first) / (to - from || 1);
  const scale = (value) => first + (value - from) * factor;
  scale.invert = (pixel) => from + (pixel - first) / factor;
  return Object.assign(scale, { factor });
};

/* Multiples of 1, 2 or 5 times a power of ten between two ends, with a distance of at least some pixels. */
const ticksOf = (from, to, pixels, distance, leastStep = 0) => {
  const least = Math.max(leastStep, (distance * (to - from)) / pixels);
  const power = 10 ** Math.floor(Math.log10(least));
  const step = [1, 2, 5, 10].find((factor) => factor * power >= least * 0.999999) * power;
  const ticks = [];
  for (let i = Math.ceil(from / step); i * step <= to; i++) {
    ticks.push(Number((i * step).toPrecision(12)));
  }
  return ticks;
};

const fonts = 'system-ui, -apple-system, "Segoe UI", "Helvetica Neue", Arial, sans-serif';

/* Lines and numbers of the vertical axis, left of an area, in a unit. */
const paintUpwards = (context, area, y, [from, to], unit, palette, name) => {
  context.font = `${palette.text}px ${fonts}`;
  context.textAlign = "right";
  context.textBaseline = "middle";
  for (const tick of ticksOf(from / unit.bytes, to / unit.bytes, area.height, 3.1 * palette.text)) {
    const at = Math.round(y(tick * unit.bytes));
    context.fillStyle = palette.rule;
    context.fillRect(area.x, at, area.width, 1);
    context.fillStyle = palette.muted;
    context.fillText(numberText(tick), area.x - 6, at);
  }
  context.save();
  context.translate(palette.text, area.y + area.height / 2);
  context.rotate(-Math.PI / 2);
  context.textAlign = "center";
  context.fillText(name, 0, 0);
  context.restore();
};

/* Numbers of the horizontal axis, below an area. */
const paintAcross = (context, area, x, [from, to], palette, name) => {
  context.font = `${palette.text}px ${fonts}`;
  context.textAlign = "center";
  context.textBaseline = "top";
  context.fillStyle = palette.muted;
  const bottom = area.y + area.height;
  for (const tick of ticksOf(from, to, area.width, 6.4 * palette.text, 1)) {
    const at = Math.round(x(tick));
    context.fillRect(at, bottom, 1, 4);
    context.fillText(numberText(tick), at, bottom + 6);
  }
  context.fillText(name, area.x + area.width / 2, bottom + 8 + 1.2 * palette.text);
};

const paintLine = (context, x0, y0, x1, y1, colour, width, dashes = []) => {
  context.strokeStyle = colour;
  context.lineWidth = width;
  context.setLineDash(dashes);
  context.beginPath();
  context.moveTo(x0, y0);
  context.lineTo(x1, y1);
  context.stroke();
  context.setLineDash([]);
};

/* Lines across an area at numbers of bytes, with labels beside it. */
const paintLines = (context, area, y, lines, palette) => {
  const leading = palette.text * 1.2;
  const visible = lines
    .map((line) => ({ ...line, at: y(line.bytes) }))
    .filter(({ at }) => at >= area.y && at <= area.y + area.height)
    .sort((a, b) => a.at - b.at);
  context.font = `600 ${palette.text}px ${fonts}`;
  context.textBaseline = "top";
  context.textAlign = "left";
  let free = area.y - leading;
  visible.forEach(({ name, bytes, at, colour, dashes }) => {
    paintLine(context, area.x, at, area.x + area.width, at, palette[colour], 2, dashes);
    const top = Math.max(free, at - leading);
    context.fillStyle = palette[colour];
    context.fillText(name, area.x + area.width + 6, top);
    context.fillText(humanText(bytes), area.x + area.width + 6, top + leading);
    free = top + 2 * leading + 2;
  });
};

/* Names of ranges of bytes beside an area, where there is space. */
const paintBands = (context, area, y, bands, palette) => {
  const within = (bytes) => Math.min(Math.max(y(bytes), area.y), area.y + area.height);
  context.font = `${palette.text}px ${fonts}`;
  context.textAlign = "left";
  context.textBaseline = "middle";
  context.fillStyle = palette.muted;
  for (const { name, low, high } of bands) {
    const [top, bottom] = [within(high), within(low)];
    if (bottom - top >= 1.2 * palette.text) {
      context.fillText(name, area.x + area.width + 6, (top + bottom) / 2);
    }
  }
};
