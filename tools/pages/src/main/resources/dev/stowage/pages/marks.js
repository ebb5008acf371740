/* Marks on the map: peaks, failed requests, the moment, outlines. They differ by their shapes, not only by colour. */

/*
 * A triangle above each peak. A range of steps has a bar as wide as the range. Of peaks that are nearer to each other
 * than their triangles are wide, the first one is drawn.
 */
const paintPeaks = (context, area, peaks, pixelOf, palette) => {
  const half = palette.text * 0.45;
  const right = area.x + area.width;
  let free = -Infinity;
  context.fillStyle = palette.load;
  context.beginPath();
  for (const [first, last] of peaks) {
    const from = pixelOf(first);
    const to = pixelOf(last + 1);
    if (to < area.x || from > right) {
      continue;
    }
    const [a, b] = [Math.max(from, area.x), Math.min(to, right)];
    if (b - a > 4 * half) {
      context.rect(a, area.y - 3, b - a, 2);
    }
    const at = (a + b) / 2;
    if (at > free) {
      context.moveTo(at, area.y);
      context.lineTo(at - half, area.y - 1.8 * half);
      context.lineTo(at + half, area.y - 1.8 * half);
      context.closePath();
      free = at + half;
    }
  }
  context.fill();
};

/* A cross at the upper edge for each failed request, at most one for each pixel. */
const paintFailures = (context, area, steps, pixelOf, palette) => {
  context.strokeStyle = palette.failed;
  context.lineWidth = 2;
  context.beginPath();
  let last = -Infinity;
  for (const step of steps) {
    const at = Math.round(pixelOf(step + 0.5));
    if (at > last && at >= area.x && at <= area.x + area.width) {
      context.moveTo(at - 4, area.y + 1);
      context.lineTo(at + 4, area.y + 9);
      context.moveTo(at + 4, area.y + 1);
      context.lineTo(at - 4, area.y + 9);
      last = at;
    }
  }
  context.stroke();
};

/* A dashed line through the map and the curves. */
const paintMoment = (context, area, bottom, at, palette) => {
  if (at < area.x - 0.5 || at > area.x + area.width + 0.5) {
    return;
  }
  context.strokeStyle = palette.ink;
  context.lineWidth = 1.5;
  context.setLineDash([5, 3]);
  context.beginPath();
  context.moveTo(at, area.y);
  context.lineTo(at, bottom);
  context.stroke();
  context.setLineDash([]);
};

/* An outline in the colour of the focus, between lines in the colour of the ground. */
const paintOutline = (context, { left, top, width, height }, thickness, palette) => {
  for (const [lineWidth, colour] of [[thickness + 2, palette.ground], [thickness, palette.focus]]) {
    context.lineWidth = lineWidth;
    context.strokeStyle = colour;
    context.strokeRect(left - 1, top - 1, width + 1, height + 1);
  }
};
