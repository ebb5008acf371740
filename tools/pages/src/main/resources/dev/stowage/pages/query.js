/*
 * A search for records. Words are parts of a name or of a group, and
 *
 *   bytes>1MiB  life<=10  since>=5  until<9  stream=0   compare numbers; units are KiB, MiB, GiB or k, m, g
 *   line:softmax  tag:kv  operator:CONV   restrict a word to one grouping
 *
 * All terms must match. Returns {matches} with 1 for each record, or {error}.
 */
const matchesOfQuery = (model, text) => {
  const tests = [];
  for (const term of text.toLowerCase().split(/\s+/u).filter((word) => word !== "")) {
    const [, name, sign, digits, unit] = /^([a-z]+)(<=|>=|<|>|=)([\d.,]+)([kmgt]?)(?:i?b|bytes?)?$/u.exec(term) ?? [];
    const numberOf = numbersOfSearch(model)[/^([a-z]+)[<>=]/u.exec(term)?.[1]];
    const [, key, word] = /^([a-z]+):(.+)$/u.exec(term) ?? [];
    const grouping = model.groupings.find(({ id }) => id === key);
    const value = Number(digits?.replaceAll(",", "")) * 1024 ** " kmgt".indexOf(unit || " ");
    if (numberOf && Number.isNaN(value)) {
      return { error: `${term} is not a comparison with a number, such as bytes>1MiB` };
    }
    if (name && !numberOf) {
      return { error: `"${name}" is not a number of a ${model.item}: ${Object.keys(numbersOfSearch(model)).join(", ")}` };
    }
    tests.push(numberOf ? comparison(numberOf, sign, value) : grouping ? keysTest(grouping, word) : textTest(model, term));
  }
  return { matches: Uint8Array.from(model.bytes, (_, i) => (tests.every((test) => test(i)) ? 1 : 0)) };
};

const numbersOfSearch = ({ weights, bytes, first, end, data }) => ({
  __proto__: null,
  bytes: (i) => (weights ?? bytes)[i],
  life: (i) => end[i] - first[i],
  since: (i) => first[i],
  until: (i) => end[i] - 1,
  ...(data.stream ? { stream: (i) => data.stream[i] } : {}),
});

const comparison = (of, sign, value) =>
  ({
    "<": (i) => of(i) < value,
    ">": (i) => of(i) > value,
    "<=": (i) => of(i) <= value,
    ">=": (i) => of(i) >= value,
    "=": (i) => of(i) === value,
  })[sign];

/* Tests each key of a grouping once. */
const keysTest = ({ keys, of, textOf, hintOf }, word) => {
  const found = keys.map((_, key) => `${textOf(key)}\n${hintOf(key)}`.toLowerCase().includes(word));
  return (i) => found[of[i]];
};

const textTest = (model, word) => {
  const groups = model.groupings.map((grouping) => keysTest(grouping, word));
  return (i) => model.names[i].toLowerCase().includes(word) || groups.some((test) => test(i));
};
