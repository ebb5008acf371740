/* The tooltip at the pointer, if that is on the map. It never takes the pointer, and it stays within the window. */
const hoverOf = (view, model, store, hover = element("hover")) => {
  let shown = null;

  const fill = (title, details) => {
    const heading = document.createElement("strong");
    heading.textContent = title;
    hover.replaceChildren(heading, definitionsOf(details));
  };

  store.listen((current) => {
    const { hovered, hint, pointer, pointerHost } = current;
    const isBeside = pointerHost?.id === "map-beside" && current.compared >= 0;
    const state = isBeside ? { ...current, shown: current.compared } : current;
    const key = hovered >= 0 ? `${hovered} ${state.shown}` : hint;
    if (key === null || pointer === null) {
      hover.hidden = true;
      shown = null;
      return;
    }
    if (key !== shown) {
      shown = key;
      if (hovered >= 0) {
        fill(model.titleOf(hovered), model.detailsOf(hovered, state));
      } else {
        fill(hint.title, hint.details);
      }
      hover.hidden = false;
    }
    placeWithin(hover, pointerHost ?? view.host, ...pointer);
  });
};

/* Pairs of a term and a text, or of a term and a list of lines. It contains only text, never markup. */
const definitionsOf = (pairs) => {
  const list = document.createElement("dl");
  for (const [term, value] of pairs) {
    list.appendChild(document.createElement("dt")).textContent = term;
    const item = list.appendChild(document.createElement("dd"));
    for (const line of [value].flat()) {
      item.appendChild(document.createElement("div")).textContent = line;
    }
  }
  return list;
};

/* Places a tooltip beside a point of an element, within the window. */
const placeWithin = (hover, host, px, py) => {
  const box = host.getBoundingClientRect();
  const x = box.left + px;
  const { offsetWidth: width, offsetHeight: height } = hover;
  const left = x + 16 + width > innerWidth ? x - 16 - width : x + 16;
  hover.style.left = `${Math.max(4, Math.min(left, innerWidth - width - 4))}px`;
  hover.style.top = `${Math.max(4, Math.min(box.top + py + 16, innerHeight - height - 4))}px`;
};
