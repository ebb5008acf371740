/*
 * The rectangles, painted on a canvas that the chart shows as one image. 60,000 rectangles take
 * milliseconds with fillRect, and seconds as objects of the chart. This file therefore also finds the
 * rectangle at a point, by a scan of the columns. Names are another image, above the lines.
 *
 * Steps are the horizontal unit, tasks or events; their ranges are half-open. A scale maps to pixels:
 * {x, perStep, y, perByte, start}, where start is the step at x, and y grows downwards.
 */
const sizedContext = (canvas, area) => {
  const ratio = window.devicePixelRatio || 1;
  canvas.width = Math.max(1, Math.round(area.width * ratio));
  canvas.height = Math.max(1, Math.round(area.height * ratio));
  return canvas.getContext("2d");
};

/* Maps steps and bytes to pixels of a canvas. */
const pixelsOf = (area, scale) => {
  const ratio = window.devicePixelRatio || 1;
  const left = (scale.x - area.x) * ratio;
  const bottom = (scale.y - area.y) * ratio;
  return {
    ratio,
    x: (step) => Math.round(left + (step - scale.start) * scale.perStep * ratio),
    y: (byte) => Math.round(bottom - byte * scale.perByte * ratio),
  };
};

/* Shades of a colour, from small to large tensors, in equal steps of the logarithm. */
const levels = 5;
const levelsOf = (bytes) => {
  let least = Infinity;
  let most = 0;
  for (const b of bytes) {
    if (b > 0) {
      least = Math.min(least, b);
      most = Math.max(most, b);
    }
  }
  const span = Math.log(most / least);
  return (b) =>
    span > 0 ? Math.min(levels - 1, Math.floor((levels * Math.log(b / least)) / span)) : 2;
};


/*
 * The shade of a record: orange if it is live at the peak, else blue. These are the first colours of
 * the boxes of a palette.
 */
const shadesOf = (bytes, isAtPeak) => {
  const level = levelsOf(bytes);
  return (record) => level(bytes[record]) + (isAtPeak(record) ? levels : 0);
};

/*
 * Parts are rectangles as columns: {record, first, end, start, stop}, with bytes relative to the start
 * of the record. Boxes are parts in the order of painting, the largest first, so that small ones stay
 * visible.
 */
const boxesOf = (parts, largenessOf, colourOf) => {
  const order = [...parts.record.keys()];
  const largeness = Float64Array.from(order, largenessOf);
  order.sort((a, b) => largeness[b] - largeness[a] || a - b);
  const column = (values) => Float64Array.from(order, (i) => values[i]);
  return {
    count: order.length,
    record: Int32Array.from(order, (i) => parts.record[i]),
    first: column(parts.first),
    end: column(parts.end),
    start: column(parts.start),
    stop: column(parts.stop),
    colour: Uint8Array.from(order, colourOf),
  };
};

/* Returns the boxes into which a name may fit, the largest first; a name needs a colour with an ink. */
const paintBoxes = (context, pixels, boxes, offsets, palette) => {
  const { count, record, first, end, start, stop, colour } = boxes;
  const { ratio, x, y } = pixels;
  const { width: canvasWidth, height: canvasHeight } = context.canvas;
  const named = [];
  let painted = -1;
  for (let i = 0; i < count; i++) {
    const x0 = x(first[i]);
    const x1 = x(end[i]);
    const offset = offsets[record[i]];
    const y0 = y(offset + stop[i]);
    const y1 = y(offset + start[i]);
    if (x1 < 0 || x0 > canvasWidth || y1 < 0 || y0 > canvasHeight) {
      continue;
    }
    if (colour[i] !== painted) {
      painted = colour[i];
      context.fillStyle = palette.boxes[painted];
    }
    // A gap of a pixel separates neighbours if they are large enough; each box has at least a pixel.
    const width = x1 - x0 > 4 ? x1 - x0 - 1 : Math.max(1, x1 - x0);
    const height = y1 - y0 > 4 ? y1 - y0 - 1 : Math.max(1, y1 - y0);
    context.fillRect(x0, y1 - height, width, height);
    const hasRoom = width > 13 * ratio && height > 13 * ratio;
    if (hasRoom && painted < palette.inks.length && named.length < 600) {
      const left = Math.max(0, x0);
      const top = Math.max(0, y0);
      named.push({
        box: i,
        x: left,
        y: top,
        width: Math.min(x0 + width, canvasWidth) - left,
        height: Math.min(y1, canvasHeight) - top,
      });
    }
  }
  return named;
};

/*
 * A name is horizontal, or vertical in a tall box. A border in the colour of the box separates it from
 * the lines below.
 */
const paintNames = (context, boxes, names, named, palette) => {
  const ratio = window.devicePixelRatio || 1;
  context.font = `${11 * ratio}px system-ui, -apple-system, "Segoe UI", Arial, sans-serif`;
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.lineJoin = "round";
  context.lineWidth = 4 * ratio;
  const em = context.measureText("x").width;
  for (const { box, x, y, width, height } of named) {
    const upwards = height > width && width < 60 * ratio;
    const across = upwards ? width : height;
    const room = Math.floor(((upwards ? height : width) - 8 * ratio) / em);
    const name = names[boxes.record[box]];
    if (across < 13 * ratio || room < Math.min(7, name.length)) {
      continue;
    }
    const text = fittingName(name, room);
    const most = (upwards ? height : width) - 4 * ratio;
    context.strokeStyle = palette.boxes[boxes.colour[box]];
    context.fillStyle = palette.inks[boxes.colour[box]];
    context.save();
    context.translate(x + width / 2, y + height / 2);
    if (upwards) {
      context.rotate(-Math.PI / 2);
    }
    context.strokeText(text, 0, 0, most);
    context.fillText(text, 0, 0, most);
    context.restore();
  }
};

/*
 * The cut removes the piece with the fewest digits, and of those the one nearest to the middle, so that
 * names that differ only in the number of a layer stay different.
 */
const fittingName = (name, room) => {
  const all = [...name];
  if (all.length <= room) {
    return name;
  }
  const cut = all.length - room + 1;
  const last = all.length - cut;
  const digit = (i) => (all[i] >= "0" && all[i] <= "9" ? 1 : 0);
  let digits = 0;
  for (let i = 0; i < cut; i++) {
    digits += digit(i);
  }
  let best = 0;
  let fewest = digits;
  for (let from = 1; from <= last; from++) {
    digits += digit(from + cut - 1) - digit(from - 1);
    const isNearer = Math.abs(2 * from - last) < Math.abs(2 * best - last);
    if (digits < fewest || (digits === fewest && isNearer)) {
      best = from;
      fewest = digits;
    }
  }
  return `${all.slice(0, best).join("")}…${all.slice(best + cut).join("")}`;
};

/*
 * The record at a step and byte, or -1. A rectangle smaller than a pixel is painted as a pixel. If no
 * rectangle is at the point, the nearest one within a pixel is.
 */
const recordAt = (boxes, offsets, scale, step, byte) => {
  const { count, record, first, end, start, stop } = boxes;
  let nearest = -1;
  let least = 1.5;
  for (let i = 0; i < count; i++) {
    const offset = offsets[record[i]];
    const stepsOff = Math.max(first[i] - step, step - end[i], 0);
    const bytesOff = Math.max(offset + start[i] - byte, byte - offset - stop[i], 0);
    const off = Math.max(stepsOff * scale.perStep, bytesOff * scale.perByte);
    if (off < least) {
      if (step >= first[i] && step < end[i] && bytesOff === 0 && byte < offset + stop[i]) {
        return record[i];
      }
      least = off;
      nearest = record[i];
    }
  }
  return nearest;
};
