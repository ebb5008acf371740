/*
 * Colours of boxes, as tones: indices into the lists of a palette. Tones are shades of blue, from small to large;
 * shades of orange for boxes that are live at the moment; and the tones below.
 */
const levels = 5;
const tones = {
  live: levels, // added to the level of a box
  dimmed: 2 * levels, // boxes that a search does not match
  groups: 2 * levels + 1, // the first of the tones of groups
};
const groupTones = 9; // the last one is that of all other groups

const colourOfKind = (id) => id.replaceAll("_", "-");

/* The parts of the reserved memory, as in "replay --explain", from the bottom to the top of their stack. */
const partKinds = [
  ["requested", "requested"],
  ["rounding", "rounding"],
  ["unsplit_rests", "unsplit rests"],
  ["pending_frees", "pending frees"],
  ["holes", "holes"],
  ["other_streams", "other streams"],
  ["private_pools", "private pools"],
  ["kept_segments", "kept segments"],
].map(([id, name]) => ({ id, name, colour: colourOfKind(id) }));

const lineColours = ["ground", "ink", "muted", "rule", "load", "bound", "total", "focus", "failed", "capacity", "held", ...partKinds.map(({ colour }) => colour)];

const readPalette = () => {
  const style = getComputedStyle(document.documentElement);
  const parse = colourParser();
  const colourOf = (name) => parse(style.getPropertyValue(`--${name}`).trim());
  const shades = (hue, count) => Array.from({ length: count }, (_, i) => colourOf(`${hue}${i}`));
  const boxes = [...shades("blue", levels), ...shades("orange", levels), colourOf("dimmed"), ...shades("group", groupTones)];
  return {
    ...Object.fromEntries(lineColours.map((name) => [name, colourOf(name).css])),
    text: 0.8 * parseFloat(getComputedStyle(document.body).fontSize), // the size of texts on the map
    boxes: boxes.map(({ css }) => css),
    inks: boxes.map(({ rgb }) => (luminanceOf(rgb) > 0.2 ? "#111" : "#fff")),
    hatched: boxes.map(hatchOf),
  };
};

/* Calls a function if the colours of the page change. */
const onColours = (changed) => {
  for (const query of ["(prefers-color-scheme: dark)", "(forced-colors: active)"]) {
    matchMedia(query).addEventListener("change", changed);
  }
};

/* Reads colours as a browser does, also the colours of the system. */
const colourParser = () => {
  const context = sizedCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  return (colour) => {
    context.fillStyle = colour;
    context.fillRect(0, 0, 1, 1);
    const [r, g, b] = context.getImageData(0, 0, 1, 1).data;
    return { rgb: [r, g, b], css: `rgb(${r} ${g} ${b})` };
  };
};

const luminanceOf = (rgb) => {
  const [r, g, b] = rgb.map((part) => (part / 255) ** 2.2);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};

/* The pattern of boxes that are live at the moment. Diagonal lines show them without colour. */
const hatchOf = ({ rgb, css }) => {
  const distance = 7;
  const tile = sizedCanvas(distance, distance);
  const context = tile.getContext("2d");
  context.fillStyle = css;
  context.fillRect(0, 0, distance, distance);
  context.fillStyle = luminanceOf(rgb) > 0.2 ? "rgb(0 0 0 / 38%)" : "rgb(255 255 255 / 38%)";
  for (let i = 0; i < distance; i++) {
    context.fillRect(i, distance - 1 - i, 1, 1);
  }
  return context.createPattern(tile, "repeat");
};

const sizedCanvas = (width, height) => Object.assign(document.createElement("canvas"), { width, height });

/* The level of each record, in equal steps of the logarithm of its bytes. */
const levelsOf = (bytes) => {
  const least = bytes.reduce((a, b) => (b > 0 ? Math.min(a, b) : a), Infinity);
  const span = Math.log(mostOf(bytes) / least);
  return Uint8Array.from(bytes, (size) =>
    span > 0 && size > 0 ? Math.min(levels - 1, Math.floor((levels * Math.log(size / least)) / span)) : 2,
  );
};
