/* The page: what is shown is `shown`, one of the plans; the rest follows from it. */
const element = (id) => document.getElementById(id);
const plan = readPlan(JSON.parse(element("data").textContent));
const chart = echarts.init(element("map"), null, { renderer: "canvas" });
const boxesCanvas = document.createElement("canvas");
const namesCanvas = document.createElement("canvas");
let named = [];
let shown = plan.plans[plan.best];
let palette = readPalette();
let current = -1;

/* From the tasks and bytes to pixels, taken between the ends of the plan to be exact. */
const scaleOf = (toPixel) => {
  const top = Math.max(shown.total, 1);
  const [x0, y0] = toPixel([plan.firstTask, 0]);
  const [x1, y1] = toPixel([plan.endTask, top / plan.unit.bytes]);
  return {
    x: x0,
    y: y0,
    perTask: (x1 - x0) / (plan.endTask - plan.firstTask),
    perByte: (y0 - y1) / top,
    firstTask: plan.firstTask,
  };
};
const currentScale = () => scaleOf((at) => chart.convertToPixel({ gridIndex: 0 }, at));

const imageOf = (image, { x, y, width, height }) => ({
  type: "image",
  silent: true,
  style: { image, x, y, width, height },
});

/* The chart asks for the names after the boxes, as they are further behind in its list. */
const render = {
  boxes: ({ coordSys }, api) => {
    const scale = scaleOf((at) => api.coord(at));
    named = paintBoxes(boxesCanvas, coordSys, scale, plan, shown.offsets, palette);
    return imageOf(boxesCanvas, coordSys);
  },
  names: ({ coordSys }) => {
    paintNames(namesCanvas, coordSys, plan, named, palette);
    return imageOf(namesCanvas, coordSys);
  },
};

const showPlan = () => {
  hideHover();
  element("total").textContent = exactText(shown.total);
  element("lower-bound").textContent = exactText(plan.lowerBound);
  const above = shown.total - plan.lowerBound;
  element("above").textContent =
    percentText(above, plan.lowerBound) + (shown.optimal ? ": proved optimal" : "");
  const saved = plan.naive - shown.total;
  element("saving").textContent = `${percentText(saved, plan.naive)} of ${exactText(plan.naive)}`;
  element("objects").hidden = !shown.objects;
  element("map").setAttribute(
    "aria-label",
    `Memory map: ${shown.strategy} takes ${exactText(shown.total)}; lower bound ${exactText(plan.lowerBound)}`,
  );
  chart.setOption(chartOption(plan, shown, palette, render));
};

const hideHover = () => {
  current = -1;
  element("hover").hidden = true;
  element("outline").hidden = true;
};

const detailsOf = (record) => {
  const first = plan.first[record];
  const last = plan.last[record];
  const offset = shown.offsets[record];
  return [
    ["id", plan.ids[record]],
    ["bytes", exactText(plan.bytes[record])],
    [
      "lifetime",
      first === last
        ? `task ${numberText(first)}`
        : `tasks ${numberText(first)} to ${numberText(last)}`,
    ],
    ["offset", exactText(offset).replace(" bytes", "").replace(" byte", "")],
  ];
};

/* Names are text and never markup: nothing here goes through innerHTML. */
const showHover = (record, x, y) => {
  const hover = element("hover");
  if (record !== current) {
    current = record;
    const name = document.createElement("strong");
    name.textContent = plan.names[record];
    const list = document.createElement("dl");
    for (const [term, value] of detailsOf(record)) {
      list.appendChild(document.createElement("dt")).textContent = term;
      list.appendChild(document.createElement("dd")).textContent = value;
    }
    hover.replaceChildren(name, list);
    hover.hidden = false;
    showOutline(record);
  }
  const { width, height } = element("frame").getBoundingClientRect();
  const left = x + 16 + hover.offsetWidth > width ? x - 16 - hover.offsetWidth : x + 16;
  const top = Math.min(y + 16, height - hover.offsetHeight);
  hover.style.left = `${Math.max(0, left)}px`;
  hover.style.top = `${Math.max(0, top)}px`;
};

/* Where a record is on the screen, as far as the chart shows it. */
const placeOf = (record) => {
  const scale = currentScale();
  const area = chart.getModel().getComponent("grid").coordinateSystem.getRect();
  const x = (task) => scale.x + (task - scale.firstTask) * scale.perTask;
  const y = (byte) => scale.y - byte * scale.perByte;
  const offset = shown.offsets[record];
  const within = (value, low, length) => Math.min(Math.max(value, low), low + length);
  const left = within(x(plan.first[record]), area.x, area.width);
  const right = within(x(plan.last[record] + 1), area.x, area.width);
  const top = within(y(offset + plan.bytes[record]), area.y, area.height);
  const bottom = within(y(offset), area.y, area.height);
  return { left, top, width: right - left, height: bottom - top };
};

const showOutline = (record) => {
  const outline = element("outline");
  const place = placeOf(record);
  outline.style.left = `${place.left - 1}px`;
  outline.style.top = `${place.top - 1}px`;
  outline.style.width = `${Math.max(4, place.width + 2)}px`;
  outline.style.height = `${Math.max(4, place.height + 2)}px`;
  outline.hidden = false;
};

const hoverAt = (event) => {
  const at = [event.offsetX, event.offsetY];
  if (!chart.containPixel("grid", at)) {
    hideHover();
    return;
  }
  const scale = currentScale();
  const task = scale.firstTask + (at[0] - scale.x) / scale.perTask;
  const byte = (scale.y - at[1]) / scale.perByte;
  const record = recordAt(plan, shown.offsets, scale, task, byte);
  if (record < 0) {
    hideHover();
  } else {
    showHover(record, at[0], at[1]);
  }
};

const step = (by) => {
  const count = plan.order.length;
  if (count > 0) {
    const from = current < 0 ? (by > 0 ? -1 : count) : plan.order.indexOf(current);
    const record = plan.order[(from + by + count) % count];
    const place = placeOf(record);
    showHover(record, place.left + place.width / 2, place.top + place.height / 2);
  }
};

const zoomBy = (factor) => {
  const zoomed = chart.getOption().dataZoom.slice(0, 2).map(({ start, end }, i) => {
    const span = Math.min(100, (end - start) * factor);
    const from = Math.min(Math.max(0, (start + end - span) / 2), 100 - span);
    return { dataZoomIndex: i, start: from, end: from + span };
  });
  chart.dispatchAction({ type: "dataZoom", batch: zoomed });
};
const wholePlan = () => zoomBy(Infinity);

const keys = {
  ArrowRight: () => step(1),
  ArrowLeft: () => step(-1),
  "+": () => zoomBy(1 / 2),
  "=": () => zoomBy(1 / 2),
  "-": () => zoomBy(2),
  0: wholePlan,
  Escape: hideHover,
};

element("summary").textContent =
  `${numberText(plan.bytes.length)} tensors over tasks ${numberText(plan.firstTask)} to ${numberText(plan.endTask - 1)}`;
element("objects").textContent =
  `These are shared objects, laid out one after the other. The lower bound is that of one arena; shared objects take at least ${exactText(plan.objectsBound)}.`;
element("peak").textContent = `task ${numberText(plan.peakTask)}`;
element("strategy").addEventListener("change", (event) => {
  shown = plan.plans[Number(event.target.value)];
  showPlan();
});
element("whole").addEventListener("click", wholePlan);
element("map").addEventListener("keydown", (event) => {
  if (event.key in keys && !event.ctrlKey && !event.metaKey && !event.altKey) {
    event.preventDefault();
    keys[event.key]();
  }
});
chart.on("dataZoom", hideHover);
chart.getZr().on("mousemove", hoverAt);
chart.getZr().on("globalout", hideHover);
new ResizeObserver(() => {
  hideHover();
  chart.resize();
}).observe(element("frame"));
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
  palette = readPalette();
  showPlan();
});
showPlan();
