/*
 * A search for records. Words are parts of a name or of a group, /.../ is a regular expression, and
 *
 *   bytes>1MiB  life<=10  since>=5  until<9  stream=0   compare numbers; units are KiB, MiB, GiB or k, m, g
 *   line:softmax  tag:kv  operator:CONV  layer:block_3  restrict a text to one grouping
 *
 * All terms must match. Quotes keep blanks together. Returns {matches} with 1 for each record, or {error}.
 */
const matchesOfQuery = (model, text) => {
  const tests = [];
  for (const [term, key, quoted, plain] of text.matchAll(/(?:([a-z]+):)?(?:"([^"]*)"|(\S+))/gi)) {
    const grouping = key && model.groupings.find(({ id }) => id === key.toLowerCase());
    const test = grouping
      ? keysTest(grouping, wordOf(quoted ?? plain))
      : quoted !== undefined && !key
        ? textTest(model, wordOf(quoted))
        : termTest(model, term);
    if (typeof test === "string") {
      return { error: test };
    }
    tests.push(test);
  }
  const matches = new Uint8Array(model.count);
  for (let i = 0; i < model.count; i++) {
    matches[i] = tests.every((test) => test(i)) ? 1 : 0;
  }
  return { matches };
};

const termTest = (model, term) => {
  const comparison = /^([a-z]+)(<=|>=|<|>|=)([\d.]+)([kmgt]?)(?:i?b)?$/i.exec(term);
  if (comparison) {
    return comparisonTest(model, ...comparison.slice(1));
  }
  const expression = /^\/(.*)\/i?$/.exec(term);
  if (expression) {
    try {
      const compiled = new RegExp(expression[1], "iu");
      return textTest(model, (text) => compiled.test(text));
    } catch (error) {
      return `${term} is not a regular expression: ${error.message}`;
    }
  }
  return textTest(model, wordOf(term));
};

const wordOf = (word) => {
  const lower = word.toLowerCase();
  return (text) => text.toLowerCase().includes(lower);
};

const numbersOfSearch = (model) => ({
  bytes: (i) => (model.weights ?? model.bytes)[i],
  life: (i) => model.end[i] - model.first[i],
  since: (i) => model.first[i],
  until: (i) => model.end[i] - 1,
  ...(model.data.stream ? { stream: (i) => model.data.stream[i] } : {}),
});

const comparisonTest = (model, name, sign, digits, unit) => {
  const numbers = numbersOfSearch(model);
  const of = numbers[name.toLowerCase()];
  if (!of) {
    return `"${name}" is not a number of a ${model.item}: ${Object.keys(numbers).join(", ")}`;
  }
  const value = Number(digits) * 1024 ** " kmgt".indexOf(unit.toLowerCase() || " ");
  return {
    "<": (i) => of(i) < value,
    ">": (i) => of(i) > value,
    "<=": (i) => of(i) <= value,
    ">=": (i) => of(i) >= value,
    "=": (i) => of(i) === value,
  }[sign];
};

/* Tests each key of a grouping once. */
const keysTest = ({ keys, of, textOf, hintOf }, isMatch) => {
  const found = Uint8Array.from(keys, (_, key) => (isMatch(textOf(key)) || isMatch(hintOf(key)) ? 1 : 0));
  return (i) => found[of[i]] === 1;
};

const textTest = (model, isMatch) => {
  const groups = model.groupings.map((grouping) => keysTest(grouping, isMatch));
  return (i) => isMatch(model.nameOf(i)) || groups.some((test) => test(i));
};
