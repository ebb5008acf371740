/* The panel with a search: the matches as a table, and their sums. Other records are dimmed on the map. */
const searchPanel = (model, store) => {
  const host = document.createElement("div");
  const form = host.appendChild(document.createElement("form"));
  const label = form.appendChild(document.createElement("label"));
  label.textContent = "Search ";
  const input = label.appendChild(document.createElement("input"));
  input.type = "search";
  input.id = "find";
  input.autocomplete = "off";
  input.spellcheck = false;
  input.setAttribute("aria-describedby", "find-help found");
  const help = host.appendChild(document.createElement("p"));
  help.id = "find-help";
  help.textContent =
    `A part of a name or group, /an expression/, bytes>1MiB, life<=10, since>=5, until<9` +
    `${model.data.stream ? ", stream=0" : ""}${model.groupings.map(({ id }) => `, ${id}:text`).join("")}.`;
  const found = host.appendChild(document.createElement("p"));
  found.id = "found";
  found.setAttribute("role", "status");
  const bytesOf = (record) => (model.weights ?? model.bytes)[record];
  const table = tableOf({
    label: "Matches",
    sorted: "Bytes",
    columns: [
      { title: model.item === "tensor" ? "Tensor" : "Chunk", text: model.nameOf, order: model.nameOf, isText: true, isWide: true },
      { title: "Bytes", text: (i) => humanText(bytesOf(i)), order: bytesOf, hint: (i) => exactText(bytesOf(i)) },
      { title: "Since", text: model.sinceText, order: (i) => model.first[i] },
      { title: "Until", text: model.untilText, order: (i) => model.end[i], exact: model.untilValue },
      ...model.moreColumns,
    ],
    onHover: (record) => store.set({ hovered: record, hint: null, pointer: null }),
    onChoose: (record) => store.set({ pinned: record, moment: model.first[record] }),
  });
  host.append(table.element);

  const sumText = (records) => {
    let bytes = 0;
    let liveBytes = 0;
    let liveCount = 0;
    const { live, liveBytes: now } = store.get();
    for (const record of records) {
      bytes += bytesOf(record);
      if (live[record] === 1) {
        liveCount++;
        liveBytes += now[record];
      }
    }
    const noun = records.length === 1 ? model.item : `${model.item}s`;
    return `${numberText(records.length)} ${noun}, ${exactText(bytes)} in all; ${numberText(liveCount)} live at the moment, ${exactText(liveBytes)}`;
  };

  /* The matches of the text that the state has, if they are those of this search. */
  let shown = { find: "", records: [], error: "", matches: null };
  const search = (find) => {
    const { matches = null, error = "" } = find.trim() === "" ? {} : matchesOfQuery(model, find);
    const records = [];
    matches?.forEach((match, record) => {
      if (match === 1) {
        records.push(record);
      }
    });
    records.sort((a, b) => bytesOf(b) - bytesOf(a) || a - b);
    shown = { find, records, error, matches };
    return matches;
  };
  const say = () => {
    found.textContent = shown.find.trim() === "" ? "" : shown.error || sumText(shown.records);
  };

  store.listen((state, previous) => {
    if (state.find !== previous.find && state.find !== shown.find) {
      store.set({ matches: search(state.find) });
    } else if (state.matches !== previous.matches && state.matches !== shown.matches) {
      search(""); // as a group or a reason has taken its place
      store.set({ find: "" });
    }
  });
  form.addEventListener("submit", (event) => event.preventDefault());
  input.addEventListener("input", () => {
    const matches = search(input.value);
    store.set({ find: input.value, matches });
  });
  document.addEventListener("keydown", (event) => {
    const isTyping = ["INPUT", "SELECT", "TEXTAREA"].includes(event.target.tagName);
    if (event.key === "/" && !isTyping && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      store.set({ panel: "search" });
      input.focus();
    }
  });
  return {
    id: "search",
    title: "Search",
    element: host,
    update: (state, previous) => {
      if (state.find !== previous.find || state.liveRecords !== previous.liveRecords) {
        if (input.value !== state.find) {
          input.value = state.find;
        }
        say();
        table.show(shown.records);
      }
      table.mark(state);
    },
  };
};
