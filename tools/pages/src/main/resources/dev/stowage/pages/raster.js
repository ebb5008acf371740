/*
 * The rectangles of the map, written into an image. A million rectangles take less than 0.1 s so, where the
 * drawing functions of a canvas take seconds. First each pixel gets the record there, and then its colour, so that other
 * colours need only the second step.
 *
 * A scale maps positions and bytes to pixels: {left, right, bottom, top} are the ends of the visible ranges,
 * {perStep, perByte} are pixels. Steps are tasks or events; y grows downwards.
 */
const rasterOf = () => {
  const canvas = sizedCanvas(1, 1);
  let context;
  let image;
  let raster;

  const resize = (width, height) => {
    if (!raster || raster.width !== width || raster.height !== height) {
      canvas.width = Math.max(1, width);
      canvas.height = Math.max(1, height);
      context = canvas.getContext("2d");
      image = context.createImageData(canvas.width, canvas.height);
      raster = {
        width: canvas.width,
        height: canvas.height,
        pixels: new Uint32Array(image.data.buffer),
        owners: new Int32Array(canvas.width * canvas.height),
      };
    }
    raster.pixels.fill(0);
    raster.owners.fill(-1);
    return raster;
  };

  /* The record within a pixel of a point, the nearest first; -1 if there is none. */
  const recordAt = (x, y) => {
    if (!raster) {
      return -1;
    }
    for (const [dx, dy] of [[0, 0], [0, -1], [0, 1], [-1, 0], [1, 0], [-1, -1], [1, -1], [-1, 1], [1, 1]]) {
      const px = Math.floor(x) + dx;
      const py = Math.floor(y) + dy;
      if (px >= 0 && py >= 0 && px < raster.width && py < raster.height) {
        const owner = raster.owners[py * raster.width + px];
        if (owner >= 0) {
          return owner;
        }
      }
    }
    return -1;
  };

  return {
    canvas,
    resize,
    get: () => raster,
    recordAt,
    show: () => context.putImageData(image, 0, 0),
  };
};

/*
 * Parts are rectangles as columns: {record, first, end, low, high}, with bytes relative to the start of the record. This
 * returns them in the order of painting: the largest first, so that small ones stay visible.
 */
const inPaintingOrder = ({ record, first, end, low, high }) => {
  const order = Uint32Array.from(record.keys()).sort((a, b) => high[b] - low[b] - high[a] + low[a] || a - b);
  const sorted = (values) => Float64Array.from(order, (i) => values[i]);
  return { record: Int32Array.from(order, (i) => record[i]), first: sorted(first), end: sorted(end), low: sorted(low), high: sorted(high) };
};

/* The first and the last byte of each box: {start, stop}, half-open. Columns in the order of painting are read without gaps. */
const placedBoxes = ({ record, low, high }, address) => ({
  start: low.map((byte, i) => address[record[i]] + byte),
  stop: high.map((byte, i) => address[record[i]] + byte),
});

const mostNames = 600;

/*
 * Writes the record of each pixel. It returns the boxes into which a name may fit, the largest first. "start" and "stop" are the
 * bytes of each box.
 */
const placeBoxes = (raster, scale, boxes, { start, stop }, leastRoom) => {
  const { width, height, owners } = raster;
  const { left, right, bottom, top, perStep, perByte } = scale;
  const { record, first, end } = boxes;
  const named = [];
  for (let i = 0; i < record.length; i++) {
    const from = first[i];
    const to = end[i];
    const low = start[i];
    const high = stop[i];
    if (to <= left || from >= right || high <= bottom || low >= top) {
      continue;
    }
    let x0 = from <= left ? 0 : ((from - left) * perStep + 0.5) | 0;
    let x1 = to >= right ? width : ((to - left) * perStep + 0.5) | 0;
    let y0 = high >= top ? 0 : height - (((high - bottom) * perByte + 0.5) | 0);
    let y1 = low <= bottom ? height : height - (((low - bottom) * perByte + 0.5) | 0);
    // A gap of a pixel separates neighbours if they are large enough; each box has at least a pixel.
    if (x1 - x0 > 4) {
      x1 -= to < right ? 1 : 0;
    } else if (x1 === x0) {
      x0 -= x0 === width ? 1 : 0;
      x1 = x0 + 1;
    }
    if (y1 - y0 > 4) {
      y0 += high < top ? 1 : 0;
    } else if (y1 === y0) {
      y1 += y1 === 0 ? 1 : 0;
      y0 = y1 - 1;
    }
    const owner = record[i];
    const w = x1 - x0;
    const past = y1 * width;
    if (w < 16) {
      for (let row = y0 * width; row < past; row += width) {
        for (let at = row + x0; at < row + x1; at++) {
          owners[at] = owner;
        }
      }
    } else {
      for (let row = y0 * width; row < past; row += width) {
        owners.fill(owner, row + x0, row + x1);
      }
    }
    const h = y1 - y0;
    if (w > leastRoom && h > leastRoom && named.length < mostNames) {
      named.push({ record: record[i], x: x0, y: y0, width: w, height: h });
    }
  }
  return named;
};

/*
 * Colours the pixels that have an owner, by the tone of each record. Records that are live at the moment have
 * diagonal lines, which show them without colour.
 */
const colourPixels = ({ width, height, pixels, owners }, { tone, live }, { pixels: colours, hatched }, ratio) => {
  const distance = Math.round(7 * ratio);
  let last = -1;
  let colour = 0;
  let line = 0;
  for (let y = 0, at = 0; y < height; y++) {
    let past = y % distance;
    for (let x = 0; x < width; x++, at++) {
      const owner = owners[at];
      if (owner >= 0) {
        if (owner !== last) {
          last = owner;
          colour = colours[tone[owner]];
          line = live[owner] === 1 ? hatched[tone[owner]] : colour;
        }
        pixels[at] = past === 0 ? line : colour;
      }
      past = past === distance - 1 ? 0 : past + 1;
    }
  }
};

/* Paints a rectangle that belongs to no record, such as reserved memory. */
const paintRange = ({ width, height, pixels }, scale, from, to, start, stop, colour) => {
  const x0 = Math.max(0, Math.round((from - scale.left) * scale.perStep));
  const x1 = Math.min(width, Math.round((to - scale.left) * scale.perStep));
  const y0 = Math.max(0, height - Math.round((stop - scale.bottom) * scale.perByte));
  const y1 = Math.min(height, height - Math.round((start - scale.bottom) * scale.perByte));
  for (let row = y0; row < y1 && x1 > x0; row++) {
    pixels.fill(colour, row * width + x0, row * width + x1);
  }
};
