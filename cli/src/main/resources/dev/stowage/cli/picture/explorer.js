/* Assembles a page: the state, the map with its navigation, the tooltip, the panels and the controls. */
const explorerOf = (model, panelsFor) => {
  const moment = model.peaks.length > 0 ? model.peaks[0][0] : -1;
  const store = storeOf(
    {
      shown: model.best ?? 0,
      moment,
      pinned: -1,
      hovered: -1,
      hint: null,
      pointer: null,
      group: "size",
      axis: model.axes[0].id,
      matches: null,
      range: null,
      panel: "moment",
    },
    deriveFor(model),
  );
  const view = viewOf(element("map"), model, store);
  const navigation = navigationOf(view, model, store);
  hoverOf(view, model, store);
  panelsOf(panelsFor(model, store, navigation), store);
  controlsOf(model, store, navigation);
  store.listen((state, previous) => {
    if (state.pinned >= 0 && state.pinned !== previous.pinned) {
      navigation.reveal(view.rectangleOf(state.pinned, state));
    }
  });
  view.flush();
  // For tests and for scripts of users.
  element("map").explorer = { model, store, view, navigation };
  return { store, view, navigation };
};

const controlsOf = (model, store, navigation) => {
  element("whole").addEventListener("click", navigation.whole);
  element("next-peak").addEventListener("click", navigation.nextPeak);
  const groups = element("group");
  for (const { id, label } of [{ id: "size", label: "size" }, ...model.groupings]) {
    groups.append(new Option(label, id));
  }
  groups.addEventListener("change", () => store.set({ group: groups.value }));
  store.listen(({ group }) => (groups.value = group));
  const axes = element("axis");
  axes.closest("label").hidden = model.axes.length === 1;
  for (const { id, label } of model.axes) {
    axes.append(new Option(label, id));
  }
  axes.addEventListener("change", () => store.set({ axis: axes.value, range: null }));
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
