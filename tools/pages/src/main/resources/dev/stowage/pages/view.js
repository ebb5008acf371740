/*
 * The map and the curves below it, on two canvases: one with all that depends on the visible range, and above it
 * one with the moment and the outlines, which is repainted when the pointer moves. A view reads its state from a store. The model
 * provides:
 *
 *   count, bytes, first, end   the records: their bytes and steps, half-open
 *   boxes, weights             the rectangles, as in boxes.js; the bytes that count at a moment
 *   levels, groupings          the level of each record, and the ways to group them
 *   start, stop, axis, unit    the steps of the axis and its name, and the unit of bytes
 *   height                     the name of the vertical axis
 *   plan(state)                {address, start, stop, top, lines}: addresses of the records, the first and the last byte of
 *                              each box, the height of the map, and lines across it
 *   overlay                    a curve on the map, or undefined
 *   strip                      {most, stack, curves: [{name, curve, colour}]} below the map, or undefined
 *   peaks, failures            [first, last] steps of each range with the peak; steps of failed requests
 *   momentText(first, last)    the name of a range of steps
 *   item, names                what a record is, and the name of each
 *   detailsOf(record, state, most)   pairs of a term and a text or lines
 *   hintAt(step, byte)         a tooltip of something other than a record: {title, details, place}, or null
 *   holeAt(step, byte)         the free bytes at a point: {low, high}; optional
 *   bands                      {name, low, high}: ranges of bytes with a label beside the map
 *   under(context, layout, palette)   paints below the boxes; optional
 */
const viewOf = (host, model, store) => {
  const base = sizedCanvas(1, 1);
  const marks = sizedCanvas(1, 1);
  host.append(base, marks);
  let palette = readPalette();
  let layout;
  let isStale = true;

  const ratioOf = () => window.devicePixelRatio || 1;

  /* All of the map. */
  const wholeOf = (state) => {
    const { top, lines } = model.plan(state);
    return { left: model.start, right: model.stop, bottom: 0, top: Math.max(1, top, ...lines.map(({ bytes }) => bytes)) * 1.06 };
  };
  const rangeOf = (state) => state.range ?? wholeOf(state);

  const measure = (state) => {
    const { clientWidth: width, clientHeight: height } = host;
    const isNarrow = width < 640;
    const em = palette.text;
    const left = Math.round(isNarrow ? 4.4 * em : 7 * em);
    const right = isNarrow ? 8 : Math.round((model.bands.length > 0 ? 6 : 10.6) * em); // the room for labels
    const across = Math.max(40, width - left - right);
    const range = rangeOf(state);
    const bottom = height - Math.round(3.4 * em);
    const stripHeight = model.strip ? Math.round(Math.max(120, 0.2 * height)) : -14;
    const map = { x: left, y: 12, width: across, height: Math.max(60, bottom - stripHeight - 26) };
    return {
      width,
      height,
      isNarrow,
      map,
      strip: { x: left, y: map.y + map.height + 14, width: across, height: Math.max(0, stripHeight) },
      lowest: model.strip ? map.y + map.height + 14 + stripHeight : map.y + map.height,
      x: scaleOf(range.left, range.right, map.x, map.x + map.width),
      y: scaleOf(range.bottom, range.top, map.y + map.height, map.y),
      range,
    };
  };

  const clipped = (context, { x, y, width, height }, paint) => {
    context.save();
    context.beginPath();
    context.rect(x, y, width, height);
    context.clip();
    paint();
    context.restore();
  };

  const paintBase = (state) => {
    const ratio = ratioOf();
    layout = measure(state);
    const { width, height, isNarrow, map, strip, lowest, x, y, range } = layout;
    base.width = Math.round(width * ratio);
    base.height = Math.round(height * ratio);
    const context = base.getContext("2d");
    context.scale(ratio, ratio);
    paintUpwards(context, map, y, [range.bottom, range.top], model.unit, palette, `${model.height} (${model.unit.name})`);
    clipped(context, map, () => {
      model.under?.(context, layout, palette);
      const named = paintBoxes(context, model.boxes, model.plan(state), layout, state, palette);
      if (model.overlay) {
        context.globalAlpha = 0.6;
        paintCurve(context, map, model.overlay, model.stop, x, y, palette.ground, 4);
        context.globalAlpha = 1;
        paintCurve(context, map, model.overlay, model.stop, x, y, palette.load, 2);
      }
      paintNames(context, named, state.tone, model.names, palette);
    });
    paintLines(context, map, y, isNarrow ? [] : model.plan(state).lines, palette);
    paintBands(context, map, y, isNarrow ? [] : model.bands, palette);
    if (model.strip) {
      paintStrip(context, strip);
    }
    paintAcross(context, { ...map, height: lowest - map.y }, x, [range.left, range.right], palette, model.axis);
  };

  const paintStrip = (context, area) => {
    const { stack, curves, most } = model.strip;
    const { x } = layout;
    const top = most * 1.08 || 1;
    const y = scaleOf(0, top, area.y + area.height, area.y);
    paintUpwards(context, area, y, [0, top], unitFor(most), palette, unitFor(most).name);
    clipped(context, area, () => {
      paintStack(context, area, stack, model.stop, x, y, palette);
      curves.forEach(({ curve, colour }) => paintCurve(context, area, curve, model.stop, x, y, palette[colour], 1.5));
    });
    context.fillStyle = palette.muted;
    context.fillRect(area.x, area.y + area.height, area.width, 1);
  };

  /* The visible part of a rectangle of steps and bytes, in pixels; undefined if none is visible. */
  const placeOf = ({ first, end, low, high }) => {
    const { map, x, y } = layout;
    const left = Math.max(map.x, x(first));
    const right = Math.min(map.x + map.width, x(end));
    const top = Math.max(map.y, y(high));
    const bottom = Math.min(map.y + map.height, y(low));
    return right < left || bottom < top ? undefined : { left, top, width: right - left, height: bottom - top };
  };

  const rectangleOf = (record, state) => {
    const low = model.plan(state).address[record];
    return { first: model.first[record], end: model.end[record], low, high: low + model.bytes[record] };
  };

  /* Marks differ by their shapes, not only by colour. */
  const paintMarks = (state) => {
    const ratio = ratioOf();
    marks.width = base.width;
    marks.height = base.height;
    const context = marks.getContext("2d");
    context.scale(ratio, ratio);
    const { map, lowest, x } = layout;
    const isVisible = (at) => at >= map.x - 0.5 && at <= map.x + map.width + 0.5;
    paintPeaks(context);
    let last = -Infinity;
    for (const at of model.failures.map((step) => Math.round(x(step + 0.5)))) {
      if (at > last && isVisible(at)) {
        paintLine(context, at - 4, map.y + 1, at + 4, map.y + 9, palette.failed, 2);
        paintLine(context, at + 4, map.y + 1, at - 4, map.y + 9, palette.failed, 2);
        last = at;
      }
    }
    const moment = x(state.moment + 0.5);
    if (state.moment >= 0 && isVisible(moment)) {
      paintLine(context, moment, map.y, moment, lowest, palette.ink, 1.5, [5, 3]);
    }
    const outline = (rectangle, width) => {
      const place = rectangle && placeOf(rectangle);
      for (const [lineWidth, colour] of place ? [[width + 2, palette.ground], [width, palette.focus]] : []) {
        context.lineWidth = lineWidth;
        context.strokeStyle = colour;
        context.strokeRect(place.left - 1, place.top - 1, place.width + 1, place.height + 1);
      }
    };
    outline(state.pinned >= 0 && rectangleOf(state.pinned, state), 3);
    const hole = state.hole >= 0 && model.holeAt?.(state.moment, state.hole);
    outline(hole && { ...hole, first: state.moment, end: state.moment + 1 }, 3);
    outline(state.hovered >= 0 ? rectangleOf(state.hovered, state) : state.hint?.place, 2);
  };

  /* A triangle above each peak; of peaks that are nearer to each other than triangles are wide, the first one has it. */
  const paintPeaks = (context) => {
    const { map, x } = layout;
    const half = palette.text * 0.45;
    let free = -Infinity;
    context.fillStyle = palette.load;
    for (const [first, last] of model.peaks) {
      const from = Math.max(x(first), map.x);
      const to = Math.min(x(last + 1), map.x + map.width);
      const at = (from + to) / 2;
      if (from <= to && to - from > 4 * half) {
        context.fillRect(from, map.y - 3, to - from, 2);
      }
      if (from <= to && at > free) {
        context.fill(new Path2D(`M${at} ${map.y}l${-half} ${-1.8 * half}h${2 * half}z`));
        free = at + half;
      }
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
  const flush = () => {
    cancelAnimationFrame(frame);
    paint();
  };
  store.listen((state, previous) => {
    isStale ||= ["shown", "tone", "range"].some((name) => state[name] !== previous[name]);
    frame ||= requestAnimationFrame(paint);
  });
  const repaint = () => {
    palette = readPalette(); // the size of text depends on the width of the window
    isStale = true;
    flush(); // within this frame, so that the canvases never have another size than the page
  };
  new ResizeObserver(repaint).observe(host);
  onColours(repaint);

  return {
    host,
    flush,
    wholeOf,
    rangeOf,
    layout: () => layout,
    rectangleOf,
    stepAt: (px) => Math.min(Math.max(Math.floor(layout.x.invert(px)), model.start), model.stop - 1),
    byteAt: (py) => layout.y.invert(py),
    /* The record at a point, or within a pixel of it. */
    recordAt: (px, py) => {
      const { map, x, y } = layout;
      const [step, byte] = [x.invert(px), y.invert(py)];
      const find = (pixels) => recordAt(model.boxes, model.plan(store.get()), step, byte, pixels / x.factor, -pixels / y.factor);
      return isWithin(map, px, py) ? [0, 1].map(find).find((record) => record >= 0) ?? -1 : -1;
    },
  };
};

const isWithin = ({ x, y, width, height }, px, py) => px >= x && px < x + width && py >= y && py < y + height;
