/*
 * The state of the page in the fragment of its address, so that a link shows the same: numbers, texts and the visible
 * range. Parts that are as at the start are omitted; parts that do not fit the page are ignored.
 */
const addressOf = (model, store, navigation) => {
  const start = store.get();
  const numbers = { plan: "shown", beside: "compared", moment: "moment", pin: "pinned", hole: "hole" };
  const texts = { group: "group", axis: "axis", panel: "panel", find: "find" };
  const sides = ["left", "right", "bottom", "top"];

  // The parts that name the inputs of a report stay as they are.
  const kept = ["input", "with"];

  const written = (state) => {
    const before = new URLSearchParams(location.hash.slice(1));
    const parts = kept.filter((name) => before.has(name)).map((name) => `${name}=${encodeURIComponent(before.get(name))}`);
    for (const [name, key] of Object.entries({ ...numbers, ...texts })) {
      if (state[key] !== start[key]) {
        parts.push(`${name}=${encodeURIComponent(String(state[key]).toWellFormed())}`);
      }
    }
    if (state.range) {
      parts.push(`view=${sides.map((side) => Number(state.range[side].toPrecision(9))).join(",")}`);
    }
    return parts.join("&");
  };

  const isValid = {
    shown: (value) => model.plans?.[value] !== undefined,
    compared: (value) => value === -1 || model.plans?.[value] !== undefined,
    moment: (value) => value >= model.start && value < model.stop,
    pinned: (value) => value === -1 || (value >= 0 && value < model.count),
    hole: (value) => value >= -1,
    group: (value) => value === "size" || (model.partKinds && value === "holes") || model.groupings.some(({ id }) => id === value),
    axis: (value) => model.axes.some(({ id }) => id === value),
    panel: () => true,
    find: () => true,
  };

  const read = () => {
    const parts = new URLSearchParams(location.hash.slice(1));
    const change = {};
    for (const [name, key] of Object.entries({ ...numbers, ...texts })) {
      const text = parts.get(name) ?? "";
      const isWritten = name in numbers ? /^-?\d{1,15}$/u.test(text) : parts.has(name);
      const value = name in numbers ? Number(text) : text;
      change[key] = isWritten && isValid[key](value) ? value : start[key];
    }
    const range = (parts.get("view") ?? "").split(",").map(Number);
    if (range.length === 4 && range.every(Number.isFinite) && range[0] < range[1] && range[2] < range[3]) {
      change.range = Object.fromEntries(sides.map((side, i) => [side, range[i]]));
    }
    store.set({ ...change, range: null });
    if (change.range) {
      navigation.show(change.range); // within the whole map
    }
  };

  let timer;
  store.listen((state) => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      const fragment = written(state);
      if (fragment !== location.hash.slice(1)) {
        history.replaceState(null, "", fragment === "" ? location.href.replace(/#.*$/, "") : `#${fragment}`);
      }
    }, 150);
  });
  addEventListener("hashchange", read);
  if (location.hash.length > 1) {
    read();
  }
};
