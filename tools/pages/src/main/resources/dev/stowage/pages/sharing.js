/*
 * The records that have bytes in common with the pinned one in the plan that is shown: {before, during, after}, each
 * {records, count} with the nearest records in time. Both can need the bytes at the same time only if one is
 * in place of the other, if both are pinned there, or if one does not need its bytes for a while.
 */
const mostSharing = 6;

const sharingOf = (model) => {
  let key = "";
  let found;
  return (state) => {
    const now = `${state.pinned} ${state.shown}`;
    if (now !== key) {
      key = now;
      found = findSharing(model, model.plan(state).address, state.pinned);
    }
    return found;
  };
};

const findSharing = ({ count, first, end, bytes }, address, record) => {
  const [before, during, after] = [[], [], []];
  if (record >= 0) {
    const low = address[record];
    const high = low + bytes[record];
    for (let i = 0; i < count; i++) {
      if (i !== record && Math.max(address[i], low) < Math.min(address[i] + bytes[i], high)) {
        const list = end[i] <= first[record] ? before : first[i] >= end[record] ? after : during;
        list.push(i);
      }
    }
  }
  before.sort((a, b) => end[b] - end[a] || a - b);
  after.sort((a, b) => first[a] - first[b] || a - b);
  const nearest = (list) => ({ records: list.slice(0, mostSharing), count: list.length });
  return { before: nearest(before), during: nearest(during), after: nearest(after) };
};

/* The listed records, for their outlines on the map. */
const sharingRecords = ({ before, during, after }) => [before, during, after].flatMap(({ records }) => records);

/* Lists of the records, as buttons that pin them. */
const sharingElements = (model, store, state, sharing) => {
  const { pinned } = state;
  const address = model.plan(state).address;
  const common = (i) =>
    Math.min(address[i] + model.bytes[i], address[pinned] + model.bytes[pinned]) - Math.max(address[i], address[pinned]);
  const heading = document.createElement("h3");
  heading.textContent = "Same bytes";
  const parts = [["before", "Before"], ["during", "At the same time"], ["after", "After"]].flatMap(([part, title]) => {
    const { records, count } = sharing[part];
    if (count === 0) {
      return [];
    }
    const name = document.createElement("h4");
    name.textContent = `${title}${count > records.length ? ` (the nearest ${records.length} of ${numberText(count)})` : ""}`;
    const list = document.createElement("ul");
    list.dataset.part = part;
    for (const record of records) {
      const item = list.appendChild(document.createElement("li"));
      const button = item.appendChild(document.createElement("button"));
      button.type = "button";
      button.className = "link";
      button.textContent = model.titleOf(record);
      const hover = (hovered) => () => store.set({ hovered, hint: null, pointer: null });
      button.addEventListener("click", () => store.set({ pinned: record }));
      button.addEventListener("pointerenter", hover(record));
      button.addEventListener("focus", hover(record));
      button.addEventListener("pointerleave", hover(-1));
      button.addEventListener("blur", hover(-1));
      item.append(` shares ${humanText(common(record))}, ${model.item === "tensor" ? "tasks" : "events"} ${model.sinceText(record)} to ${model.untilText(record)}`);
    }
    return [name, list];
  });
  const none = document.createElement("p");
  none.textContent = `No other ${model.item} has bytes in common with this one.`;
  return [heading, ...(parts.length > 0 ? parts : [none])];
};
