/* A linear scale from a range of values to pixels. */
const scaleOf = (from, to, first, last) => {
  const factor = (last - first) / (to - from || 1);
  const scale = (value) => first + (value - from) * factor;
  scale.invert = (pixel) => from + (pixel - first) / factor;
  return Object.assign(scale, { from, factor, first });
};

/* Round values between two ends, with a distance of at least some pixels. */
const ticksOf = (from, to, pixels, distance, isWhole) => {
  const ticks = d3.ticks(from, to, Math.max(1, Math.floor(pixels / distance)));
  return isWhole ? ticks.filter(Number.isInteger) : ticks;
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
    context.fillText(numberText(Number(tick.toPrecision(12))), area.x - 6, at);
  }
  context.save();
  context.translate(palette.text, area.y + area.height / 2);
  context.rotate(-Math.PI / 2);
  context.textAlign = "center";
  context.fillText(name, 0, 0);
  context.restore();
};

/* Numbers of the horizontal axis, below an area. */
const paintAcross = (context, area, x, [from, to], palette, name, textOf) => {
  context.font = `${palette.text}px ${fonts}`;
  context.textAlign = "center";
  context.textBaseline = "top";
  const bottom = area.y + area.height;
  let free = area.x - 20;
  for (const tick of ticksOf(from, to, area.width, 6.4 * palette.text, true)) {
    const at = Math.round(x(tick));
    context.fillStyle = palette.muted;
    context.fillRect(at, bottom, 1, 4);
    const text = textOf(tick);
    const half = context.measureText(text).width / 2;
    if (at - half > free) {
      context.fillText(text, at, bottom + 6);
      free = at + half + 8;
    }
  }
  context.fillStyle = palette.muted;
  context.fillText(name, area.x + area.width / 2, bottom + 8 + 1.2 * palette.text);
};

/* Names of steps, upright below an area, if each has enough pixels. Returns false if they have not. */
const paintStepNames = (context, area, x, [from, to], palette, nameOf) => {
  if (x.factor < 1.25 * palette.text) {
    return false;
  }
  context.font = `${palette.text}px ${fonts}`;
  context.fillStyle = palette.muted;
  context.textAlign = "right";
  context.textBaseline = "middle";
  for (let step = Math.floor(from); step < to; step++) {
    const at = x(step + 0.5);
    if (at >= area.x && at < area.x + area.width) {
      context.save();
      context.translate(at, area.y + area.height + 5);
      context.rotate(-Math.PI / 2);
      context.fillText(fittingWidth(context, nameOf(step), 24, 10.4 * palette.text), 0, 0);
      context.restore();
    }
  }
  return true;
};
