/* A page of tables, charts and flame graphs. */
const startPage = ({ charts, flames }) => {
  sortFigures();
  for (const { id, label, places, titles, curves } of charts) {
    element(id).parentElement.hidden = false;
    const most = curves.reduce((all, { values }) => values.reduce((a, b) => Math.max(a, b), all), 1);
    chartOf(element(id), {
      start: places[0],
      stop: places.at(-1) + 1,
      label,
      // The first curve is in front.
      curves: curves.map((curve, i) => ({ ...curve, width: i === 0 ? 2 : 1.5 })).reverse(),
      places,
      isLog: false,
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
