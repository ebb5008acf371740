/*
 * A search for records. Words are parts of a name or of a group, /.../ is a regular expression, and
 *
 *   bytes>1MiB  life<=10  since>=5  until<9  stream=0   compare numbers; units are KiB, MiB, GiB or k, m, g
 *   line:softmax  tag:kv  operator:CONV  layer:/block_\d/   restrict a text to one grouping
 *
 * All terms must match. Quotes keep blanks together. Returns {matches} with 1 for each record, or {error}.
 */
const termsOfSearch =
  /([a-z]+)\s*(<=|>=|<|>|=)\s*([\d.,]+)\s*([kmgt]?)(?:i?b|bytes?)?(?!\S)|(?:([a-z-]+):)?(?:"([^"]*)"|(\/(?:\\.|[^\\/])+\/i?(?!\S)|\S+))/giu;

const matchesOfQuery = (model, text) => {
  const tests = [];
  for (const [term, name, sign, digits, unit, key, quoted, plain] of text.matchAll(termsOfSearch)) {
    const test = name ? comparisonTest(model, name, sign, digits, unit) : termTest(model, term, key, quoted, plain);
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

const termTest = (model, term, key, quoted, plain) => {
  const number = /^([a-z]+)[<>=]/iu.exec(term);
  if (number && numbersOfSearch(model)[number[1].toLowerCase()]) {
    return `${term} is not a comparison with a number, such as bytes>1MiB`;
  }
  const grouping = key && model.groupings.find(({ id }) => id === key.toLowerCase());
  const isOnlyText = key && !grouping;
  const isMatch = quoted !== undefined && !isOnlyText ? wordOf(quoted) : matcherOf(isOnlyText ? term : plain);
  if (typeof isMatch === "string") {
    return isMatch;
  }
  return grouping ? keysTest(grouping, isMatch) : textTest(model, isMatch);
};

const wordOf = (word) => {
  const lower = word.toLowerCase();
  return (text) => text.toLowerCase().includes(lower);
};

/* A test of texts by a regular expression or a word, or the sentence that says what is wrong. */
const matcherOf = (term) => {
  const expression = /^\/(.+)\/i?$/u.exec(term);
  if (!expression) {
    return wordOf(term);
  }
  const source = expression[1].replace(/^(?:\.\*)+/u, ""); // as any text can precede a match
  if (repeatsRepetitions(source)) {
    return `${term} repeats a group with a repetition or an alternative, which can take very long`;
  }
  try {
    const compiled = new RegExp(source, "iu");
    return (text) => compiled.test(text);
  } catch (error) {
    return `${term} is not a regular expression: ${error.message}`;
  }
};

/* True for expressions such as (a+)+ and (a|b)*, which can take a time that is exponential in the length of a text. */
const repeatsRepetitions = (source) => {
  let text = source
    .replace(/\\./gu, "x")
    .replace(/\[[^\]]*\]/gu, "x")
    .replace(/\(\?(?:[:=!]|<[=!]|<\w+>)/gu, "(");
  for (let before = ""; before !== text; ) {
    before = text;
    if (/\([^()]*[*+?{|][^()]*\)[*+{]/u.test(text)) {
      return true;
    }
    text = text.replace(/\(([^()]*)\)/gu, (_, inner) => (/[*+?{|]/u.test(inner) ? "x*" : "x"));
  }
  return false;
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
  const of = Object.hasOwn(numbers, name.toLowerCase()) && numbers[name.toLowerCase()];
  if (!of) {
    return `"${name}" is not a number of a ${model.item}: ${Object.keys(numbers).join(", ")}`;
  }
  const value = Number(digits.replaceAll(",", "")) * 1024 ** " kmgt".indexOf(unit.toLowerCase() || " ");
  if (Number.isNaN(value)) {
    return `${digits} is not a number`;
  }
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
