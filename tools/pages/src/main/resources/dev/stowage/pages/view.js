/*
 * The map and the curves below it, on two canvases: one with all that depends on the visible range, and above it
 * one with the moment and the outlines, which is repainted when the pointer moves. A view reads its state from a store and
 * changes only the store. The model provides:
 *
 *   count, bytes, first, end   the records: their bytes and steps, half-open
 *   order                      the records in the order of the keys
 *   boxes, weights             the rectangles, as in raster.js; the bytes that count at a moment, as in moment.js
 *   levels, groupings          the level of each record, and the ways to group them, as in moment.js
 *   start, stop, unit          the steps of the axis, and the unit of bytes
 *   axes                       {id, label, of(step), stepAt(position), text(tick)}: the first one counts steps
 *   plan(state)                {address, top, lines}: addresses of the records, height of the map, lines across it
 *   beside                     the model of another map with the same height; optional
 *   overlay                    a curve on the map, or undefined
 *   strips                     {name, unit, most, stack, curves: [{name, curve, colour, fill, dashes, text}]} below the map; "stack", if
 *                              there is one, has parts above each other, as in parts.js
 *   peaks                      [first, last] steps of each range with the peak
 *   failures                   steps of failed requests
 *   bands                      {name, low, high}: ranges of bytes with a label beside the map; optional
 *   stepName(step)             the name of a step on the axis, or undefined
 *   stepText(step)             the name of a step in a sentence
 *   momentText(first, last)    the title of a range of steps
 *   nameOf(record)             the name in a box
 *   titleOf(record), detailsOf(record, state)   a tooltip: the details are pairs of a term and a text or lines
 *   hintAt(step, byte, state, {px, py, view})  a tooltip of something other than a record: {title, details, place};
 *                              null if there is none; optional
 *   chosenHole(state)                              the rectangle of the chosen hole; optional
 *   under(raster, scale, axis, palette, stop, state)   paints below the boxes; optional
 *   underKey(state)                                tells whether "under" paints the same; optional
 *   over(context, area, x, y, axis, palette, stop) paints above the boxes; optional
 */
const viewOf = (host, model, store, planOf = model.plan) => {
  const base = sizedCanvas(1, 1);
  const marks = sizedCanvas(1, 1);
  const large = { image: rasterOf() };
  const miniature = { image: rasterOf() };
  host.append(base, marks);
  let palette = readPalette();
  let layout;
  let isStale = true;
  let isMiniatureStale = true;
  let placed;
  let positions = positionsOn(model, model.axes[0]);

  const ratioOf = () => window.devicePixelRatio || 1;
  const axisOf = (state) => model.axes.find(({ id }) => id === state.axis) ?? model.axes[0];

  /* All of the map. */
  const wholeOf = (state) => {
    const axis = axisOf(state);
    const left = axis.of(model.start);
    // Maps beside each other have the same height.
    const plans = [planOf(state), model.plan(state)];
    if (state.compared >= 0) {
      plans.push(model.plan({ ...state, shown: state.compared }));
    }
    if (model.beside) {
      plans.push(model.beside.plan(state));
    }
    const highest = Math.max(1, ...plans.flatMap(({ top, lines }) => [top, ...lines.map(({ bytes }) => bytes)]));
    return { left, right: Math.max(axis.of(model.stop), left + 1e-9), bottom: 0, top: highest * 1.06 };
  };
  const rangeOf = (state) => state.range ?? wholeOf(state);

  const measure = (state) => {
    const width = host.clientWidth;
    const height = host.clientHeight;
    const isNarrow = width < 640;
    const em = palette.text;
    const left = Math.round(isNarrow ? 4.4 * em : 7 * em);
    const right = isNarrow ? 8 : Math.round(10.6 * em);
    const across = Math.max(40, width - left - right);
    const range = rangeOf(state);
    const isNamed = model.stepName && axisOf(state).id === model.axes[0].id;
    const hasNames = isNamed && across / (range.right - range.left) >= 1.25 * em;
    const below = Math.round(hasNames ? 11.5 * em : 3.4 * em);
    const mini = { x: left, y: Math.round(height - 4 * em), width: across, height: Math.round(3.6 * em) };
    const usual = isNarrow ? 60 : Math.round(Math.max(84, Math.min(0.11 * height, 180)));
    // A stack has room for the names of its parts.
    const heights = model.strips.map(({ stack, curves }) =>
      stack && !isNarrow ? Math.max(1.5 * usual, (stack.kinds.length + curves.length) * 1.35 * em) : stack ? 1.5 * usual : usual,
    );
    const stripsTop = mini.y - below - d3.sum(heights, (strip) => strip + 14);
    const map = { x: left, y: 12, width: across, height: Math.max(60, stripsTop - 12) };
    let stripTop = map.y + map.height;
    const strips = heights.map((strip) => {
      const area = { x: left, y: stripTop + 14, width: across, height: strip };
      stripTop = area.y + strip;
      return area;
    });
    return {
      width,
      height,
      isNarrow,
      hasNames,
      map,
      strips,
      mini,
      lowest: strips.at(-1) ?? map,
      x: scaleOf(range.left, range.right, map.x, map.x + map.width),
      y: scaleOf(range.bottom, range.top, map.y + map.height, map.y),
      range,
    };
  };

  const pixelScale = ({ left, right, bottom, top }, width, height) => ({
    left,
    right,
    bottom,
    top,
    perStep: width / (right - left),
    perByte: height / (top - bottom),
  });

  /* Paints the map into an image. If only colours have changed since the last time, no box is placed again. */
  const paintMap = (target, state, range, { width, height }) => {
    const ratio = ratioOf();
    const { address } = planOf(state);
    const [across, up] = [Math.round(width * ratio), Math.round(height * ratio)];
    const { left, right, bottom, top } = range;
    const key = [left, right, bottom, top, across, up, address, positions, palette, model.underKey?.(state)];
    if (target.key?.every((value, i) => value === key[i]) !== true) {
      target.key = key;
      if (placed?.address !== address) {
        placed = { address, ...placedBoxes(model.boxes, address) };
      }
      const image = target.image.resize(across, up);
      const scale = pixelScale(range, image.width, image.height);
      model.under?.(image, scale, axisOf(state), palette, model.stop, state);
      target.named = placeBoxes(image, scale, positions.boxes, placed, 1.2 * palette.text * ratio);
    }
    colourPixels(target.image.get(), state, palette, ratio);
    target.image.show();
  };

  const paintBase = (state) => {
    const ratio = ratioOf();
    layout = measure(state);
    const { width, height, isNarrow, map, strips, lowest, x, y, range } = layout;
    base.width = Math.round(width * ratio);
    base.height = Math.round(height * ratio);
    const context = base.getContext("2d");
    context.scale(ratio, ratio);
    const axis = axisOf(state);
    paintUpwards(context, map, y, [range.bottom, range.top], model.unit, palette, `${model.height} (${model.unit.name})`);
    paintMap(large, state, range, map);
    context.drawImage(large.image.canvas, map.x, map.y, map.width, map.height);
    clipped(context, map, () => {
      model.over?.(context, map, x, y, axis, palette, model.stop);
      if (model.overlay) {
        paintOverlay(context, state);
      }
      context.save();
      context.scale(1 / ratio, 1 / ratio);
      context.translate(map.x * ratio, map.y * ratio);
      paintNames(context, large.named, state.tone, model.nameOf, palette, ratio);
      context.restore();
    });
    const labels = paintLines(context, map, y, planOf(state).lines, !isNarrow, palette);
    if (!isNarrow) {
      paintBands(context, map, y, model.bands ?? [], labels, palette);
    }
    strips.forEach((area, i) => paintStrip(context, area, model.strips[i], i));
    const rangeOfSteps = [range.left, range.right];
    const isNamed =
      layout.hasNames && paintStepNames(context, lowest, x, rangeOfSteps, palette, model.stepName);
    if (!isNamed) {
      paintAcross(context, lowest, x, rangeOfSteps, palette, axis.label, axis.text);
    }
    paintMiniature(context, state);
  };

  const clipped = (context, { x, y, width, height }, paint) => {
    context.save();
    context.beginPath();
    context.rect(x, y, width, height);
    context.clip();
    paint();
    context.restore();
  };

  const paintOverlay = (context, state) => {
    const { map, x, y } = layout;
    const position = positions.overlay;
    const stop = axisOf(state).of(model.stop);
    const wide = { colour: palette.ground, thickness: 4 };
    context.globalAlpha = 0.6;
    paintCurve(context, map, model.overlay, position, stop, x, (bytes) => y(bytes) - 2, wide);
    context.globalAlpha = 1;
    const line = { colour: palette.load, thickness: 2 };
    paintCurve(context, map, model.overlay, position, stop, x, (bytes) => y(bytes) - 1, line);
  };

  const paintStrip = (context, area, strip, i) => {
    const { x } = layout;
    const y = scaleOf(0, strip.most * 1.08 || 1, area.y + area.height, area.y);
    paintUpwards(context, area, y, [0, strip.most * 1.08 || 1], strip.unit, palette, strip.unit.name);
    const stop = axisOf(store.get()).of(model.stop);
    clipped(context, area, () => {
      if (strip.stack) {
        paintStack(context, area, strip.stack, positions.stacks[i], stop, x, y, palette);
      }
      strip.curves.forEach(({ curve, colour, fill, dashes }, k) => {
        paintCurve(context, area, curve, positions.strips[i][k], stop, x, y, {
          colour: palette[colour],
          thickness: 1.5,
          fill: fill && palette[fill],
          dashes,
        });
      });
    });
    if (!layout.isNarrow) {
      paintCurveNames(context, area, strip.curves, palette, strip.stack?.kinds ?? []);
    }
    context.fillStyle = palette.muted;
    context.fillRect(area.x, area.y + area.height, area.width, 1);
  };

  const paintMiniature = (context, state) => {
    const { mini, range } = layout;
    const whole = wholeOf(state);
    if (isMiniatureStale) {
      paintMap(miniature, state, whole, mini);
      isMiniatureStale = false;
    }
    context.drawImage(miniature.image.canvas, mini.x, mini.y, mini.width, mini.height);
    const x = scaleOf(whole.left, whole.right, mini.x, mini.x + mini.width);
    const y = scaleOf(whole.bottom, whole.top, mini.y + mini.height, mini.y);
    context.fillStyle = palette.ground;
    context.globalAlpha = 0.55;
    const [x0, x1, y0, y1] = [x(range.left), x(range.right), y(range.top), y(range.bottom)];
    context.fillRect(mini.x, mini.y, x0 - mini.x, mini.height);
    context.fillRect(x1, mini.y, mini.x + mini.width - x1, mini.height);
    context.globalAlpha = 1;
    context.strokeStyle = palette.rule;
    context.lineWidth = 1;
    context.strokeRect(mini.x + 0.5, mini.y + 0.5, mini.width - 1, mini.height - 1);
    if (state.range) {
      context.strokeStyle = palette.focus;
      context.lineWidth = 2;
      context.strokeRect(x0, y0, Math.max(3, x1 - x0), Math.max(3, y1 - y0));
    }
  };

  /* The visible part of a rectangle of steps and bytes, in pixels; undefined if none is visible. */
  const placeOf = ({ first, end, low, high }, state) => {
    const { map, x, y } = layout;
    const axis = axisOf(state);
    const left = Math.max(map.x, x(axis.of(first)));
    const right = Math.min(map.x + map.width, x(axis.of(end)));
    const top = Math.max(map.y, y(high));
    const bottom = Math.min(map.y + map.height, y(low));
    return right < left || bottom < top ? undefined : { left, top, width: right - left, height: bottom - top };
  };

  const rectangleOf = (record, state) => {
    const low = planOf(state).address[record];
    return { first: model.first[record], end: model.end[record], low, high: low + model.bytes[record] };
  };

  const paintMarks = (state) => {
    const ratio = ratioOf();
    marks.width = base.width;
    marks.height = base.height;
    const context = marks.getContext("2d");
    context.scale(ratio, ratio);
    const { map, lowest, x } = layout;
    const axis = axisOf(state);
    const pixelOf = (step) => x(axis.of(step));
    paintPeaks(context, map, model.peaks, pixelOf, palette);
    paintFailures(context, map, model.failures, pixelOf, palette);
    if (state.moment >= 0) {
      paintMoment(context, map, lowest.y + lowest.height, pixelOf(state.moment + 0.5), palette);
    }
    const outline = (place, width) => place && paintOutline(context, place, width, palette);
    const place = (record) => placeOf(rectangleOf(record, state), state);
    (model.related?.(state) ?? []).forEach((record) => outline(place(record), 1));
    if (state.pinned >= 0) {
      outline(place(state.pinned), 3);
    }
    const hole = model.chosenHole?.(state);
    if (hole) {
      outline(placeOf(hole, state), 3);
    }
    if (state.hovered >= 0) {
      outline(place(state.hovered), 2);
    } else if (state.hint) {
      outline(placeOf(state.hint.place, state), 2);
    }
  };

  let frame = 0;
  const paint = () => {
    frame = 0;
    const state = store.get();
    if (isStale) {
      isStale = false;
      paintBase(state);
    }
    paintMarks(state);
  };
  const repaint = (stale) => {
    isStale ||= stale;
    frame ||= requestAnimationFrame(paint);
  };
  const flush = () => {
    cancelAnimationFrame(frame);
    paint();
  };

  store.listen((state, previous) => {
    const changes = (...names) => names.some((name) => state[name] !== previous[name]);
    if (changes("axis")) {
      positions = positionsOn(model, axisOf(state));
    }
    if (changes("shown", "compared", "tone", "axis", "live", "group")) {
      isMiniatureStale = true;
    }
    repaint(changes("shown", "compared", "tone", "axis", "live", "range", "group"));
  });

  new ResizeObserver(() => {
    palette = readPalette(); // the size of text depends on the width of the window
    isMiniatureStale = true;
    isStale = true;
    flush(); // within this frame, so that the canvases never have another size than the page
  }).observe(host);
  onColours(() => {
    palette = readPalette();
    isMiniatureStale = true;
    isStale = true;
    flush();
  });

  /* The areas, scales and records at a point of the host, for the navigation. */
  return {
    host,
    flush,
    wholeOf,
    rangeOf,
    axisOf,
    planOf,
    layout: () => layout,
    axis: () => axisOf(store.get()),
    placeOf,
    rectangleOf,
    stepAt: (px) => axisOf(store.get()).stepAt(layout.x.invert(px)),
    byteAt: (py) => layout.y.invert(py),
    recordAt: (px, py) => {
      const ratio = ratioOf();
      const { map } = layout;
      return isWithin(map, px, py) ? large.image.recordAt((px - map.x) * ratio, (py - map.y) * ratio) : -1;
    },
    /* The pixel of a step and a number of bytes on the map, or of a value in a strip. */
    pixelOf: (step, value, strip = -1) => {
      flush();
      const left = layout.x(axisOf(store.get()).of(step));
      if (strip < 0) {
        return [left, layout.y(value)];
      }
      const { most } = model.strips[strip];
      const area = layout.strips[strip];
      return [left, scaleOf(0, most * 1.08 || 1, area.y + area.height, area.y)(value)];
    },
    colourAt: (px, py) => {
      flush();
      const ratio = ratioOf();
      return base.getContext("2d").getImageData(px * ratio, py * ratio, 1, 1).data.join(",");
    },
  };
};

const isWithin = ({ x, y, width, height }, px, py) => px >= x && px < x + width && py >= y && py < y + height;

/* The boxes and curves of a model on an axis. */
const positionsOn = (model, axis) => {
  const map = (steps) => (axis.isSteps ? steps : Float64Array.from(steps, axis.of));
  const { boxes } = model;
  return {
    boxes: { ...boxes, first: map(boxes.first), end: map(boxes.end) },
    overlay: model.overlay && map(model.overlay.event),
    stacks: model.strips.map(({ stack }) => stack && map(stack.event)),
    strips: model.strips.map(({ curves }) => curves.map(({ curve }) => map(curve.event))),
  };
};
