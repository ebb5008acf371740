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
].map(([id, name]) => ({ id, name, colour: id.replaceAll("_", "-") }));

const lineColours = ["ground", "ink", "muted", "rule", "load", "bound", "total", "focus", "failed", "capacity", ...partKinds.map(({ colour }) => colour)];

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
    pixels: Uint32Array.from(boxes, ({ rgb }) => pixelOf(rgb)),
    hatched: Uint32Array.from(boxes, ({ rgb }) => pixelOf(hatchOf(rgb))),
    heldPixel: pixelOf(colourOf("held").rgb),
  };
};

/* Calls a function if the colours of the page change. A printed page has light colours. */
const onColours = (changed) => {
  for (const query of ["(prefers-color-scheme: dark)", "(forced-colors: active)"]) {
    matchMedia(query).addEventListener("change", changed);
  }
  for (const event of ["beforeprint", "afterprint"]) {
    addEventListener(event, () => {
      document.documentElement.classList.toggle("printed", event === "beforeprint");
      changed();
    });
  }
};

/* Reads colours as a browser does, also those of the system. */
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

/* The lines in boxes that are live at the moment. They show them without colour. */
const hatchOf = (rgb) => {
  const to = luminanceOf(rgb) > 0.2 ? 0 : 255;
  return rgb.map((part) => Math.round(part * 0.62 + to * 0.38));
};

/* A pixel of an image, opaque. */
const pixelOf = ([r, g, b]) => ((255 << 24) | (b << 16) | (g << 8) | r) >>> 0;

const sizedCanvas = (width, height) => Object.assign(document.createElement("canvas"), { width, height });

/* The level of each record, in equal steps of the logarithm of its bytes. */
const levelsOf = (bytes) => {
  const least = bytes.reduce((a, b) => (b > 0 ? Math.min(a, b) : a), Infinity);
  const span = Math.log(mostOf(bytes) / least);
  return Uint8Array.from(bytes, (size) =>
    span > 0 && size > 0 ? Math.min(levels - 1, Math.floor((levels * Math.log(size / least)) / span)) : 2,
  );
};
