/*
 * The plan as a model of the map. A part is a rectangle: the bytes that a record needs during a range of tasks.
 * Tasks are half-open: [first, end).
 */
const planModel = (data) => {
  const { bytes, first } = data;
  const count = bytes.length;
  const end = data.last.map((last) => last + 1);
  const tasks = data.tasks ?? [];
  const boxes = inPaintingOrder({ ...data.parts, end: data.parts.last.map((last) => last + 1) });
  const plans = data.plans.map((plan) => drawnPlan(plan, data.capacity, boxes));
  const stop = Math.max(1, mostOf(end));
  const taskText = (task) => tasks[task] ?? `task ${numberText(task)}`;
  const momentText = (from, to) =>
    from === to ? taskText(from) : tasks.length > 0 ? `${taskText(from)} to ${taskText(to)}` : `tasks ${numberText(from)} to ${numberText(to)}`;
  const peaks = peaksOf(data.load, stop);
  const model = {
    item: "tensor",
    height: "offset",
    axis: tasks.length > 0 ? "operator" : "task",
    count,
    bytes,
    first,
    end,
    names: data.names,
    data,
    plans,
    best: data.best,
    boxes,
    levels: levelsOf(bytes),
    start: first.reduce((a, b) => Math.min(a, b), first[0] ?? 0),
    stop,
    unit: unitFor(plans[data.best].top),
    overlay: data.load,
    peaks,
    failures: [],
    bands: [],
    groupings: [],
    columns: [],
    momentText,
    plan: ({ shown }) => plans[shown],
    hintAt: () => null,
    titleOf: (record) => data.names[record],
    untilText: (record) => numberText(end[record] - 1),
    detailsOf: (record, { shown }, most) => [
      ["id", data.ids[record]],
      ...(data.shapes[record] ? [["shape", data.shapes[record]]] : []),
      ["bytes", exactText(bytes[record])],
      ["lifetime", momentText(first[record], end[record] - 1)],
      placeText(plans[shown], record),
      ...tensorOrigin(data, taskText, record, most),
    ],
    sumsOf: (state) => planSums(data, state),
    peakText: peakSentence(mostOf(data.load.max), "", peaks.map(([from, to]) => momentText(from, to))),
  };
  const producerText = (i) => {
    const task = data.producer.length > 0 ? data.producer[i] : first[i];
    return task < 0 ? "(input of the model)" : taskText(task);
  };
  if (tasks.length > 0) {
    model.columns.push({ title: "Operator", text: producerText, isText: true, isExtra: true });
    model.groupings.push(groupingOf(model, "operator", "operator", (i) => producerText(i).replace(/ \d+$/u, "")));
  }
  model.groupings.push(layerGrouping(model, (i) => data.taskNames?.[data.producer[i]] || data.names[i]));
  model.groupings = model.groupings.filter(({ keys }) => keys.length > 1);
  return model;
};

/* "Peak 4.320 MiB at A, B and 2 more." */
const peakSentence = (bytes, what, places) => {
  const most = 4;
  const rest = places.length - most;
  const listed = places.slice(0, most).join(", ");
  return places.length === 0 ? "" : `Peak ${humanText(bytes)}${what} at ${listed}${rest > 0 ? ` and ${numberText(rest)} more` : ""}.`;
};

const placeText = ({ objects, address }, record) => (objects ? ["object", numberText(objects.ids[record])] : ["offset", numberText(address[record])]);

/* The operators that compute and read a tensor. A long list is cut. */
const tensorOrigin = ({ producer, consumers, taskNames }, taskText, record, most) => {
  if (producer.length === 0) {
    return [];
  }
  const operator = (task) => `${taskText(task)}${taskNames?.[task] ? ` (${taskNames[task]})` : ""}`;
  const readers = consumers[record].map(operator);
  const shown = readers.length > most ? [...readers.slice(0, most), `and ${numberText(readers.length - most)} more`] : readers;
  return [
    ["computed by", producer[record] < 0 ? "input of the model" : operator(producer[record])],
    ["read by", readers.length === 0 ? "no operator" : shown],
  ];
};

/* The sum of the live tensors, and the live bytes if they are fewer. */
const planSums = ({ load }, { moment, liveRecords, liveTotal }) => {
  const most = valueAt(load, moment);
  return [
    `${countText(liveRecords.length, "tensor")}: ${exactText(liveTotal)}`,
    ...(most < liveTotal ? [`Live bytes: ${exactText(most)}, because some tensors share bytes (in place, or pinned to the same offset)`] : []),
  ];
};

/* Shared objects are drawn one after the other. */
const drawnPlan = (plan, capacity, boxes) => {
  const { total, bound, objects } = plan;
  const lines = [
    { name: "total", bytes: total, colour: "total" },
    { name: "lower bound", bytes: bound, colour: "bound", dashes: [6, 4] },
    // A capacity far above the plan would leave the map empty.
    ...(capacity <= 2 * total ? [{ name: "capacity", bytes: capacity, colour: "capacity", dashes: [2, 3] }] : []),
  ];
  let end = 0;
  const starts = objects?.bytes.map((size) => (end += size) - size);
  const address = objects ? objects.ids.map((id) => starts[id]) : plan.offsets;
  return { ...plan, lines, top: total, address, ...placedBoxes(boxes, address) };
};

starts.PLAN = (data) => {
  const model = planModel(data);
  const { store } = explorerOf(model, (_, states) => [
    momentPanel(model, states),
    ...(model.groupings.length > 0 ? [groupsPanel(model, states)] : []),
    selectedPanel(model),
  ]);
  const showPlan = ({ shown }) => {
    const { strategy, total, bound, optimal, objects } = model.plans[shown];
    element("total").textContent = exactText(total);
    element("lower-bound").textContent = exactText(bound);
    element("above").textContent = percentText(total - bound, bound) + (optimal ? ": proved optimal" : "");
    element("saving").textContent = `${percentText(data.naive - total, data.naive)} of ${exactText(data.naive)}`;
    element("objects").hidden = !objects;
    element("map").ariaLabel = `Memory map: ${strategy} takes ${exactText(total)}; lower bound ${exactText(bound)}`;
  };
  element("strategy").addEventListener("change", ({ target }) => store.set({ shown: Number(target.value) }));
  store.listen((state, previous) => {
    if (state.shown !== previous.shown) {
      element("strategy").value = String(state.shown);
      showPlan(state);
    }
  });
  showPlan(store.get());
};
