/* The bytes of each plan over the shapes: by the dimension if only one is open, else by the best plan. */
const startPage = (data) => {
  const { dimensions, open, best, layout, arena, maximum } = data;
  const single = open.length === 1 ? dimensions[open[0]] : undefined;
  const order = [...best.keys()].sort((a, b) =>
    single ? single.values[a] - single.values[b] : best[a] - best[b] || a - b,
  );
  const places = Float64Array.from(order, (shape, i) => (single ? single.values[shape] : i + 1));
  const curve = (name, values, colour, width) => ({ name, values: Float64Array.from(order, values), colour, width });
  const curves = [
    curve("One layout", (i) => layout[i], "layout", 6),
    curve("Plan for the maximum", () => maximum, "total", 2),
    ...(arena ? [curve("Bucket arenas", (i) => arena[i], "load", 2)] : []),
    curve("Best plan", (i) => best[i], "failed", 1.5),
  ];
  element("arenas").hidden = !arena;
  const smallest = best.reduce((a, b) => Math.min(a, b), maximum);
  chartOf(element("map"), {
    start: places[0],
    stop: places.at(-1) + 1,
    label: single ? single.name : "shapes by the bytes of the best plan",
    curves,
    places,
    isLog: maximum > 30 * Math.max(1, smallest),
    unit: unitFor(maximum),
    title: (i) => dimensions.map(({ name, values }) => `${name}=${numberText(values[order[i]])}`).join(", "),
    details: (i) =>
      curves.map(({ name, values }) => [
        name,
        `${plainText(values[i])}, +${percentText(values[i] - best[order[i]], best[order[i]])}`,
      ]),
  });
};
