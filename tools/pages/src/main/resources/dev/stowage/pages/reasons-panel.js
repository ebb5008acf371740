/* The panel "Reasons": the tensors that make the peak, or the chunks between holes at a failed request. */
const reasonRows = 200;
const listedHoles = 10;

const reasonNode = (name, text, ...children) => {
  const node = document.createElement(name);
  node.textContent = text;
  node.append(...children);
  return node;
};

/* A button with names from the input, whose direction of text stays within it. */
const reasonButton = (text, act) => {
  const button = reasonNode("button", "", reasonNode("bdi", text));
  button.type = "button";
  button.addEventListener("click", act);
  return button;
};

/* A list, of which a button shows more rows. "rowOf" returns the content of a row. */
const reasonList = (items, rowOf, most = reasonRows) => {
  const list = reasonNode("ul", "");
  list.className = "reasons";
  const add = (from) => {
    items.slice(from, from + most).forEach((item, i) => list.append(reasonNode("li", "", ...[rowOf(item, from + i)].flat())));
    const rest = items.length - from - most;
    if (rest > 0) {
      const row = reasonNode("li", "");
      row.append(reasonButton(`${numberText(rest)} more`, () => {
        row.remove();
        add(from + most);
      }));
      list.append(row);
    }
  };
  add(0);
  return list;
};

/* A button that highlights some records on the map, or all again. */
const highlightButton = (model, store, records, text) => {
  const matches = new Uint8Array(model.count);
  records.forEach((record) => {
    matches[record] = 1;
  });
  const button = reasonButton(text, () => {
    store.set({ matches: store.get().matches === matches ? null : matches });
    button.setAttribute("aria-pressed", String(store.get().matches === matches));
  });
  button.setAttribute("aria-pressed", "false");
  return button;
};

const pinButton = (store, record, text) => {
  const button = reasonButton(text, () => store.set({ pinned: record }));
  button.classList.add("link");
  return button;
};

const planReasonsPanel = (model, store) => {
  const host = reasonNode("div", "");
  const { records, sentences } = model.data.reasons;
  const fill = () => {
    const isProved = records.length > 0;
    const { bytes, records: live } = liveAt(model, model.peaks.length > 0 ? model.peaks[0][0] : -1);
    const size = (record) => (isProved ? model.bytes : bytes)[record];
    const shown = isProved ? Array.from(records).sort((a, b) => size(b) - size(a) || a - b) : live;
    const sum = shown.reduce((all, record) => all + size(record), 0);
    host.replaceChildren(...sentences.map((sentence) => reasonNode("p", "", reasonNode("bdi", sentence))));
    if (shown.length > 0) {
      host.append(
        reasonNode("h2", isProved ? "Tensors that do not fit into a smaller arena" : "Tensors at the peak"),
        reasonNode("p", `${numberText(shown.length)} tensors, ${exactText(sum)} `, highlightButton(model, store, shown, "Show these tensors")),
        reasonList(shown, (record) => pinButton(store, record, `${humanText(size(record))}: ${fittingName(model.names[record], 160)}`)),
      );
    }
  };
  return {
    id: "reasons",
    title: "Reasons",
    element: host,
    update: () => {
      if (!host.hasChildNodes()) {
        fill();
      }
    },
  };
};

const replayReasonsPanel = (model, store, navigation) => {
  const host = reasonNode("div", "");
  const { failures, tags, stackLine, lines } = model.data;
  const failed = Array.from(failures.event.keys());
  const requestText = (i) => {
    const stack = failures.stack[i];
    const by = stack >= 0 ? lines[stackLine[stack]] : tags[failures.tag[i]] ? `tag ${tags[failures.tag[i]]}` : `'${failures.ids[i]}'`;
    return `event ${numberText(failures.event[i])}: ${humanText(failures.requested[i])} on stream ${failures.stream[i]}, ${fittingName(by, 160)}`;
  };

  let chosen = -1;
  const choose = (i) => {
    chosen = i;
    store.set({ moment: failures.event[i] });
    navigation.reveal({ first: failures.event[i], end: failures.event[i] + 1, low: 0, high: 0 });
    fill(store.get());
  };
  const requests = reasonList(failed, (i) => reasonButton(requestText(i), () => choose(i)));
  requests.classList.add("requests");
  const moment = reasonNode("div", "");
  host.append(
    reasonNode("h2", "Failed requests"),
    failed.length > 0 ? requests : reasonNode("p", "No request failed."),
    moment,
  );

  const chunkButton = (chunk) => pinButton(store, chunk, chunkText(model, chunk));

  /* The chunks that kept a request from being served. */
  const wayOut = (memory, i) => {
    const requested = failures.requested[i];
    const { fewest, single } = chunksInTheWay(memory, model, requested, failures.stream[i]);
    const title = reasonNode("p", `The request needs ${exactText(requested)} in one piece.`);
    if (!fewest) {
      return [title, reasonNode("p", "No region has so many bytes, in use or free, for this request.")];
    }
    const some = single.slice(0, listedHoles);
    const isTogether = fewest.chunks.length > 1;
    const chunks = [...(isTogether ? fewest.chunks : []), ...some.flatMap((way) => way.chunks)];
    return [
      title,
      reasonNode("h3", "Chunks between holes: without them, the request fits"),
      reasonNode("p", "", highlightButton(model, store, chunks, "Show these chunks")),
      ...(isTogether
        ? [
            reasonNode("p", `The fewest bytes: ${exactText(fewest.freed)} in ${numberText(fewest.chunks.length)} chunks together.`),
            reasonList(fewest.chunks, chunkButton, listedHoles),
          ]
        : []),
      ...(some.length > 0 ? [reasonNode("p", "Each of these chunks alone:"), reasonList(some, aloneRow)] : []),
    ];
  };
  const aloneRow = ({ chunks: [chunk], room }) => [
    chunkButton(chunk),
    reasonNode("div", `leaves ${humanText(room)} free in one piece`),
  ];

  const fill = ({ moment: event }) => {
    if (event < 0) {
      return; // there are no events
    }
    const request = failures.event[chosen] === event ? chosen : failures.event.indexOf(event);
    requests.querySelectorAll("li").forEach((row, i) => row.firstChild.setAttribute("aria-pressed", String(i === request)));
    moment.replaceChildren(...(request >= 0 ? wayOut(memoryAt(model, event), request) : []));
  };
  return {
    id: "reasons",
    title: "Reasons",
    element: host,
    update: (state, previous) => {
      if (state.moment !== previous.moment) {
        fill(state);
      }
    },
  };
};
