/*
 * The panel with the groups of the records that are live at the moment. A grouping also colours the map; a click on a
 * group dims all other records on the map.
 */
const groupsPanel = (model, store) => {
  const host = document.createElement("div");
  const label = host.appendChild(document.createElement("label"));
  label.textContent = "Group by ";
  const select = label.appendChild(document.createElement("select"));
  select.id = "grouping";
  select.autocomplete = "off";
  for (const { id, label: text } of model.groupings) {
    select.append(new Option(text, id));
  }
  select.addEventListener("change", () => store.set({ group: select.value, matches: null }));
  const text = host.appendChild(document.createElement("p"));
  const groupingOfState = ({ group }) => model.groupings.find(({ id }) => id === group) ?? model.groupings[0];
  const current = () => groupingOfState(store.get());
  let sums;
  let filter = { matches: null, group: -1 };
  const table = tableOf({
    label: "Groups at the moment",
    sorted: "Bytes",
    columns: [
      {
        title: "Group",
        text: (group) => current().textOf(group),
        order: (group) => current().textOf(group),
        hint: (group) => current().hintOf(group),
        colour: (group) =>
          current().id === store.get().group ? `var(--group${current().tones[group] - tones.groups})` : null,
        isText: true,
        isWide: true,
      },
      {
        title: "Bytes",
        text: (group) => humanText(sums.bytes[group]),
        order: (group) => sums.bytes[group],
        hint: (group) => exactText(sums.bytes[group]),
      },
      {
        title: "Share",
        text: (group) => percentText(sums.bytes[group], model.totalOf(store.get())),
        exact: (group) => sums.bytes[group] / model.totalOf(store.get()),
      },
      { title: "Count", text: (group) => numberText(sums.counts[group]), order: (group) => sums.counts[group] },
    ],
    onChoose: (group) => {
      const { id, of } = current();
      const isShown = store.get().matches === filter.matches && filter.group === group;
      filter = isShown ? { matches: null, group: -1 } : { matches: matchesOf(of, new Set([group])), group };
      store.set({ group: id, matches: filter.matches });
    },
  });
  host.append(table.element);
  const marked = ({ matches }) => (matches !== null && matches === filter.matches ? filter.group : -1);
  return {
    id: "groups",
    title: "Groups",
    element: host,
    update: (state, previous) => {
      const grouping = groupingOfState(state);
      if (state.liveRecords !== previous.liveRecords || state.group !== previous.group) {
        select.value = grouping.id;
        sums = sumsOf(grouping, state);
        const where = state.moment < 0 ? "" : ` ${model.whenText(state.moment)}`;
        const count = numberText(sums.groups.length);
        text.textContent = `${count} ${sums.groups.length === 1 ? "group" : "groups"}${where}, ${exactText(state.liveTotal)}.${model.hiddenText(state)}`;
        table.show(sums.groups);
      }
      table.mark({ pinned: marked(state), hovered: -1 });
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

/* The records of some groups. */
const matchesOf = (of, groups) => Uint8Array.from(of, (group) => (groups.has(group) ? 1 : 0));
