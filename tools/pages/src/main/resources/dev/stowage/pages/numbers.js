/* Texts of numbers and of numbers of bytes. */
const units = ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
const unitFor = (bytes) => {
  let power = 0;
  while (power < units.length - 1 && bytes >= 1024 ** (power + 1)) {
    power++;
  }
  return { name: units[power], bytes: 1024 ** power };
};

const { format: numberText } = new Intl.NumberFormat("en-US", { maximumFractionDigits: 12 });

const humanText = (bytes) => {
  const unit = unitFor(bytes);
  return unit.bytes === 1 ? `${bytes} B` : `${(bytes / unit.bytes).toFixed(3)} ${unit.name}`;
};

const exactText = (bytes) => {
  const exact = bytes === 1 ? "1 byte" : `${numberText(bytes)} bytes`;
  return bytes < 1024 ? exact : `${exact} (${humanText(bytes)})`;
};

const { format: tenthsText } = new Intl.NumberFormat("en-US", {
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
});
const percentText = (part, whole) => `${tenthsText(whole === 0 ? 0 : (100 * part) / whole)} %`;

/* Without the word: 5,746,688 (5.480 MiB). */
const plainText = (bytes) => exactText(bytes).replace(/ bytes?/, "");
