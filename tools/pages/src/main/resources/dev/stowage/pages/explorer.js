/* Assembles a page: the state, the map with its navigation, the tooltip, the panels and the controls. */
const explorerOf = (model, panelsFor) => {
  const moment = model.peaks.length > 0 ? model.peaks[0][0] : -1;
  const store = storeOf(
    {
      shown: model.best ?? 0,
      moment,
      pinned: -1,
      hole: -1,
      hovered: -1,
      hint: null,
      pointer: null,
      group: "size",
      axis: model.axes[0].id,
      matches: null,
      compared: -1,
      find: "",
      range: null,
      panel: "moment",
    },
    deriveFor(model),
  );
  const view = viewOf(element("map"), model, store);
  const navigation = navigationOf(view, model, storeOfMap(store, view.host));
  hoverOf(view, model, store);
  panelsOf(panelsFor(model, store, navigation), store);
  controlsOf(model, store, navigation);
  besideOf(model, store);
  store.listen((state, previous) => {
    if (state.pinned >= 0 && state.pinned !== previous.pinned) {
      navigation.reveal(view.rectangleOf(state.pinned, state));
    }
  });
  addressOf(model, store, navigation);
  view.flush();
  // For tests and for scripts of users.
  element("map").explorer = { model, store, view, navigation };
  return { store, view, navigation };
};

/* A store whose tooltips are at points of a map. */
const storeOfMap = (store, host) => ({
  ...store,
  set: (change) => store.set(change.pointer ? { ...change, pointerHost: host } : change),
});

/* A second map beside the first one, with another plan, the same range and the same moment. */
const besideOf = (model, store) => {
  const select = document.getElementById("beside");
  if (!select) {
    return;
  }
  const host = element("map-beside");
  let view;
  const show = ({ shown, compared }) => {
    select.value = String(compared);
    element("caption").textContent = element("strategy").options[shown].text;
    element("caption-beside").textContent = select.selectedOptions[0].text;
    host.hidden = compared < 0;
    element("maps").classList.toggle("two", compared >= 0);
    if (compared >= 0 && !view) {
      view = viewOf(host, model, store, (state) => model.plan({ ...state, shown: Math.max(0, state.compared) }));
      navigationOf(view, model, storeOfMap(store, host));
    }
  };
  select.addEventListener("change", () => store.set({ compared: Number(select.value) }));
  store.listen((state, previous) => {
    if (state.compared !== previous.compared || state.shown !== previous.shown) {
      show(state);
    }
  });
};

/* The key of the colours of groups, in place of that of sizes. */
const keyOfGroups = (model, { group }) => {
  const grouping = model.groupings.find(({ id }) => id === group);
  for (const sizes of document.querySelectorAll("#key .sizes")) {
    sizes.hidden = group !== "size";
  }
  const texts = [];
  grouping?.tones.forEach((tone, key) => {
    const at = tone - tones.groups;
    texts[at] = at < groupTones - 1 ? fittingName(shortened(grouping.textOf(key)), 44) : "other groups";
  });
  const spans = texts.map((text, at) => {
    const span = document.createElement("span");
    const swatch = span.appendChild(document.createElement("i"));
    swatch.className = "swatch small";
    swatch.style.background = `var(--group${at})`;
    span.append(reasonNode("bdi", text));
    return span;
  });
  const isPins = group === "holes" && model.partKinds !== undefined;
  if (isPins) {
    const used = reasonNode("span", "in use");
    used.prepend(Object.assign(document.createElement("i"), { className: "swatch dimmed" }));
    spans.push(used);
  }
  if (model.partKinds) {
    element("free-key").hidden = isPins;
  }
  element("group-key").hidden = spans.length === 0;
  element("group-key").replaceChildren(...spans, ...(spans.length > 0 ? [reasonNode("span", "hatched: at the moment")] : []));
};

const controlsOf = (model, store, navigation) => {
  element("whole").addEventListener("click", navigation.whole);
  element("next-peak").addEventListener("click", navigation.nextPeak);
  const groups = element("group");
  const byPins = model.partKinds ? [{ id: "holes", label: "what pins the holes" }] : [];
  for (const { id, label } of [{ id: "size", label: "size" }, ...model.groupings, ...byPins]) {
    groups.append(new Option(label, id));
  }
  groups.addEventListener("change", () => store.set({ group: groups.value }));
  store.listen((state, previous) => {
    if (state.group !== previous.group) {
      groups.value = state.group;
      keyOfGroups(model, state);
    }
  });
  const axes = element("axis");
  axes.closest("label").hidden = model.axes.length === 1;
  for (const { id, label } of model.axes) {
    axes.append(new Option(label, id));
  }
  axes.addEventListener("change", () => store.set({ axis: axes.value, range: null }));
  store.listen(({ axis }) => (axes.value = axis));
};

/* An axis that counts steps. */
const stepAxis = (id, label) => ({
  id,
  label,
  isSteps: true,
  of: (step) => step,
  stepAt: (position) => position,
  text: (tick) => numberText(tick),
  leastSpan: 1,
});
