/*
 * The panel with the records that are live at the moment, as a table. A row and its rectangle on the map have the
 * same outline: the pointer on one of them marks the other one, and a click pins both. The model provides
 *
 *   sumsOf(state)        sentences on the bytes at the moment
 *   peakText()           sentences on the peak and the next lower one
 *   originColumns, moreColumns   columns of the table, as in table.js
 *   sinceText(record), untilText(record), untilValue(record)   the ends of its lifetime
 */
const momentPanel = (model, store) => {
  const host = document.createElement("div");
  const heading = host.appendChild(document.createElement("h2"));
  const sums = host.appendChild(document.createElement("div"));
  const peak = host.appendChild(document.createElement("p"));
  peak.id = "peak";
  const bytesOf = (record) => store.get().liveBytes[record];
  const table = tableOf({
    label: `${model.item}s at the moment`,
    sorted: model.bytesTitle ?? "Bytes",
    columns: [
      {
        title: model.item === "tensor" ? "Tensor" : "Chunk",
        text: model.nameOf,
        order: model.nameOf,
        hint: model.titleOf,
        isText: true,
        isWide: !model.originColumns.some(({ isWide }) => isWide),
      },
      {
        title: model.bytesTitle ?? "Bytes",
        text: (record) => humanText(bytesOf(record)),
        order: bytesOf,
        hint: (record) => exactText(bytesOf(record)),
      },
      {
        title: "Share",
        text: (record) => percentText(bytesOf(record), model.totalOf(store.get())),
        exact: (record) => bytesOf(record) / model.totalOf(store.get()),
      },
      ...model.originColumns,
      ...[
        { title: "Sum", text: (record, sum) => humanText(sum), exact: (record, sum) => sum },
        { title: "Since", text: model.sinceText, order: (record) => model.first[record] },
        { title: "Until", text: model.untilText, order: (record) => model.end[record], exact: model.untilValue },
        ...model.moreColumns,
      ].map((column) => ({ ...column, isExtra: true })),
    ],
    weight: bytesOf,
    onHover: (record) => store.set({ hovered: record, hint: null, pointer: null }),
    onChoose: (record) =>
      store.set(record === store.get().pinned ? { panel: "selected" } : { pinned: record }),
  });
  host.append(table.element);
  return {
    id: "moment",
    title: "Moment",
    element: host,
    update: (state, previous) => {
      if (state.liveRecords !== previous.liveRecords) {
        heading.textContent = state.moment < 0 ? "No moment" : model.momentText(state.moment, state.moment);
        sums.replaceChildren(...paragraphsOf(model.sumsOf(state)));
        const { text, exact } = model.peakText();
        peak.textContent = text;
        peak.title = exact;
        table.show(state.liveRecords);
      }
      table.mark(state);
    },
  };
};

const paragraphsOf = (texts) =>
  texts.map((text) => {
    const paragraph = document.createElement("p");
    paragraph.textContent = text;
    return paragraph;
  });

/* "events 3 to 5, 9 and 12", or the first of many; with names of the events, "A 3 to B 5 and C 9". */
const rangesText = (noun, ranges, nameOf) => {
  const most = 8;
  const textOf = nameOf ?? numberText;
  const texts = ranges.slice(0, most).map(([a, b]) => (a === b ? textOf(a) : `${textOf(a)} to ${textOf(b)}`));
  const isOne = ranges.length === 1 && ranges[0][0] === ranges[0][1];
  const last =
    ranges.length > most ? `${numberText(ranges.length - most)} more` : texts.length > 1 ? texts.pop() : undefined;
  return `${nameOf ? "" : `${noun}${isOne ? "" : "s"} `}${texts.join(", ")}${last === undefined ? "" : ` and ${last}`}`;
};

/*
 * The peak, and the next lower ones without some records: {bytes, ranges, isBound, without}. A bound is at least as high
 * as the peak.
 */
const peakTexts = ({ bytes, peaks, noun, nameOf, nexts, what }) => {
  if (peaks.length === 0) {
    return { text: "", exact: "" };
  }
  const sentence = (textOf) => {
    const where = (ranges) => (ranges.length > 0 ? ` at ${rangesText(noun, ranges, nameOf)}` : "");
    const lower = nexts.map(
      (next) => `; without ${next.without} ${next.isBound ? "at most " : ""}${textOf(next.bytes)}${where(next.ranges)}`,
    );
    return `Peak ${textOf(bytes)}${what}${where(peaks)}${lower.join("")}.`;
  };
  return { text: sentence(humanText), exact: sentence(plainText) };
};
