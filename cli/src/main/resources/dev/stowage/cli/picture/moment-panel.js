/* The panel with the records that are live at the moment, the largest first. */
const momentPanel = (model) => {
  const host = document.createElement("div");
  return {
    id: "moment",
    title: "Moment",
    element: host,
    update: (state, previous) => {
      if (state.liveRecords !== previous.liveRecords) {
        const heading = document.createElement("h2");
        heading.textContent = state.moment < 0 ? "No moment" : model.momentText(state.moment, state.moment);
        const text = document.createElement("p");
        text.textContent = `${numberText(state.liveRecords.length)} ${model.item}s, ${exactText(state.liveTotal)}`;
        host.replaceChildren(heading, text);
      }
    },
  };
};
