/*
 * Colours of boxes, as tones: indices into the lists of a palette. Tones are shades of blue, from small to large;
 * shades of orange for boxes that are live at the moment; and the tones below.
 */
const levels = 5;
const tones = {
  live: levels, // added to the level of a box
  slack: 2 * levels, // bytes of a chunk that were not requested
  dimmed: 2 * levels + 1, // boxes that a search does not match
  groups: 2 * levels + 2, // the first of the tones of groups
};
const groupTones = 9; // the last one is that of all other groups

const styleOf = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

const lineColours = ["ground", "panel", "ink", "muted", "rule", "load", "bound", "total", "focus", "held", "failed", "capacity", "dead", "fragmentation", "layout", ...Array.from({ length: groupTones }, (_, i) => `group${i}`)];

const readPalette = () => {
  const parse = colourParser();
  const lines = Object.fromEntries(lineColours.map((name) => [name, parse(styleOf(`--${name}`)).css]));
  const shades = (hue) => Array.from({ length: levels }, (_, i) => `--${hue}${i}`);
  const groups = Array.from({ length: groupTones }, (_, i) => `--group${i}`);
  const names = [...shades("blue"), ...shades("orange"), "--dead", "--dimmed", ...groups];
  const boxes = names.map((name) => parse(styleOf(name)));
  return {
    ...lines,
    parts: partColours(parse),
    text: 0.8 * parseFloat(getComputedStyle(document.body).fontSize), // the size of texts on the map
    boxes: boxes.map(({ css }) => css),
    inks: boxes.map(({ rgb }) => (luminanceOf(rgb) > 0.2 ? "#111" : "#fff")),
    pixels: Uint32Array.from(boxes, ({ rgb }) => pixelOf(rgb)),
    hatched: Uint32Array.from(boxes, ({ rgb }) => pixelOf(hatchOf(rgb))),
    heldPixel: pixelOf(parse(styleOf("--held")).rgb),
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
    context.clearRect(0, 0, 1, 1);
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

const element = (id) => document.getElementById(id);

const sizedCanvas = (width, height) => {
  const canvas = document.createElement("canvas");
  canvas.width = width;
  canvas.height = height;
  return canvas;
};

/* The level of each record, in equal steps of the logarithm of its bytes. */
const levelsOf = (bytes) => {
  let least = Infinity;
  let most = 0;
  for (const b of bytes) {
    if (b > 0) {
      least = Math.min(least, b);
      most = Math.max(most, b);
    }
  }
  if (!(most > least)) {
    return new Uint8Array(bytes.length).fill(2);
  }
  const limits = Array.from({ length: levels - 1 }, (_, i) => least * (most / least) ** ((i + 1) / levels));
  const level = new Uint8Array(bytes.length);
  for (let i = 0; i < bytes.length; i++) {
    let at = 0;
    while (at < levels - 1 && bytes[i] >= limits[at]) {
      at++;
    }
    level[i] = at;
  }
  return level;
};
