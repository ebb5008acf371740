/*
 * The rectangles of the map, written into an image. A million rectangles take less than 0.1 s so, where the
 * drawing functions of a canvas take seconds. A second image has the record at each pixel.
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
        records: new Int32Array(canvas.width * canvas.height),
      };
    }
    raster.pixels.fill(0);
    raster.records.fill(-1);
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
        const record = raster.records[py * raster.width + px];
        if (record >= 0) {
          return record;
        }
      }
    }
    return -1;
  };

  return {
    canvas,
    resize,
    recordAt,
    show: () => context.putImageData(image, 0, 0),
  };
};

/*
 * Parts are rectangles as columns: {record, first, end, low, high, slack}, with bytes relative to the start of
 * the record. This returns them in the order of painting: the largest first, so that small ones stay visible.
 */
const inPaintingOrder = (parts) => {
  const count = parts.record.length;
  const size = new Float64Array(count);
  for (let i = 0; i < count; i++) {
    size[i] = parts.slack?.[i] ? Number.MAX_VALUE : parts.high[i] - parts.low[i];
  }
  const order = Uint32Array.from(size.keys()).sort((a, b) => size[b] - size[a] || a - b);
  const column = (values) => Float64Array.from(order, (i) => values[i]);
  return {
    count,
    record: Int32Array.from(order, (i) => parts.record[i]),
    first: column(parts.first),
    end: column(parts.end),
    low: column(parts.low),
    high: column(parts.high),
    slack: Uint8Array.from(order, (i) => parts.slack?.[i] ?? 0),
  };
};

const mostNames = 600;

/*
 * Paints boxes and returns those into which a name may fit, the largest first. "tone" has the tone of each
 * record, "live" tells which are live at the moment, "address" where each starts.
 */
const paintBoxes = (raster, scale, boxes, { address, tone, live }, palette, ratio) => {
  const { width, height, pixels, records } = raster;
  const { left, right, bottom, top, perStep, perByte } = scale;
  const { count, record, first, end, low, high, slack } = boxes;
  const named = [];
  const leastRoom = 13 * ratio;
  for (let i = 0; i < count; i++) {
    const from = first[i];
    const to = end[i];
    if (to <= left || from >= right) {
      continue;
    }
    const owner = record[i];
    const start = address[owner] + low[i];
    const stop = address[owner] + high[i];
    if (stop <= bottom || start >= top) {
      continue;
    }
    let x0 = Math.round((from - left) * perStep);
    let x1 = Math.round((to - left) * perStep);
    let y0 = height - Math.round((stop - bottom) * perByte);
    let y1 = height - Math.round((start - bottom) * perByte);
    // A gap of a pixel separates neighbours if they are large enough; each box has at least a pixel.
    if (x1 - x0 > 4) {
      x1--;
    } else if (x1 === x0) {
      x1++;
    }
    if (y1 - y0 > 4) {
      y0++;
    } else if (y1 === y0) {
      y0--;
    }
    x0 = Math.max(0, x0);
    y0 = Math.max(0, y0);
    x1 = Math.min(width, x1);
    y1 = Math.min(height, y1);
    const shade = slack[i] === 1 ? tones.slack : tone[owner];
    const colour = palette.pixels[shade];
    if (x1 - x0 === 1) {
      for (let at = y0 * width + x0; at < y1 * width; at += width) {
        pixels[at] = colour;
        records[at] = owner;
      }
    } else {
      for (let row = y0 * width; row < y1 * width; row += width) {
        pixels.fill(colour, row + x0, row + x1);
        records.fill(owner, row + x0, row + x1);
      }
    }
    const w = x1 - x0;
    const h = y1 - y0;
    if (live[owner] === 1 && slack[i] === 0 && w >= 6 && h >= 6) {
      hatch(raster, x0, y0, x1, y1, palette.hatched[shade], Math.round(7 * ratio));
    }
    if (w > leastRoom && h > leastRoom && slack[i] === 0 && named.length < mostNames) {
      named.push({ record: owner, tone: shade, x: x0, y: y0, width: w, height: h });
    }
  }
  return named;
};

const hatch = ({ width, pixels }, x0, y0, x1, y1, colour, distance) => {
  for (let y = y0; y < y1; y++) {
    const past = (x0 + y) % distance;
    for (let x = past === 0 ? x0 : x0 + distance - past; x < x1; x += distance) {
      pixels[y * width + x] = colour;
    }
  }
};

/* Paints a rectangle that belongs to no record, such as reserved memory. */
const paintRange = (raster, scale, from, to, start, stop, colour) => {
  const { width, height, pixels } = raster;
  const x0 = Math.max(0, Math.round((from - scale.left) * scale.perStep));
  const x1 = Math.min(width, Math.round((to - scale.left) * scale.perStep));
  const y0 = Math.max(0, height - Math.round((stop - scale.bottom) * scale.perByte));
  const y1 = Math.min(height, height - Math.round((start - scale.bottom) * scale.perByte));
  if (x1 > x0) {
    for (let row = y0 * width; row < y1 * width; row += width) {
      pixels.fill(colour, row + x0, row + x1);
    }
  }
};
