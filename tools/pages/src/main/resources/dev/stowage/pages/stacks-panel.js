/* The panel with the stacks of the chunks in use at the moment. A zoom dims all other chunks on the map. */
const flamePanel = (model, store) => {
  const flame = flameOf({
    id: "flame",
    label: "Call stacks at the moment",
    userLines: new Set(model.data.lines),
    item: "chunk",
    onZoom: (node, isRoot) => {
      const groups = new Set();
      const collect = ({ group, children }) => {
        group.forEach((index) => groups.add(index));
        children.forEach(collect);
      };
      collect(node);
      store.set({ matches: isRoot ? null : matchesOf(model.stacks.of, groups) });
    },
  });
  return {
    id: "stacks",
    title: "Stacks",
    element: flame.element,
    update: (state, previous) => {
      if (state.liveRecords !== previous.liveRecords) {
        flame.show(stackTree(model, sumsOf(model.stacks, state), `All chunks ${model.whenText(state.moment)}`));
      }
    },
  };
};
