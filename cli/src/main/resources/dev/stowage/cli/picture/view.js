/*
 * A map in a chart with tooltips, zoom and keys. Its data is {boxes, names, order, bytes, first, end,
 * start, stop, unit}: rectangles as in map.js, the name, bytes and steps of each record, and the steps
 * and the unit of the axes. The page provides functions:
 *
 *   offsets()                the offset of each record
 *   top()                    the bytes of the map
 *   title(record)            the name of a record
 *   details(record)          the details of a record, as pairs of a term and a text, or of a term and a
 *                            list of lines
 *   option(palette, render)  the chart, whose first grid is the map; called again if the size changes
 *   under, over              (context, pixels, palette): paint below and above the boxes; optional
 *   hint(at, tools)          {key, name, details, place} of an element other than a record; optional;
 *                            the tools are {chart, areaOf(grid), xOf(step), stepOf(x)}
 */
const element = (id) => document.getElementById(id);

const viewOf = (drawn, { offsets, top, title, details, option, under, over, hint }) => {
  const chart = echarts.init(element("map"), null, { renderer: "canvas" });
  const boxesCanvas = document.createElement("canvas");
  const namesCanvas = document.createElement("canvas");
  let named = [];
  let palette = readPalette();
  let current = -1;

  /* Maps steps and bytes to pixels, by interpolation between the ends of the map. */
  const scaleOf = (toPixel) => {
    const most = Math.max(top(), 1);
    const [x0, y0] = toPixel([drawn.start, 0]);
    const [x1, y1] = toPixel([drawn.stop, most / drawn.unit.bytes]);
    return {
      x: x0,
      y: y0,
      perStep: (x1 - x0) / (drawn.stop - drawn.start),
      perByte: (y0 - y1) / most,
      start: drawn.start,
    };
  };
  const currentScale = () => scaleOf((at) => chart.convertToPixel({ gridIndex: 0 }, at));

  const imageOf = (image, { x, y, width, height }) => ({
    type: "image",
    silent: true,
    style: { image, x, y, width, height },
  });

  /* The chart draws the names after the boxes, because they are later in its list. */
  const render = {
    boxes: ({ coordSys }, api) => {
      const context = sizedContext(boxesCanvas, coordSys);
      const pixels = pixelsOf(coordSys, scaleOf((at) => api.coord(at)));
      under?.(context, pixels, palette);
      named = paintBoxes(context, pixels, drawn.boxes, offsets(), palette);
      over?.(context, pixels, palette);
      return imageOf(boxesCanvas, coordSys);
    },
    names: ({ coordSys }) => {
      const context = sizedContext(namesCanvas, coordSys);
      paintNames(context, drawn.boxes, drawn.names, named, palette);
      return imageOf(namesCanvas, coordSys);
    },
  };

  const hide = () => {
    current = -1;
    element("hover").hidden = true;
    element("outline").hidden = true;
  };

  const draw = () => {
    hide();
    chart.setOption(option(palette, render));
  };

  const areaOf = (grid) => chart.getModel().getComponent("grid", grid).coordinateSystem.getRect();

  /* The visible part of a record on the screen. */
  const placeOf = (record) => {
    const scale = currentScale();
    const area = areaOf(0);
    const x = (step) => scale.x + (step - scale.start) * scale.perStep;
    const y = (byte) => scale.y - byte * scale.perByte;
    const offset = offsets()[record];
    const within = (value, low, length) => Math.min(Math.max(value, low), low + length);
    const left = within(x(drawn.first[record]), area.x, area.width);
    const right = within(x(drawn.end[record]), area.x, area.width);
    const highest = within(y(offset + drawn.bytes[record]), area.y, area.height);
    const lowest = within(y(offset), area.y, area.height);
    return { left, top: highest, width: right - left, height: lowest - highest };
  };

  const recordHint = (record) => ({
    key: record,
    name: title(record),
    details: details(record),
    place: placeOf(record),
  });

  /* Tooltips contain only text: this function does not use innerHTML. */
  const show = ({ key, name, details: pairs, place }, x, y) => {
    const hover = element("hover");
    if (key !== current) {
      current = key;
      const heading = document.createElement("strong");
      heading.textContent = name;
      const list = document.createElement("dl");
      for (const [term, value] of pairs) {
        list.appendChild(document.createElement("dt")).textContent = term;
        const item = list.appendChild(document.createElement("dd"));
        for (const line of [value].flat()) {
          item.appendChild(document.createElement("div")).textContent = line;
        }
      }
      hover.replaceChildren(heading, list);
      hover.hidden = false;
      showOutline(place);
    }
    const { width, height } = element("frame").getBoundingClientRect();
    const left = x + 16 + hover.offsetWidth > width ? x - 16 - hover.offsetWidth : x + 16;
    const highest = Math.min(y + 16, height - hover.offsetHeight);
    hover.style.left = `${Math.max(0, left)}px`;
    hover.style.top = `${Math.max(0, highest)}px`;
  };

  const showOutline = (place) => {
    const outline = element("outline");
    outline.style.left = `${place.left - 1}px`;
    outline.style.top = `${place.top - 1}px`;
    outline.style.width = `${Math.max(4, place.width + 2)}px`;
    outline.style.height = `${Math.max(4, place.height + 2)}px`;
    outline.hidden = false;
  };

  const hoverAt = (event) => {
    const at = [event.offsetX, event.offsetY];
    const scale = currentScale();
    const xOf = (step) => scale.x + (step - scale.start) * scale.perStep;
    const stepOf = (x) => scale.start + (x - scale.x) / scale.perStep;
    const found = hint?.(at, { chart, areaOf, xOf, stepOf });
    if (found) {
      show(found, at[0], at[1]);
      return;
    }
    const step = stepOf(at[0]);
    const byte = (scale.y - at[1]) / scale.perByte;
    const record = chart.containPixel({ gridIndex: 0 }, at)
      ? recordAt(drawn.boxes, offsets(), scale, step, byte)
      : -1;
    if (record < 0) {
      hide();
    } else {
      show(recordHint(record), at[0], at[1]);
    }
  };

  const stepBy = (by) => {
    const count = drawn.order.length;
    if (count > 0) {
      const at = drawn.order.indexOf(current);
      const from = at < 0 ? (by > 0 ? -1 : count) : at;
      const found = recordHint(drawn.order[(from + by + count) % count]);
      const { left, top: highest, width, height } = found.place;
      show(found, left + width / 2, highest + height / 2);
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
  const whole = () => zoomBy(Infinity);

  const keys = {
    ArrowRight: () => stepBy(1),
    ArrowLeft: () => stepBy(-1),
    "+": () => zoomBy(1 / 2),
    "=": () => zoomBy(1 / 2),
    "-": () => zoomBy(2),
    0: whole,
    Escape: hide,
  };

  element("whole").addEventListener("click", whole);
  element("map").addEventListener("keydown", (event) => {
    if (event.key in keys && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      keys[event.key]();
    }
  });
  chart.on("dataZoom", hide);
  chart.getZr().on("mousemove", hoverAt);
  chart.getZr().on("globalout", hide);
  new ResizeObserver(() => {
    chart.resize();
    draw(); // a narrow page may want another chart
  }).observe(element("frame"));
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
    palette = readPalette();
    draw();
  });
  return { draw };
};
