/* Assembles a page: the state, the map with its navigation, the tooltip, the panels and the controls. */
const explorerOf = (model, panelsFor) => {
  const store = storeOf(model);
  const view = viewOf(element("map"), model, store);
  const navigation = navigationOf(view, model, store);
  hoverOf(model, store);
  panelsOf(panelsFor(model, store, navigation), store);
  controlsOf(model, store, navigation);
  store.listen((state, previous) => {
    if (state.pinned >= 0 && state.pinned !== previous.pinned) {
      navigation.reveal(view.rectangleOf(state.pinned, state));
    }
  });
  view.flush();
  element("map").explorer = { model, store, view, navigation }; // for tests and for scripts of users
  return { store, view, navigation };
};

const controlsOf = (model, store, navigation) => {
  element("whole").addEventListener("click", navigation.whole);
  element("next-peak").addEventListener("click", navigation.nextPeak);
  const groups = element("group");
  groups.append(...[{ id: "size", label: "size" }, ...model.groupings].map(({ id, label }) => new Option(label, id)));
  groups.addEventListener("change", () => store.set({ group: groups.value }));
  store.listen((state, previous) => {
    if (state.group !== previous.group) {
      groups.value = state.group;
      keyOfGroups(model, state);
    }
  });
};

/* The key of the colours of groups. It replaces the key of sizes. */
const keyOfGroups = (model, { group }) => {
  const grouping = model.groupings.find(({ id }) => id === group);
  for (const sizes of document.querySelectorAll("#key .sizes")) {
    sizes.hidden = grouping !== undefined;
  }
  const texts = [];
  grouping?.tones.forEach((tone, key) => {
    const at = tone - tones.groups;
    texts[at] = at < groupTones - 1 ? fittingName(grouping.textOf(key), 44) : "other groups";
  });
  element("group-key").replaceChildren(...texts.map((text, at) => swatchOf(`group${at}`, text)), grouping ? "hatched: at the moment" : "");
};
