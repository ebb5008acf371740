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
  const order = ascending(first).filter((i) => bytes[i] > 0);
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
    detailsOf: (record, state) => tensorDetails(record, state, 3),
    allDetailsOf: (record, state) => tensorDetails(record, state, Infinity),
  };
  const tensorDetails = (record, { shown }, most) => [
    ["id", data.ids[record]],
    ...(data.shapes?.[record] ? [["shape", data.shapes[record]]] : []),
    ["bytes", exactText(bytes[record])],
    ["lifetime", lifetimeText(first[record], end[record] - 1)],
    ...(plans[shown].objects
      ? [["object", numberText(plans[shown].objects.ids[record])]]
      : [["offset", plainText(plans[shown].address[record])]]),
    ...tensorOrigin(model, taskText, record, most),
  ];
  const producerText = (i) => {
    const task = data.producer ? data.producer[i] : first[i];
    return task < 0 ? "(input of the model)" : taskText(task);
  };
  const noun = tasks.length > 0 ? "operator" : "task";
  // The numbers of operators need not be those of tasks.
  const isNumbered = tasks.every((name, task) => name.endsWith(` ${task}`));
  Object.assign(model, {
    whenText: (task) => `at ${taskText(task)}`,
    totalOf: ({ liveTotal }) => liveTotal,
    hiddenText: () => "",
    sumsOf: (state) => planSums(model, state),
    peakText: () =>
      peakTexts({
        bytes: mostOf(data.load),
        peaks: data.peaks,
        noun,
        nameOf: isNumbered ? undefined : taskText,
        nexts: nextPeaks(data),
        what: "",
      }),
    sinceText: (record) => numberText(first[record]),
    untilText: (record) => numberText(end[record] - 1),
    untilValue: (record) => end[record] - 1,
    originColumns: [],
    moreColumns:
      tasks.length > 0
        ? [{ title: "Operator", text: producerText, order: producerText, isText: true }]
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
  addTensorGroupings(model, producerText);
  return model;
};

const addTensorGroupings = (model, producerText) => {
  const { data, count } = model;
  const weigh = weightsAtPeak(model);
  const typeOf = (i) => operatorType(producerText(i));
  model.groupings = [
    ...(data.tasks ? [groupingOf("operator", "operator", count, typeOf, weigh)] : []),
    ...layerGroupings(model, weigh),
  ].filter(({ keys }) => keys.length > 1);
};

/*
 * The operators that compute and read a tensor, and the tensors that are the same memory: views of it, and the one whose
 * bytes it may take over. At most some of a long list are shown.
 */
const tensorOrigin = ({ data, names }, taskText, record, most) => {
  const { producer, consumers, consumerStart, views, inPlace, taskNames } = data;
  const operator = (task) => `${taskText(task)}${taskNames?.[task] ? ` (${taskNames[task]})` : ""}`;
  const cut = (texts) =>
    texts.length > most ? [...texts.slice(0, most), `and ${numberText(texts.length - most)} more`] : texts;
  const pairs = [];
  if (producer) {
    const readers = consumers.subarray(consumerStart[record], consumerStart[record + 1]);
    pairs.push(["computed by", producer[record] < 0 ? "input of the model" : operator(producer[record])]);
    pairs.push(["read by", readers.length === 0 ? "no operator" : cut(Array.from(readers, operator))]);
  }
  const of = (column, value) => Array.from((column?.record ?? []).keys()).filter((i) => column.record[i] === value);
  const others = of(views, record).map((i) => `${views.names[i]}, by ${operator(views.producer[i])}`);
  if (others.length > 0) {
    pairs.push(["views", cut(others)]);
  }
  const sources = of(inPlace, record).map((i) => names[inPlace.source[i]]);
  if (sources.length > 0) {
    pairs.push(["may overwrite", cut(sources)]);
  }
  return pairs;
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

/* The next lower peak, first as the explanation has it. */
const nextPeaks = ({ next, nextOfReasons, nextOfAll }) => {
  const of = ({ bytes, tasks }, without) => ({ bytes, ranges: tasks, isBound: false, without });
  return [
    ...(nextOfReasons ? [of(nextOfReasons, "the tensors in Reasons")] : []),
    ...(nextOfAll ? [of(nextOfAll, "these and the tensors in Reasons")] : []),
    of(next, nextOfReasons || nextOfAll ? "all that are live there" : "these tensors"),
  ];
};

const operatorType = (text) => text.replace(/ \d+$/, "");

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
  const record = indicesOf(bytes.length, (i) => bytes[i] > 0);
  const column = (values) => {
    const copy = new Float64Array(record.length);
    for (let i = 0; i < record.length; i++) {
      copy[i] = values[record[i]];
    }
    return copy;
  };
  return { record, first: column(first), end: column(end), low: new Float64Array(record.length), high: column(bytes) };
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
    element("strategy").value = String(shown);
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
  element("strategy").addEventListener("change", ({ target }) => store.set({ shown: Number(target.value) }));
  store.listen((state, previous) => {
    if (state.shown !== previous.shown) {
      showPlan(state);
    }
  });
  showPlan(store.get());
};
