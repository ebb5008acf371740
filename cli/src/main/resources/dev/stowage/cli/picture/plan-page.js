/* The page. `shown` is the plan that it shows. */
const data = JSON.parse(element("data").textContent);
const plan = readPlan(data);
let shown = plan.plans[data.best];

const taskText = (task) => plan.tasks[task] ?? `task ${numberText(task)}`;

const lifetimeText = (first, last) => {
  if (first === last) {
    return taskText(first);
  }
  return plan.tasks.length > 0
    ? `${taskText(first)} to ${taskText(last)}`
    : `tasks ${numberText(first)} to ${numberText(last)}`;
};

const peakText = () => {
  const most = plan.load.bytes.reduce((a, b) => Math.max(a, b), 0);
  const count = plan.load.bytes.filter((live) => live === most).length;
  return taskText(plan.peakTask) + (count > 1 ? `, the first of ${numberText(count)} equal peaks` : "");
};

const detailsOf = (record) => {
  const first = plan.first[record];
  const last = plan.end[record] - 1;
  const offset = shown.offsets[record];
  return [
    ["id", plan.ids[record]],
    ...(plan.shapes?.[record] ? [["shape", plan.shapes[record]]] : []),
    ["bytes", exactText(plan.bytes[record])],
    ["lifetime", lifetimeText(first, last)],
    ["offset", plainText(offset)],
  ];
};

const view = viewOf(plan, {
  offsets: () => shown.offsets,
  top: () => shown.total,
  title: (record) => plan.names[record],
  details: detailsOf,
  option: (palette, render) => planOption(plan, shown, palette, render),
});

const showPlan = () => {
  element("total").textContent = exactText(shown.total);
  element("lower-bound").textContent = exactText(shown.bound);
  const above = shown.total - shown.bound;
  element("above").textContent =
    percentText(above, shown.bound) + (shown.optimal ? ": proved optimal" : "");
  const saved = plan.naive - shown.total;
  element("saving").textContent = `${percentText(saved, plan.naive)} of ${exactText(plan.naive)}`;
  element("objects").hidden = !shown.objects;
  element("map").setAttribute(
    "aria-label",
    `Memory map: ${shown.strategy} takes ${exactText(shown.total)}; lower bound ${exactText(shown.bound)}`,
  );
  view.draw();
};

element("summary").textContent =
  `${numberText(plan.bytes.length)} tensors over tasks ${numberText(plan.start)} to ${numberText(plan.stop - 1)}`;
element("objects").textContent =
  "The map shows shared objects one after the other. The lower bound is that of shared objects.";
element("peak").textContent = peakText();
element("strategy").addEventListener("change", (event) => {
  shown = plan.plans[Number(event.target.value)];
  showPlan();
});
showPlan();
