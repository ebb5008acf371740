/* A page of tables, charts and flame graphs. */
const startPage = ({ charts, scatters, flames }) => {
  const rows = sortFigures();
  for (const { id, ...chart } of scatters) {
    element(id).parentElement.hidden = false;
    scatterOf(element(id), chart, rows.get(id));
  }
  for (const { id, label, places, titles, curves, total, step, most: shared, mark } of charts) {
    element(id).parentElement.hidden = false;
    if (total) {
      chartOf(element(id), areasOf({ label, places, titles, curves, total, step }));
      continue;
    }
    const most = shared ?? curves.reduce((all, { values }) => values.reduce((a, b) => Math.max(a, b), all), 1);
    chartOf(element(id), {
      start: places[0],
      stop: places.at(-1) + 1,
      label,
      // The first curve is in front.
      curves: curves.map((curve, i) => ({ ...curve, width: i === 0 ? 2 : 1.5 })).reverse(),
      places,
      isLog: false,
      top: shared,
      mark,
      unit: unitFor(most),
      title: (i) => titles[i],
      details: (i) => curves.map(({ name, values }) => [name, plainText(values[i])]),
    });
  }
  for (const { id, title, bytes, blocks, stack, names, ...data } of flames) {
    const flame = flameOf({ id: `${id}-graph`, label: title, userLines: new Set(data.lines), item: "block" });
    element(id).append(flame.element);
    const keys = names.map((name, i) => (stack[i] < 0 ? name : stack[i]));
    flame.show(stackTree({ data, stacks: { keys } }, { groups: [...keys.keys()], bytes, counts: blocks }, title));
  }
};

/* The chart of areas above each other, whose details have the order of the areas from top to bottom. */
const areasOf = ({ label, places, titles, curves, total, step }) => {
  const sums = Float64Array.from(places, (_, i) => curves.reduce((sum, { values }) => sum + values[i], 0));
  const rows = [...curves].reverse();
  return {
    start: places[0],
    stop: Math.max(places.at(-1), places[0] + 1),
    label,
    curves: [],
    areas: curves,
    sums,
    places,
    step,
    isLog: false,
    unit: unitFor(mostOf({ max: sums })),
    title: (i) => titles[i],
    details: (i) => [[total, plainText(sums[i])], ...rows.map(({ name, values }) => [name, plainText(values[i])])],
  };
};
