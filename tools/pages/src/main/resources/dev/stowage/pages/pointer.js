/*
 * Pointer, wheel, touch and keys of a view. The wheel scrolls the page, unless the map has the focus or Ctrl is
 * pressed; with Shift it zooms the axis of steps alone. One finger scrolls the page, and two fingers zoom and move the map.
 */
const navigationOf = (view, model, store) => {
  const { host } = view;
  const pointers = new Map();
  let drag;

  /* Shows a range within the whole map, and at least one step and some bytes. */
  const show = ({ left, right, bottom, top }) => {
    const state = store.get();
    const whole = view.wholeOf(state);
    const axis = view.axisOf(state);
    const leastAcross = Math.min(whole.right - whole.left, axis.leastSpan);
    const leastUp = Math.min(whole.top, 64);
    const fit = (low, high, least, from, to) => {
      const span = Math.min(to - from, Math.max(high - low, least));
      const start = Math.min(Math.max((low + high - span) / 2, from), to - span);
      return [start, start + span];
    };
    const [l, r] = fit(left, right, leastAcross, whole.left, whole.right);
    const [b, t] = fit(bottom, top, leastUp, whole.bottom, whole.top);
    const isWhole = r - l >= (whole.right - whole.left) * 0.9999 && t - b >= (whole.top - whole.bottom) * 0.9999;
    store.set({ range: isWhole ? null : { left: l, right: r, bottom: b, top: t } });
  };

  /* Zooms by factors around a point; the point stays where it is. */
  const zoom = (factorX, factorY, px, py) => {
    const range = view.rangeOf(store.get());
    const { x, y } = view.layout();
    const at = x.invert(px);
    const byte = y.invert(py);
    show({
      left: at - (at - range.left) * factorX,
      right: at + (range.right - at) * factorX,
      bottom: byte - (byte - range.bottom) * factorY,
      top: byte + (range.top - byte) * factorY,
    });
  };

  const zoomAtCentre = (factor) => {
    const { map } = view.layout();
    zoom(factor, factor, map.x + map.width / 2, map.y + map.height / 2);
  };

  const pan = (across, upwards) => {
    const range = view.rangeOf(store.get());
    const dx = across * (range.right - range.left);
    const dy = upwards * (range.top - range.bottom);
    show({ left: range.left + dx, right: range.right + dx, bottom: range.bottom + dy, top: range.top + dy });
  };

  /* Moves one end of the axis of steps into view. */
  const panTo = (at) => {
    const range = view.rangeOf(store.get());
    const span = range.right - range.left;
    show({ ...range, left: at - span / 2, right: at + span / 2 });
  };

  /*
   * Moves the visible range so that a rectangle is within it, without another zoom if it fits. Without "low" and
   * "high", it moves only along the steps.
   */
  const reveal = ({ first, end, low, high }) => {
    const state = store.get();
    const range = view.rangeOf(state);
    const axis = view.axisOf(state);
    const moved = (from, to, a, b) => {
      if (a >= from && b <= to) {
        return [from, to];
      }
      const span = Math.max(to - from, (b - a) * 1.1);
      const middle = (a + b) / 2;
      return [middle - span / 2, middle + span / 2];
    };
    const [left, right] = moved(range.left, range.right, axis.of(first), axis.of(end));
    const [bottom, top] = low === undefined ? [range.bottom, range.top] : moved(range.bottom, range.top, low, high);
    if (left !== range.left || right !== range.right || bottom !== range.bottom || top !== range.top) {
      show({ left, right, bottom, top });
    }
  };

  const pointOf = (event) => {
    const box = host.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };

  const hoverAt = (px, py) => {
    const state = store.get();
    const { map } = view.layout();
    const record = view.recordAt(px, py);
    let hint = null;
    if (record < 0) {
      const strip = view.layout().strips.findIndex((area) => isWithin(area, px, py));
      const step = Math.floor(view.stepAt(px));
      if (strip >= 0) {
        hint = stripHint(model, step);
      } else if (isWithin(map, px, py)) {
        hint = model.hintAt?.(step, view.byteAt(py), state, { px, py, view }) ?? null;
      }
    }
    store.set({ hovered: record, hint, pointer: [px, py] });
  };

  const unhover = () => store.set({ hovered: -1, hint: null, pointer: null });

  const selectAt = (px, py) => {
    const { map, strips, mini } = view.layout();
    if (isWithin(mini, px, py)) {
      centreAt(px, py);
      return;
    }
    if (isWithin(map, px, py) || strips.some((area) => isWithin(area, px, py))) {
      const step = Math.min(Math.max(Math.floor(view.stepAt(px)), model.start), model.stop - 1);
      const pinned = view.recordAt(px, py);
      const hole = pinned < 0 && isWithin(map, px, py) ? model.holeAt?.(step, view.byteAt(py)) : undefined;
      store.set({ moment: step, pinned, hole: hole ? hole.low : -1, ...(hole ? { panel: "holes" } : {}) });
    }
  };

  const centreAt = (px, py) => {
    const range = view.rangeOf(store.get());
    const { at, byte } = pointInMini(px, py);
    const across = (range.right - range.left) / 2;
    const up = (range.top - range.bottom) / 2;
    show({ left: at - across, right: at + across, bottom: byte - up, top: byte + up });
  };

  /* The point of the map that the minimap shows at a point. */
  const pointInMini = (px, py) => {
    const { mini } = view.layout();
    const whole = view.wholeOf(store.get());
    return {
      at: whole.left + ((px - mini.x) / mini.width) * (whole.right - whole.left),
      byte: whole.top - ((py - mini.y) / mini.height) * (whole.top - whole.bottom),
    };
  };

  const isInFrame = (px, py) => {
    const { left, right, bottom, top } = view.rangeOf(store.get());
    const { at, byte } = pointInMini(px, py);
    return at >= left && at <= right && byte >= bottom && byte <= top;
  };

  host.addEventListener("wheel", (event) => {
    if (!event.ctrlKey && document.activeElement !== host) {
      return; // the page scrolls
    }
    event.preventDefault();
    const [px, py] = pointOf(event);
    const pixels = [1, 16, host.clientHeight][event.deltaMode];
    // With Shift, some systems turn the wheel sideways.
    const isSideways = Math.abs(event.deltaX) > Math.abs(event.deltaY);
    if (isSideways && !event.shiftKey && !event.ctrlKey) {
      pan((event.deltaX * pixels) / view.layout().map.width, 0);
    } else {
      const turned = (isSideways ? event.deltaX : event.deltaY) * pixels;
      const factor = Math.exp(Math.max(-240, Math.min(240, turned)) / 300);
      zoom(factor, event.shiftKey ? 1 : factor, px, py);
    }
    hoverAt(px, py);
  }, { passive: false });

  // The browser would scroll the page with two fingers.
  for (const type of ["touchstart", "touchmove"]) {
    host.addEventListener(type, (event) => {
      if (event.touches.length > 1) {
        event.preventDefault();
      }
    }, { passive: false });
  }

  host.addEventListener("pointerdown", (event) => {
    pointers.set(event.pointerId, pointOf(event));
    if (pointers.size === 1 && event.button === 0) {
      const [px, py] = pointOf(event);
      const isMini = isWithin(view.layout().mini, px, py);
      drag = { px, py, range: view.rangeOf(store.get()), moved: false, isMini, isMouse: event.pointerType !== "touch" };
      drag.isFrame = isMini && isInFrame(px, py);
    }
  });

  host.addEventListener("pointermove", (event) => {
    const [px, py] = pointOf(event);
    if (pointers.size === 2 && pointers.has(event.pointerId)) {
      pinch(event.pointerId, [px, py]);
    } else if (drag?.isMouse) {
      dragTo(px, py, event.pointerId);
    } else if (pointers.size === 0) {
      hoverAt(px, py);
    }
  });

  /* Zooms by the distance of the fingers, and moves by the point between them. */
  const pinch = (id, now) => {
    const before = pointers.get(id);
    const [other] = [...pointers].filter(([key]) => key !== id).map(([, at]) => at);
    const far = (a) => Math.max(8, Math.hypot(a[0] - other[0], a[1] - other[1]));
    const factor = far(before) / far(now);
    pointers.set(id, now);
    if (drag) {
      drag.moved = true;
    }
    const { map } = view.layout();
    pan((before[0] - now[0]) / 2 / map.width, (now[1] - before[1]) / 2 / map.height);
    zoom(factor, factor, (now[0] + other[0]) / 2, (now[1] + other[1]) / 2);
  };

  const dragTo = (px, py, id) => {
    if (!drag.moved && Math.hypot(px - drag.px, py - drag.py) < 4) {
      return;
    }
    if (!drag.moved) {
      drag.moved = true;
      host.setPointerCapture(id);
      unhover();
    }
    if (drag.isMini && !drag.isFrame) {
      centreAt(px, py);
      return;
    }
    // The map moves with the pointer; the frame in the minimap moves with it over the whole map.
    const { range } = drag;
    const { map, mini } = view.layout();
    const [area, span, sign] = drag.isFrame ? [mini, view.wholeOf(store.get()), -1] : [map, range, 1];
    const dx = ((sign * (drag.px - px)) / area.width) * (span.right - span.left);
    const dy = ((sign * (py - drag.py)) / area.height) * (span.top - span.bottom);
    show({ left: range.left + dx, right: range.right + dx, bottom: range.bottom + dy, top: range.top + dy });
  };

  const release = (event) => {
    pointers.delete(event.pointerId);
    if (drag && !drag.moved && event.type === "pointerup") {
      selectAt(drag.px, drag.py);
    }
    if (pointers.size === 0) {
      drag = undefined;
    }
  };
  host.addEventListener("pointerup", release);
  host.addEventListener("pointercancel", release);
  host.addEventListener("pointerleave", unhover);

  /* Steps through the records; the view follows, and the tooltip is at the record. */
  const stepBy = (by) => {
    const state = store.get();
    const count = model.order.length;
    if (count === 0) {
      return;
    }
    const at = model.order.indexOf(state.hovered >= 0 ? state.hovered : state.pinned);
    const from = at < 0 ? (by > 0 ? -1 : count) : at;
    hoverRecord(model.order[(from + by + count) % count]);
  };

  const hoverRecord = (record) => {
    reveal(view.rectangleOf(record, store.get()));
    view.flush();
    const state = store.get();
    const place = view.placeOf(view.rectangleOf(record, state), state);
    const pointer = place ? [place.left + place.width / 2, place.top + place.height / 2] : [0, 0];
    store.set({ hovered: record, hint: null, pointer });
    say(`${model.titleOf(record)}: ${model.detailsOf(record, state).flat(2).join(", ")}`);
  };

  /* Tells a screen reader the answer to a key. */
  const say = (text) => {
    element("said").textContent = text.length > 500 ? `${text.slice(0, 500)}…` : text;
  };

  const sayMoment = () => {
    const { moment, liveRecords, liveTotal } = store.get();
    say(`${model.momentText(moment, moment)}: ${exactText(liveTotal)} in ${numberText(liveRecords.length)} ${model.item}s`);
  };

  /* Moves the moment by a step. */
  const moveMoment = (by) => {
    const { moment } = store.get();
    const next = Math.min(Math.max(moment + by, model.start), model.stop - 1);
    store.set({ moment: next });
    reveal({ first: next, end: next + 1 });
    sayMoment();
  };

  const pin = () => {
    const { hovered } = store.get();
    if (hovered >= 0) {
      store.set({ pinned: hovered, panel: "selected" });
    }
  };

  const whole = () => store.set({ range: null });

  /* The next range of steps with the peak, after the moment. */
  const nextPeak = () => {
    if (model.peaks.length > 0) {
      const { moment } = store.get();
      const next = model.peaks.find(([first]) => first > moment) ?? model.peaks[0];
      store.set({ moment: next[0] });
      reveal({ first: next[0], end: next[0] + 1 });
      sayMoment();
    }
  };

  const keys = {
    ArrowRight: (shift) => (shift ? pan(0.25, 0) : stepBy(1)),
    ArrowLeft: (shift) => (shift ? pan(-0.25, 0) : stepBy(-1)),
    ArrowUp: () => pan(0, 0.25),
    ArrowDown: () => pan(0, -0.25),
    "+": () => zoomAtCentre(1 / 2),
    "=": () => zoomAtCentre(1 / 2),
    "-": () => zoomAtCentre(2),
    ",": () => moveMoment(-1),
    ".": () => moveMoment(1),
    Home: () => panTo(view.wholeOf(store.get()).left),
    End: () => panTo(view.wholeOf(store.get()).right),
    0: whole,
    p: nextPeak,
    Enter: pin,
    Escape: () => store.set({ hovered: -1, hint: null, pinned: -1, hole: -1 }),
  };
  host.addEventListener("keydown", (event) => {
    if (event.key in keys && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      keys[event.key](event.shiftKey);
    }
  });

  return { show, zoomAtCentre, reveal, hoverRecord, whole, nextPeak };
};

/* The values of all curves at a step, or their ranges where steps are merged. */
const stripHint = (model, step) => {
  const at = Math.min(Math.max(step, model.start), model.stop - 1);
  const curves = model.strips.flatMap(({ curves: all }) => all);
  const ranges = curves.map(({ curve }) => rangeAt(curve, at));
  const merged = ranges.filter(({ min, max }) => min !== max);
  const first = merged.reduce((most, range) => Math.max(most, range.first), at);
  const last = merged.reduce((least, range) => Math.min(least, range.last), model.stop - 1);
  const isOne = merged.length === 0;
  return {
    title: isOne ? model.momentText(at, at) : model.momentText(Math.min(first, at), Math.max(last, at)),
    details: [...curves.map(({ name, text }, i) => [name, rangeText(ranges[i], text)]), ...(model.stackHint?.(at) ?? [])],
    place: { first: at, end: at + 1, low: 0, high: 0 },
  };
};

const rangeText = ({ min, max }, text) => (min === max ? text(min) : `${text(min)} to ${text(max)}`);
