/*
 * Pointer, wheel and keys of a view. The wheel scrolls the page, unless the map has the focus or Ctrl is pressed; with
 * Shift it zooms the steps alone.
 */
const navigationOf = (view, model, store) => {
  const { host } = view;
  let drag;

  /* Shows a range within the whole map, and at least one step and some bytes. */
  const show = ({ left, right, bottom, top }) => {
    const whole = view.wholeOf(store.get());
    const fit = (low, high, least, from, to) => {
      const span = Math.min(to - from, Math.max(high - low, least));
      const start = Math.min(Math.max((low + high - span) / 2, from), to - span);
      return [start, start + span];
    };
    const [l, r] = fit(left, right, 1, whole.left, whole.right);
    const [b, t] = fit(bottom, top, 64, whole.bottom, whole.top);
    const isWhole = r - l >= (whole.right - whole.left) * 0.9999 && t - b >= (whole.top - whole.bottom) * 0.9999;
    store.set({ range: isWhole ? null : { left: l, right: r, bottom: b, top: t } });
  };

  /* Zooms by factors around a point; the point stays where it is. */
  const zoom = (factorX, factorY, px, py) => {
    const { left, right, bottom, top } = view.rangeOf(store.get());
    const at = view.layout().x.invert(px);
    const byte = view.byteAt(py);
    show({
      left: at - (at - left) * factorX,
      right: at + (right - at) * factorX,
      bottom: byte - (byte - bottom) * factorY,
      top: byte + (top - byte) * factorY,
    });
  };

  const zoomAtCentre = (factor) => {
    const { map } = view.layout();
    zoom(factor, factor, map.x + map.width / 2, map.y + map.height / 2);
  };

  const pan = (across, upwards, { left, right, bottom, top } = view.rangeOf(store.get())) => {
    const dx = across * (right - left);
    const dy = upwards * (top - bottom);
    show({ left: left + dx, right: right + dx, bottom: bottom + dy, top: top + dy });
  };

  /* Moves the visible range so that a rectangle is within it, without another zoom if it fits. */
  const reveal = ({ first, end, low, high }) => {
    const range = view.rangeOf(store.get());
    const moved = (from, to, a, b) => {
      const half = Math.max(to - from, (b - a) * 1.1) / 2;
      return a >= from && b <= to ? [from, to] : [(a + b) / 2 - half, (a + b) / 2 + half];
    };
    const [left, right] = moved(range.left, range.right, first, end);
    const [bottom, top] = moved(range.bottom, range.top, low, high);
    if (left !== range.left || bottom !== range.bottom || right !== range.right || top !== range.top) {
      show({ left, right, bottom, top });
    }
  };

  const pointOf = (event) => {
    const box = host.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };

  const hoverAt = (event) => {
    const [px, py] = pointOf(event);
    const { map, strip } = view.layout();
    const hovered = view.recordAt(px, py);
    const step = view.stepAt(px);
    const hint =
      hovered >= 0 ? null : isWithin(strip, px, py) ? stripHint(model, step) : isWithin(map, px, py) ? model.hintAt(step, view.byteAt(py)) : null;
    store.set({ hovered, hint, pointer: [event.clientX, event.clientY] });
  };

  const unhover = () => store.set({ hovered: -1, hint: null, pointer: null });

  const selectAt = ([px, py]) => {
    const { map, strip } = view.layout();
    if (isWithin(map, px, py) || isWithin(strip, px, py)) {
      const moment = view.stepAt(px);
      const pinned = view.recordAt(px, py);
      const hole = pinned < 0 && isWithin(map, px, py) ? model.holeAt?.(moment, view.byteAt(py)) : undefined;
      store.set({ moment, pinned, hole: hole ? hole.low : -1, ...(hole ? { panel: "holes" } : {}) });
    }
  };

  host.addEventListener("wheel", (event) => {
    if (!event.ctrlKey && document.activeElement !== host) {
      return; // the page scrolls
    }
    event.preventDefault();
    const pixels = [1, 16, host.clientHeight][event.deltaMode];
    const turned = (event.deltaY || event.deltaX) * pixels; // with Shift, some systems turn the wheel sideways
    const factor = Math.exp(Math.max(-240, Math.min(240, turned)) / 300);
    zoom(factor, event.shiftKey ? 1 : factor, ...pointOf(event));
    hoverAt(event);
  }, { passive: false });

  host.addEventListener("pointerdown", (event) => {
    if (event.isPrimary && event.button === 0) {
      drag = { from: pointOf(event), range: view.rangeOf(store.get()), isMoved: false };
    }
  });
  host.addEventListener("pointermove", (event) => {
    if (!drag) {
      hoverAt(event);
      return;
    }
    const [px, py] = pointOf(event);
    const [dx, dy] = [drag.from[0] - px, py - drag.from[1]];
    if (!drag.isMoved && Math.hypot(dx, dy) >= 4) {
      drag.isMoved = true;
      host.setPointerCapture(event.pointerId);
      unhover();
    }
    if (drag.isMoved) {
      const { map } = view.layout();
      pan(dx / map.width, dy / map.height, drag.range);
    }
  });
  host.addEventListener("pointerup", () => {
    if (drag && !drag.isMoved) {
      selectAt(drag.from);
    }
    drag = undefined;
  });
  host.addEventListener("pointercancel", () => (drag = undefined));
  host.addEventListener("pointerleave", unhover);

  /* Shows another moment, and tells it to a screen reader. */
  const goTo = (step) => {
    const moment = Math.min(Math.max(step, model.start), model.stop - 1);
    store.set({ moment });
    const { bottom, top } = view.rangeOf(store.get());
    reveal({ first: moment, end: moment + 1, low: bottom, high: top });
    const { liveRecords, liveTotal } = store.get();
    element("said").textContent = `${model.momentText(moment, moment)}: ${exactText(liveTotal)} in ${countText(liveRecords.length, model.item)}`;
  };

  /* The next range of steps with the peak, after the moment. */
  const nextPeak = () => {
    const { moment } = store.get();
    const [first] = model.peaks.find(([from]) => from > moment) ?? model.peaks[0] ?? [moment];
    goTo(first);
  };

  const whole = () => store.set({ range: null });
  const keys = {
    ArrowRight: (shift) => (shift ? pan(0.25, 0) : goTo(store.get().moment + 1)),
    ArrowLeft: (shift) => (shift ? pan(-0.25, 0) : goTo(store.get().moment - 1)),
    ArrowUp: () => pan(0, 0.25),
    ArrowDown: () => pan(0, -0.25),
    "+": () => zoomAtCentre(1 / 2),
    "=": () => zoomAtCentre(1 / 2),
    "-": () => zoomAtCentre(2),
    0: whole,
    p: nextPeak,
    Escape: () => store.set({ hovered: -1, hint: null, pinned: -1, hole: -1 }),
  };
  host.addEventListener("keydown", (event) => {
    if (event.key in keys && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      keys[event.key](event.shiftKey);
    }
  });

  return { reveal, goTo, whole, nextPeak };
};

/* The values of all curves and parts at a step. */
const stripHint = (model, step) => ({
  title: model.momentText(step, step),
  details: [...model.strip.curves.map(({ name, curve }) => [name, exactText(valueAt(curve, step))]), ...model.stackHint(step)],
  place: { first: step, end: step + 1, low: 0, high: 0 },
});

/* The tooltip at the pointer. It never takes the pointer, and it stays within the window. */
const hoverOf = (model, store) => {
  const hover = element("hover");
  store.listen((state) => {
    const { hovered, hint, pointer } = state;
    hover.hidden = pointer === null || (hovered < 0 && hint === null);
    if (!hover.hidden) {
      const [title, details] = hovered >= 0 ? [model.titleOf(hovered), model.detailsOf(hovered, state, 3)] : [hint.title, hint.details];
      hover.replaceChildren(node("strong", title), definitionsOf(details));
      const { offsetWidth: width, offsetHeight: height } = hover;
      const left = pointer[0] + 16 + width > innerWidth ? pointer[0] - 16 - width : pointer[0] + 16;
      hover.style.left = `${Math.max(4, Math.min(left, innerWidth - width - 4))}px`;
      hover.style.top = `${Math.max(4, Math.min(pointer[1] + 16, innerHeight - height - 4))}px`;
    }
  });
};

/* Pairs of a term and a text, or of a term and a list of lines. It contains only text, never markup. */
const definitionsOf = (pairs) =>
  node("dl", "", ...pairs.flatMap(([term, value]) => [node("dt", term), node("dd", "", ...[value].flat().map((line) => node("div", line)))]));
