/*
 * The parts of the reserved memory, as in "replay --explain", from the bottom to the top of their stack. A part is
 * {id, name, ink}: "ink" tells for a point of a tile of 8 × 8 pixels whether its pattern has ink there, so that no part
 * is known by its colour alone.
 */
const partTile = 8;
const partKinds = [
  { id: "requested", name: "requested", ink: () => false },
  { id: "rounding", name: "rounding", ink: (x, y) => x % 4 === 0 && y % 4 === 0 },
  { id: "unsplit_rests", name: "unsplit rests", ink: (x, y) => (x + 8 - y) % 8 < 2 },
  { id: "pending_frees", name: "pending frees", ink: (x, y) => x % 4 === 0 || y % 4 === 0 },
  { id: "holes", name: "holes", ink: (x, y) => (x + y) % 8 < 2 },
  { id: "other_streams", name: "other streams", ink: (x, y) => y % 4 === 0 },
  { id: "private_pools", name: "private pools", ink: (x) => x % 4 === 0 },
  { id: "kept_segments", name: "kept segments", ink: (x, y) => (x % 8 < 2 && y % 8 < 2) || (x % 8 > 3 && x % 8 < 6 && y % 8 > 3 && y % 8 < 6) },
];

/* The colours of a part in a palette: {ground, ink}, each {rgb, css}. */
const partColours = (parse) =>
  Object.fromEntries(
    partKinds.map(({ id }) => {
      const ground = parse(styleOf(`--${id.replaceAll("_", "-")}`));
      const rgb = hatchOf(ground.rgb);
      return [id, { ground, ink: { rgb, css: `rgb(${rgb.join(" ")})` } }];
    }),
  );

/* A tile of a pattern, in pixels of the device. */
const tileOf = ({ id, ink }, palette, ratio) => {
  const side = Math.max(1, Math.round(ratio)) * partTile;
  const canvas = sizedCanvas(side, side);
  const context = canvas.getContext("2d");
  const { ground, ink: line } = palette.parts[id];
  context.fillStyle = ground.css;
  context.fillRect(0, 0, side, side);
  context.fillStyle = line.css;
  const scale = side / partTile;
  for (let y = 0; y < partTile; y++) {
    for (let x = 0; x < partTile; x++) {
      if (ink(x, y)) {
        context.fillRect(x * scale, y * scale, scale, scale);
      }
    }
  }
  return canvas;
};

/* Gives the elements of the page the patterns, as variables of the style. */
const styleParts = (palette) => {
  for (const kind of partKinds) {
    document.documentElement.style.setProperty(`--tile-${kind.id}`, `url(${tileOf(kind, palette, 1).toDataURL()})`);
  }
};

/* The parts with bytes at any time. */
const shownParts = ({ parts }) => partKinds.filter(({ id }) => id === "requested" || parts[id].some((bytes) => bytes > 0));

/* The column that has an event: {first, last, event, stream, bytes, reserved}, with the bytes by the id of a part. */
const columnAt = ({ parts, events }, event) => {
  const i = d3.bisectRight(parts.first, event) - 1;
  if (i < 0) {
    return undefined;
  }
  const bytes = Object.fromEntries(partKinds.map(({ id }) => [id, parts[id][i]]));
  return {
    first: parts.first[i],
    last: i + 1 < parts.first.length ? parts.first[i + 1] - 1 : events,
    event: parts.event[i],
    stream: parts.stream[i],
    bytes,
    reserved: d3.sum(Object.values(bytes)),
  };
};

/* The first column with the most reserved bytes. */
const mostReserved = (data) => {
  const sums = stackOf(data).sums.at(-1);
  return columnAt(data, data.parts.first[sums.indexOf(d3.max(sums))]);
};

/* A sentence if the parts are those after another event than the asked one; "" if they are exact. */
const columnNote = ({ first, last, event }, asked) =>
  event === asked || first === last
    ? ""
    : `Parts after event ${numberText(event)}, which has the most reserved bytes of events ${numberText(first)} to ${numberText(last)}.`;

const partBytesText = (bytes, reserved) => `${humanText(bytes)}, ${percentText(bytes, reserved)}`;

/* The stack of parts as the lowest part of a strip: the sums of the parts up to each one, for each column. */
const stackOf = (data) => {
  const kinds = shownParts(data);
  const sums = [];
  let below = new Float64Array(data.parts.first.length);
  for (const { id } of kinds) {
    below = below.map((bytes, i) => bytes + data.parts[id][i]);
    sums.push(below);
  }
  return { kinds, sums, event: data.parts.first };
};

/*
 * Paints a stack of parts into an area: each column of pixels has the parts of that column of data with the most
 * bytes, of those that start there.
 */
const paintStack = (context, area, { kinds, sums }, position, stop, x, y, palette) => {
  const top = sums.at(-1);
  const count = position.length;
  const ratio = window.devicePixelRatio || 1;
  const right = area.x + area.width;
  const pixelAt = (at) => Math.min(right, Math.max(area.x, Math.round(x(at))));
  const bottom = area.y + area.height;
  const level = (bytes) => Math.round(Math.min(bottom, Math.max(area.y, y(bytes))) * ratio) / ratio;
  const columns = [];
  const visible = x.invert(right);
  for (let i = Math.max(0, d3.bisectRight(position, x.invert(area.x)) - 1); i < count && position[i] < visible; i++) {
    const left = pixelAt(position[i]);
    const end = pixelAt(i + 1 < count ? position[i + 1] : stop);
    const last = columns.at(-1);
    if (last && last.left === left) {
      last.end = Math.max(end, left + 1);
      last.most = top[i] > top[last.most] ? i : last.most;
    } else {
      columns.push({ left, end: Math.max(end, left + 1), most: i });
    }
  }
  kinds.forEach((kind, k) => {
    const pattern = context.createPattern(tileOf(kind, palette, ratio), "repeat");
    pattern.setTransform(new DOMMatrix().scale(1 / ratio));
    context.fillStyle = pattern;
    for (const { left, end, most } of columns) {
      const low = level(k === 0 ? 0 : sums[k - 1][most]);
      const high = level(sums[k][most]);
      if (low > high) {
        context.fillRect(left, high, end - left, low - high);
      }
    }
  });
};

/* A swatch with the colour and the pattern of a part. */
const partSwatch = (id) => {
  const swatch = document.createElement("i");
  swatch.className = `swatch part ${id}`;
  return swatch;
};
