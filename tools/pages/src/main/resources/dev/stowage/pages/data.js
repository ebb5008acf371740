/* Texts of numbers, elements, and the data of a page: JSON as base64 of a raw deflate stream. */
const starts = {}; // the functions that show the data of a kind of maps

const element = (id) => document.getElementById(id);

const node = (name, text, ...children) => {
  const made = document.createElement(name);
  made.append(text, ...children);
  return made;
};

/* A button with names from the input. Their direction of text does not affect the text around the button. */
const buttonOf = (text, act) => {
  const button = node("button", "", node("bdi", text));
  button.type = "button";
  button.addEventListener("click", act);
  return button;
};

/* A text behind a piece of its colour, a variable of the style. */
const swatchOf = (colour, text) => {
  const swatch = node("i", "");
  swatch.className = "swatch small";
  swatch.style.background = `var(--${colour})`;
  return node("span", swatch, node("bdi", text));
};

const units = ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
const unitFor = (bytes) => {
  let power = 0;
  while (power < units.length - 1 && bytes >= 1024 ** (power + 1)) {
    power++;
  }
  return { name: units[power], bytes: 1024 ** power };
};

const { format: numberText } = new Intl.NumberFormat("en-US", { maximumFractionDigits: 12 });

const countText = (count, item) => `${numberText(count)} ${item}${count === 1 ? "" : "s"}`;

const humanText = (bytes) => {
  const unit = unitFor(bytes);
  return unit.bytes === 1 ? `${bytes} B` : `${(bytes / unit.bytes).toFixed(3)} ${unit.name}`;
};

const exactText = (bytes) => countText(bytes, "byte") + (bytes < 1024 ? "" : ` (${humanText(bytes)})`);

const { format: tenthsText } = new Intl.NumberFormat("en-US", {
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
});
const percentText = (part, whole) => `${tenthsText(whole === 0 ? 0 : (100 * part) / whole)} %`;

const dataOf = async () => {
  const packed = Uint8Array.from(atob(element("data").textContent), (letter) => letter.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new Response(stream).json();
};
