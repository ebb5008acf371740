/*
 * A second map with another replay, beside the first one: both show the same range and the same moment. Each has chunks
 * and a tooltip of its own.
 */
const besideReplay = ({ store, navigation }, model, other, name) => {
  const host = element("map-beside");
  host.hidden = false;
  host.setAttribute("aria-label", `Memory map beside it: ${name}`);
  element("maps").classList.add("two");
  const inStep = ["moment", "range", "axis", "group"];
  const shared = (state, to) => {
    const change = Object.fromEntries(inStep.map((key) => [key, state[key]]));
    change.moment = Math.min(Math.max(change.moment, to.start), to.stop - 1);
    if (!to.axes.some(({ id }) => id === change.axis)) {
      change.axis = to.axes[0].id;
      change.range = null;
    }
    if (!to.groupings.some(({ id }) => id === change.group)) {
      change.group = "size";
    }
    return change;
  };
  const initial = { ...store.get(), pinned: -1, hovered: -1, hint: null, pointer: null, matches: null, compared: -1 };
  const second = storeOf({ ...initial, ...shared(initial, other) }, deriveFor(other));
  const view = viewOf(host, other, second);
  const hover = element("hover").cloneNode();
  hover.id = "hover-beside";
  element("hover").after(hover);
  navigationOf(view, other, storeOfMap(second, host));
  hoverOf(view, other, second, hover);
  let isLinking = false;
  const link = (from, to, toModel) =>
    from.listen((state, previous) => {
      if (!isLinking && inStep.some((key) => state[key] !== previous[key])) {
        isLinking = true;
        to.set(shared(state, toModel));
        isLinking = false;
      }
    });
  link(store, second, other);
  link(second, store, model);
  view.flush();
  host.explorer = { model: other, store: second, view, navigation };
  return second;
};

/* The panel with the bytes of both replays at the moment. */
const besidePanel = (model, other, name) => {
  const host = document.createElement("div");
  let second;
  let first;
  const part = (title, of, state) => {
    const heading = document.createElement("h3");
    heading.textContent = title;
    const peak = document.createElement("p");
    const { text, exact } = of.peakText();
    peak.textContent = text;
    peak.title = exact;
    return [heading, ...paragraphsOf(of.sumsOf(state)), peak];
  };
  const fill = () => {
    if (first && second) {
      const moment = document.createElement("h2");
      moment.textContent = model.momentText(first.moment, first.moment);
      host.replaceChildren(moment, ...part("This replay", model, first), ...part(name, other, second.get()));
    }
  };
  return {
    id: "beside",
    title: "Beside",
    element: host,
    connect: (store) => {
      second = store;
      // The second replay follows the first one.
      second.listen(fill);
    },
    update: (state) => {
      first = state;
      fill();
    },
  };
};
