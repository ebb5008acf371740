/*
 * A search for records: words, each a part of a name or of a group, and comparisons of bytes, such as bytes>1MiB, with the units
 * KiB, MiB and GiB or k, m, g. All terms must match. Returns a Uint8Array with 1 for each record that matches.
 */
const matchesOfQuery = (model, text) => {
  const words = text.toLowerCase().split(/\s+/u).filter((word) => word !== "");
  const tests = words.map((word) => bytesTest(model, word) ?? textTest(model, word));
  return Uint8Array.from(model.bytes, (_, i) => (tests.every((test) => test(i)) ? 1 : 0));
};

const bytesTest = ({ weights, bytes }, word) => {
  const [, sign, digits, unit] = /^bytes([<>])([\d.,]+)([kmg]?)(?:i?b)?$/u.exec(word) ?? [];
  const value = Number(digits?.replaceAll(",", "")) * 1024 ** " kmg".indexOf(unit || " ");
  const sizes = weights ?? bytes;
  return sign && ((i) => (sign === "<" ? sizes[i] < value : sizes[i] > value));
};

/* Tests the text of each group once. */
const textTest = ({ names, groupings }, word) => {
  const groups = groupings.map(({ keys, of, textOf, hintOf }) => {
    const found = keys.map((_, key) => `${textOf(key)}\n${hintOf(key)}`.toLowerCase().includes(word));
    return (i) => found[of[i]];
  });
  return (i) => names[i].toLowerCase().includes(word) || groups.some((test) => test(i));
};
