/*
 * The panels beside the map, as tabs. A panel is {id, title, element, update(state, previous)}; update is
 * called for each change while the panel is visible, and with an empty previous state when it becomes visible.
 */
const panelsOf = (panels, store) => {
  const tabs = element("tabs");
  const place = element("panel");
  let current;
  const buttons = new Map(
    panels.map(({ id, title }) => {
      const button = tabs.appendChild(buttonOf(title, () => store.set({ panel: id })));
      button.id = `tab-${id}`;
      button.setAttribute("role", "tab");
      button.setAttribute("aria-controls", "panel");
      return [id, button];
    }),
  );
  tabs.addEventListener("keydown", (event) => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (by) {
      const next = panels[(panels.indexOf(current) + by + panels.length) % panels.length];
      store.set({ panel: next.id });
      buttons.get(next.id).focus();
    }
  });
  const update = (state, previous) => {
    const panel = panels.find(({ id }) => id === state.panel) ?? panels[0];
    if (panel === current) {
      panel.update(state, previous);
      return;
    }
    current = panel;
    for (const [id, button] of buttons) {
      button.ariaSelected = String(id === panel.id);
      button.tabIndex = id === panel.id ? 0 : -1;
    }
    place.setAttribute("aria-labelledby", `tab-${panel.id}`);
    place.replaceChildren(panel.element);
    panel.update(state, {});
  };
  store.listen(update);
  update(store.get(), {});
};

/* A table of records. A row and its rectangle on the map have the same outline; a click on a row pins it. */
const recordsTable = (model, store, label, bytesOf) =>
  tableOf({
    label,
    columns: [
      {
        title: model.item[0].toUpperCase() + model.item.slice(1),
        text: (i) => model.names[i],
        hint: model.titleOf,
        isText: true,
        isWide: !model.columns.some(({ isWide }) => isWide),
      },
      { title: model.weights ? "Requested" : "Bytes", text: (i) => humanText(bytesOf(i)), hint: (i) => exactText(bytesOf(i)) },
      { title: "Share", text: (i) => percentText(store.get().liveBytes[i], store.get().liveTotal) },
      ...model.columns,
      { title: "Since", text: (i) => numberText(model.first[i]), isExtra: true },
      { title: "Until", text: model.untilText, isExtra: true },
    ],
    onHover: (hovered) => store.set({ hovered, hint: null, pointer: null }),
    onChoose: (record) => store.set(record === store.get().pinned ? { panel: "selected" } : { pinned: record }),
  });

/* The panel with the records that are live at the moment, or that match a search. The map dims the records that do not match. */
const momentPanel = (model, store) => {
  const input = document.createElement("input");
  Object.assign(input, { type: "search", id: "find", autocomplete: "off", spellcheck: false });
  input.setAttribute("aria-describedby", "find-help");
  const help = node("p", `Parts of a name${["", ...model.groupings.map(({ label }) => label)].join(", ")}, and bytes>1MiB or bytes<1MiB.`);
  help.id = "find-help";
  const heading = node("h2", "");
  const texts = node("div", "");
  texts.id = "sums";
  const peak = node("p", model.peakText);
  peak.id = "peak";
  const size = model.weights ?? model.bytes;
  const table = recordsTable(model, store, `${model.item}s`, (i) => (store.get().find.trim() === "" ? store.get().liveBytes : size)[i]);
  let found = [];
  const search = (find) => {
    const matches = find.trim() === "" ? null : matchesOfQuery(model, find);
    found = matches ? [...matches.keys()].filter((i) => matches[i] === 1).sort((a, b) => size[b] - size[a] || a - b) : [];
    return matches;
  };
  input.addEventListener("input", () => store.set({ find: input.value, matches: search(input.value) }));
  document.addEventListener("keydown", (event) => {
    if (event.key === "/" && !/^(?:INPUT|SELECT|TEXTAREA)$/u.test(event.target.tagName)) {
      event.preventDefault();
      store.set({ panel: "moment" });
      input.focus();
    }
  });
  const foundText = ({ live }) => {
    const sum = (records) => exactText(records.reduce((all, i) => all + size[i], 0));
    const now = found.filter((i) => live[i] === 1);
    return `${countText(found.length, model.item)}, ${sum(found)} in all; ${numberText(now.length)} live at the moment, ${sum(now)}`;
  };
  return {
    id: "moment",
    title: "Moment",
    element: node("div", node("label", "Search ", input), help, heading, texts, peak, table.element),
    update: (state, previous) => {
      if (state.liveRecords !== previous.liveRecords || state.find !== previous.find || state.matches !== previous.matches) {
        const isSearch = state.find.trim() !== "";
        input.value = state.find;
        heading.textContent = isSearch ? "Found" : state.moment < 0 ? "No moment" : model.momentText(state.moment, state.moment);
        texts.replaceChildren(...(isSearch ? [foundText(state)] : model.sumsOf(state)).map((text) => node("p", text)));
        table.show(isSearch ? found : state.liveRecords);
      }
      table.mark(state.pinned);
    },
  };
};

/*
 * The panel with the groups of the records that are live at the moment, by the grouping that colours the map, or else the first one.
 * A click on a group dims all other records on the map.
 */
const groupsPanel = (model, store) => {
  const text = node("p", "");
  const current = () => model.groupings.find(({ id }) => id === store.get().group) ?? model.groupings[0];
  let sums;
  let filter = { matches: null, group: -1 };
  const share = (group) => percentText(sums.bytes[group], store.get().liveTotal);
  const table = tableOf({
    label: "Groups at the moment",
    columns: [
      {
        title: "Group",
        text: (group) => current().textOf(group),
        hint: (group) => current().hintOf(group),
        colour: (group) => current().id === store.get().group && `group${current().tones[group] - tones.groups}`,
        isText: true,
        isWide: true,
      },
      { title: "Bytes", text: (group) => humanText(sums.bytes[group]), hint: (group) => exactText(sums.bytes[group]) },
      { title: "Share", text: share },
      { title: "Count", text: (group) => numberText(sums.counts[group]) },
    ],
    onChoose: (group) => {
      const { id, of } = current();
      const isShown = store.get().matches === filter.matches && filter.group === group;
      filter = isShown ? { matches: null, group: -1 } : { matches: Uint8Array.from(of, (each) => (each === group ? 1 : 0)), group };
      store.set({ group: id, find: "", matches: filter.matches });
    },
  });
  return {
    id: "groups",
    title: "Groups",
    element: node("div", text, table.element),
    update: (state, previous) => {
      if (state.liveRecords !== previous.liveRecords || state.group !== previous.group) {
        sums = sumsOf(current(), state);
        text.textContent = `${countText(sums.groups.length, "group")} by ${current().label}: ${exactText(state.liveTotal)}.`;
        table.show(sums.groups);
      }
      table.mark(state.matches !== null && state.matches === filter.matches ? filter.group : -1);
    },
  };
};

/* The groups of live records, the largest first, with their bytes and counts. */
const sumsOf = ({ of, keys }, { liveRecords, liveBytes }) => {
  const bytes = new Float64Array(keys.length);
  const counts = new Int32Array(keys.length);
  for (const record of liveRecords) {
    bytes[of[record]] += liveBytes[record];
    counts[of[record]]++;
  }
  const groups = [...keys.keys()].filter((group) => counts[group] > 0);
  groups.sort((a, b) => bytes[b] - bytes[a] || counts[b] - counts[a] || a - b);
  return { groups, bytes, counts };
};

/* The panel with all details of the pinned record. */
const selectedPanel = (model) => {
  const host = node("div", "");
  return {
    id: "selected",
    title: "Selected",
    element: host,
    update: (state) => {
      const { pinned } = state;
      host.replaceChildren(
        ...(pinned < 0
          ? [node("p", `Click a ${model.item} on the map or in a table to keep its details here.`)]
          : [node("h2", model.titleOf(pinned)), definitionsOf(model.detailsOf(pinned, state, Infinity))]),
      );
    },
  };
};

/* A list of buttons, at most some of them. */
const buttonList = (items, buttonFor, most) => {
  const list = node("ul", "", ...items.slice(0, most).map((item) => node("li", buttonFor(item))));
  if (items.length > most) {
    list.append(node("li", `and ${numberText(items.length - most)} more`));
  }
  list.className = "reasons";
  return list;
};
