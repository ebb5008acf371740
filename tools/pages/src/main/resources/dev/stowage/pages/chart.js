/*
 * A chart of curves over an axis: {start, stop, label, curves: [{name, values, colour, width}], places, isSteps,
 * isLog, unit, title(i), details(i)}. "places" has the position of each value. The wheel zooms if the chart has
 * the focus or Ctrl is pressed.
 *
 * A chart may also have areas above each other: areas: [{values, colour}], the lowest first, and sums, the sum of all
 * areas at each position. "step" is the distance on the axis that has the number 1. "top" is the largest number of bytes
 * if other charts have the same axis, and "mark" a position with a dashed line.
 */
const chartOf = (host, chart) => {
  const canvas = sizedCanvas(1, 1);
  const hover = element("hover");
  host.append(canvas);
  const { start, stop, curves, places, isLog, unit, areas = [], sums = [], step = 1, top = 1, mark } = chart;
  let palette = readPalette();
  let range = [start, stop];
  let area;
  let at = -1;
  let drag;

  const most = curves.reduce((all, { values }) => Math.max(all, mostOf({ max: values })), Math.max(top, mostOf({ max: sums })));
  const least = curves.reduce((all, { values }) => values.reduce((a, b) => Math.min(a, b), all), most);
  const [low, high] = isLog ? [Math.log(Math.max(1, least) / 1.2), Math.log(most * 1.2)] : [0, most * 1.06];

  const paint = () => {
    const ratio = window.devicePixelRatio || 1;
    const { clientWidth: width, clientHeight: height } = host;
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
    const context = canvas.getContext("2d");
    context.scale(ratio, ratio);
    area = { x: 78, y: 12, width: Math.max(40, width - 90), height: Math.max(60, height - 56) };
    const x = scaleOf(...range, area.x, area.x + area.width);
    const linear = scaleOf(low, high, area.y + area.height, area.y);
    const y = isLog ? (bytes) => linear(Math.log(Math.max(1, bytes))) : linear;
    if (isLog) {
      paintPowers(context, area, y, least, most, palette);
    } else {
      paintUpwards(context, area, y, [low, high], unit, palette, `bytes (${unit.name})`);
    }
    const steps = range.map((place) => place / step);
    paintAcross(context, area, scaleOf(...steps, area.x, area.x + area.width), steps, palette, chart.label, numberText);
    context.save();
    context.beginPath();
    context.rect(area.x, area.y, area.width, area.height);
    context.clip();
    paintAreas(context, areas, places, x, y, palette);
    for (const { values, colour, width: thickness } of curves) {
      const curve = { event: places, min: values, max: values };
      const shifted = (bytes) => y(bytes) - thickness / 2;
      paintCurve(context, area, curve, places, stop, x, shifted, { colour: palette[colour], thickness });
    }
    if (mark !== undefined) {
      context.strokeStyle = palette.ink;
      context.setLineDash([5, 4]);
      const across = Math.round(x(mark)) + 0.5;
      context.beginPath();
      context.moveTo(across, area.y);
      context.lineTo(across, area.y + area.height);
      context.stroke();
      context.setLineDash([]);
    }
    if (at >= 0) {
      context.fillStyle = palette.ink;
      context.fillRect(x(places[at]), area.y, 1, area.height);
    }
    context.restore();
  };

  const show = (from, to) => {
    const span = Math.min(stop - start, Math.max(1, to - from));
    const first = Math.min(Math.max((from + to - span) / 2, start), stop - span);
    range = [first, first + span];
    paint();
  };
  const zoom = (factor, px) => {
    const centre = scaleOf(...range, area.x, area.x + area.width).invert(px);
    show(centre - (centre - range[0]) * factor, centre + (range[1] - centre) * factor);
  };

  const point = (index, px, py) => {
    at = index;
    hover.hidden = index < 0;
    if (index >= 0) {
      const heading = document.createElement("strong");
      heading.textContent = chart.title(index);
      hover.replaceChildren(heading, definitionsOf(chart.details(index)));
      placeWithin(hover, host, px, py);
    }
    paint();
  };
  const indexAt = (px) => {
    const place = scaleOf(...range, area.x, area.x + area.width).invert(px);
    if (px < area.x || px > area.x + area.width) {
      return -1;
    }
    // A value of a curve holds from its position on; areas have values at positions only.
    return areas.length > 0 ? d3.bisectCenter(places, place) : Math.max(0, d3.bisectRight(places, place) - 1);
  };

  host.addEventListener("pointerdown", (event) => {
    drag = { from: event.clientX, range };
    host.setPointerCapture(event.pointerId);
  });
  host.addEventListener("pointerup", () => {
    drag = undefined;
  });
  host.addEventListener("pointermove", (event) => {
    const box = host.getBoundingClientRect();
    if (drag) {
      const by = ((drag.from - event.clientX) / area.width) * (drag.range[1] - drag.range[0]);
      show(drag.range[0] + by, drag.range[1] + by);
    } else {
      point(indexAt(event.clientX - box.left), event.clientX - box.left, event.clientY - box.top);
    }
  });
  host.addEventListener("pointerleave", () => point(-1));
  host.addEventListener("wheel", (event) => {
    if (event.ctrlKey || document.activeElement === host) {
      event.preventDefault();
      zoom(Math.exp(Math.max(-240, Math.min(240, event.deltaY)) / 300), event.clientX - host.getBoundingClientRect().left);
    }
  }, { passive: false });

  const move = (by) => {
    const next = Math.min(Math.max(at + by, 0), places.length - 1);
    const x = scaleOf(...range, area.x, area.x + area.width);
    point(next, x(places[next]), area.y + area.height / 3);
  };
  const middle = () => area.x + area.width / 2;
  const keys = {
    ArrowRight: () => move(1),
    ArrowLeft: () => move(-1),
    "+": () => zoom(1 / 2, middle()),
    "=": () => zoom(1 / 2, middle()),
    "-": () => zoom(2, middle()),
    0: () => show(start, stop),
    Escape: () => point(-1),
  };
  host.addEventListener("keydown", (event) => {
    if (event.key in keys && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      keys[event.key]();
    }
  });
  new ResizeObserver(paint).observe(host);
  onColours(() => {
    palette = readPalette();
    paint();
  });
};

/* Paints areas above each other, the lowest first, straight between the positions, with a line above each. */
const paintAreas = (context, areas, places, x, y, palette) => {
  let below = new Float64Array(places.length);
  for (const { values, colour } of areas) {
    const above = below.map((bytes, i) => bytes + values[i]);
    const line = new Path2D();
    places.forEach((place, i) => line.lineTo(x(place), y(above[i])));
    const filled = new Path2D(line);
    for (let i = places.length - 1; i >= 0; i--) {
      filled.lineTo(x(places[i]), y(below[i]));
    }
    context.fillStyle = palette[colour];
    context.fill(filled);
    context.strokeStyle = palette.ground;
    context.lineWidth = 0.5;
    context.stroke(line);
    below = above;
  }
};

/* Lines and numbers of a logarithmic axis, at powers of 4. */
const paintPowers = (context, area, y, least, most, palette) => {
  context.font = `${palette.text}px ${fonts}`;
  context.textAlign = "right";
  context.textBaseline = "middle";
  for (let bytes = 1; bytes <= most; bytes *= 4) {
    if (bytes >= least) {
      context.fillStyle = palette.rule;
      context.fillRect(area.x, Math.round(y(bytes)), area.width, 1);
      context.fillStyle = palette.muted;
      const { name, bytes: unit } = unitFor(bytes);
      context.fillText(`${bytes / unit} ${name}`, area.x - 6, Math.round(y(bytes)));
    }
  }
};
