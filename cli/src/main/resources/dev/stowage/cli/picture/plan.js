/*
 * The plan as a model of the map. A part is a rectangle: the bytes that a record needs during a range of tasks.
 * Tasks are half-open: [first, end).
 */
const planModel = (data) => {
  const { bytes, first } = data;
  const count = bytes.length;
  const end = data.last.map((last) => last + 1);
  const parts = data.parts ? partsOf(data.parts) : wholeRecords(bytes, first, end);
  const names = data.names ?? data.ids;
  const tasks = data.tasks ?? [];
  const order = Int32Array.from(bytes.keys()).filter((i) => bytes[i] > 0);
  order.sort((a, b) => first[a] - first[b] || a - b);
  const plans = data.plans.map((plan) => drawnPlan(plan, data.capacity));
  const taskText = (task) => tasks[task] ?? `task ${numberText(task)}`;
  const model = {
    item: "tensor",
    height: "offset",
    count,
    bytes,
    first,
    end,
    order,
    names,
    tasks,
    data,
    plans,
    best: data.best,
    naive: data.naive,
    boxes: inPaintingOrder(parts),
    levels: levelsOf(bytes),
    start: count > 0 ? first.reduce((a, b) => Math.min(a, b)) : 0,
    stop: count > 0 ? end.reduce((a, b) => Math.max(a, b)) : 1,
    unit: unitFor(plans[data.best].total),
    axes: [stepAxis("tasks", tasks.length > 0 ? "operator" : "task")],
    overlay: data.load,
    strips: [],
    peaks: data.peaks,
    failures: [],
    stepName: tasks.length > 0 ? (task) => tasks[task] ?? "" : undefined,
    stepText: taskText,
    momentText: (from, to) => lifetimeText(from, to),
    plan: ({ shown }) => plans[shown],
    nameOf: (record) => names[record],
    titleOf: (record) => names[record],
    detailsOf: (record, { shown }) => [
      ["id", data.ids[record]],
      ...(data.shapes?.[record] ? [["shape", data.shapes[record]]] : []),
      ["bytes", exactText(bytes[record])],
      ["lifetime", lifetimeText(first[record], end[record] - 1)],
      ...(plans[shown].objects
        ? [["object", numberText(plans[shown].objects.ids[record])]]
        : [["offset", plainText(plans[shown].address[record])]]),
    ],
  };
  const noun = tasks.length > 0 ? "operator" : "task";
  Object.assign(model, {
    whenText: (task) => `at ${taskText(task)}`,
    totalOf: ({ liveTotal }) => liveTotal,
    hiddenText: () => "",
    sumsOf: (state) => planSums(model, state),
    peakText: () =>
      peakTexts({
        item: "tensor",
        bytes: mostOf(data.load),
        peaks: data.peaks,
        noun,
        next: { bytes: data.next.bytes, ranges: data.next.tasks, isBound: false },
        what: "",
      }),
    sinceText: (record) => numberText(first[record]),
    untilText: (record) => numberText(end[record] - 1),
    originColumns: [],
    moreColumns:
      tasks.length > 0
        ? [{ title: "Operator", text: (i) => taskText(first[i]), order: (i) => taskText(first[i]), isText: true }]
        : [],
  });
  model.sharing = sharingOf(model);
  model.related = (state) => sharingRecords(model.sharing(state));
  const lifetimeText = (from, to) => {
    if (from === to) {
      return taskText(from);
    }
    return tasks.length > 0
      ? `${taskText(from)} to ${taskText(to)}`
      : `tasks ${numberText(from)} to ${numberText(to)}`;
  };
  const weigh = weightsAtPeak(model);
  model.groupings = [
    groupingOf("operator", "operator", count, (i) => operatorType(taskText(first[i])), weigh),
    groupingOf("prefix", "layer", count, (i) => layerOf(names[i]), weigh),
  ].filter(({ keys }) => keys.length > 1);
  return model;
};

/* The sum of the live tensors, and the live bytes if they are fewer. */
const planSums = ({ data }, { moment, liveRecords, liveTotal }) => {
  const count = liveRecords.length;
  const sum = `${numberText(count)} ${count === 1 ? "tensor" : "tensors"}: ${exactText(liveTotal)}`;
  const load = rangeAt(data.load, moment).max;
  return load < liveTotal
    ? [sum, `Live bytes: ${exactText(load)}, because some tensors share bytes (in place, or pinned to the same offset)`]
    : [sum];
};

const operatorType = (text) => text.replace(/ \d+$/, "");

const layerOf = (name) => {
  const [path] = name.split(";", 1);
  const parts = path.split("/").filter((part) => part !== "");
  return parts.length > 1 ? parts.slice(0, 2).join("/") : "(no layer)";
};

/* Shared objects are drawn one after the other. */
const drawnPlan = (plan, capacity) => {
  const { strategy, total, bound, optimal, objects } = plan;
  const lines = [
    { name: "total", bytes: total, colour: "total" },
    { name: "lower bound", bytes: bound, colour: "bound", dashes: [6, 4] },
    // A capacity far above the plan would leave the map empty.
    ...(capacity <= 2 * total ? [{ name: "capacity", bytes: capacity, colour: "capacity", dashes: [2, 3] }] : []),
  ];
  if (!objects) {
    return { strategy, total, bound, optimal, address: plan.offsets, top: total, lines };
  }
  const starts = [];
  let start = 0;
  for (const size of objects.bytes) {
    starts.push(start);
    start += size;
  }
  const address = objects.ids.map((object) => starts[object]);
  return { strategy, total, bound, optimal, objects, address, top: total, lines };
};

const partsOf = ({ record, first, last, start, end }) => ({
  record,
  first,
  end: last.map((task) => task + 1),
  low: start,
  high: end,
});

const wholeRecords = (bytes, first, end) => {
  const record = Int32Array.from(bytes.keys()).filter((i) => bytes[i] > 0);
  return {
    record,
    first: Float64Array.from(record, (i) => first[i]),
    end: Float64Array.from(record, (i) => end[i]),
    low: new Float64Array(record.length),
    high: Float64Array.from(record, (i) => bytes[i]),
  };
};

const startPage = (data) => {
  const model = planModel(data);
  const { store } = explorerOf(model, (_, states) => [
    momentPanel(model, states),
    ...(model.groupings.length > 0 ? [groupsPanel(model, states)] : []),
    selectedPanel(model, states),
    planReasonsPanel(model, states),
    searchPanel(model, states),
  ]);
  element("summary").textContent =
    `${numberText(model.count)} tensors over tasks ${numberText(model.start)} to ${numberText(model.stop - 1)}`;
  const showPlan = ({ shown }) => {
    const { strategy, total, bound, optimal, objects } = model.plans[shown];
    const above = total - bound;
    element("total").textContent = exactText(total);
    element("lower-bound").textContent = exactText(bound);
    element("above").textContent = percentText(above, bound) + (optimal ? ": proved optimal" : "");
    element("saving").textContent = `${percentText(model.naive - total, model.naive)} of ${exactText(model.naive)}`;
    element("objects").hidden = !objects;
    element("map").setAttribute(
      "aria-label",
      `Memory map: ${strategy} takes ${exactText(total)}; lower bound ${exactText(bound)}`,
    );
  };
  element("strategy").value = String(store.get().shown);
  element("strategy").addEventListener("change", ({ target }) => store.set({ shown: Number(target.value) }));
  store.listen((state, previous) => {
    if (state.shown !== previous.shown) {
      showPlan(state);
    }
  });
  showPlan(store.get());
};
