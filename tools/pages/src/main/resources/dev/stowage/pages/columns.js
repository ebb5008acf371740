/*
 * Columns of data. A column is {count, data}, where the data is base64 of a raw deflate stream: of numbers as
 * differences to the previous number (zigzag, then 7 bits a byte, the lowest first), or of texts as a JSON array.
 */
const inflated = async (data) => {
  const packed = atob(data);
  const bytes = new Uint8Array(packed.length);
  for (let i = 0; i < packed.length; i++) {
    bytes[i] = packed.charCodeAt(i);
  }
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
};

/* Numbers up to 2^53 in size are exact. Most differences have less than 28 bits. */
const numbersOf = async ({ count, data }) => {
  const bytes = await inflated(data);
  const values = new Float64Array(count);
  let at = 0;
  let value = 0;
  for (let i = 0; i < count; i++) {
    let byte = bytes[at++];
    let zigzag = byte & 127;
    for (let bits = 7; byte >= 128 && bits < 28; bits += 7) {
      byte = bytes[at++];
      zigzag |= (byte & 127) << bits;
    }
    if (byte < 128) {
      value += (zigzag >>> 1) ^ -(zigzag & 1);
    } else {
      for (let unit = 2 ** 28; byte >= 128; unit *= 128) {
        byte = bytes[at++];
        zigzag += (byte & 127) * unit;
      }
      value += zigzag % 2 === 0 ? zigzag / 2 : -(zigzag + 1) / 2;
    }
    values[i] = value;
  }
  return values;
};

const textsOf = async ({ data }) => JSON.parse(new TextDecoder().decode(await inflated(data)));

/*
 * Replaces all columns within a value by their contents. "numbers" and "texts" name the kind of a column, so
 * that no other object is mistaken for one.
 */
const decoded = async (value) => {
  if (value === null || typeof value !== "object") {
    return value;
  }
  if (value.column === "numbers") {
    return numbersOf(value);
  }
  if (value.column === "texts") {
    return textsOf(value);
  }
  if (Array.isArray(value)) {
    return Promise.all(value.map(decoded));
  }
  const entries = Object.entries(value).map(async ([name, inner]) => [name, await decoded(inner)]);
  return Object.fromEntries(await Promise.all(entries));
};

const unreadableText = ({ message }) =>
  `This browser cannot read the data of the page (${message}). Chrome 103, Firefox 113, Safari 16.4 and later can.`;
