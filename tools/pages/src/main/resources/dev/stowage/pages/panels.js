/*
 * The panels beside the map, as tabs. A panel is {id, title, element, update(state, previous)}; update is
 * called for each change while the panel is visible, and with an empty previous state when it becomes visible.
 */
const panelsOf = (panels, store) => {
  const tabs = element("tabs");
  const place = element("panel");
  let current;

  const buttons = new Map(
    panels.map((panel) => {
      const button = document.createElement("button");
      button.type = "button";
      button.id = `tab-${panel.id}`;
      button.textContent = panel.title;
      button.setAttribute("role", "tab");
      button.setAttribute("aria-controls", "panel");
      button.addEventListener("click", () => store.set({ panel: panel.id }));
      tabs.append(button);
      return [panel.id, button];
    }),
  );

  tabs.addEventListener("keydown", (event) => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (by) {
      const at = panels.indexOf(current);
      const next = panels[(at + by + panels.length) % panels.length];
      store.set({ panel: next.id });
      buttons.get(next.id).focus();
    }
  });

  const show = (panel) => {
    current = panel;
    for (const [id, button] of buttons) {
      button.setAttribute("aria-selected", String(id === panel.id));
      button.tabIndex = id === panel.id ? 0 : -1;
    }
    place.setAttribute("aria-labelledby", `tab-${panel.id}`);
    place.replaceChildren(panel.element);
    panel.update(store.get(), {});
  };

  store.listen((state, previous) => {
    const panel = panels.find(({ id }) => id === state.panel) ?? panels[0];
    if (panel !== current) {
      show(panel);
    } else {
      panel.update(state, previous);
    }
  });
  show(panels.find(({ id }) => id === store.get().panel) ?? panels[0]);
};

/* The panel with all details of the pinned record, and the records that have bytes in common with it. */
const selectedPanel = (model, store) => {
  const host = document.createElement("div");
  const fill = (record, state) => {
    if (record < 0) {
      const text = document.createElement("p");
      text.textContent = `Click a ${model.item} on the map, or press Enter on it, to keep its details here.`;
      host.replaceChildren(text);
      return;
    }
    const heading = document.createElement("h2");
    heading.textContent = model.titleOf(record);
    host.replaceChildren(
      heading,
      definitionsOf((model.allDetailsOf ?? model.detailsOf)(record, state)),
      ...sharingElements(model, store, state, model.sharing(state)),
    );
  };
  return {
    id: "selected",
    title: "Selected",
    element: host,
    update: (state, previous) => {
      if (state.pinned !== previous.pinned || state.shown !== previous.shown) {
        fill(state.pinned, state);
      }
    },
  };
};
