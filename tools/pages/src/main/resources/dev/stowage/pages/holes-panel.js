/*
 * The panel "Holes": the parts of the reserved memory at the moment, its regions as bars with their holes, and for a
 * chosen hole the chunks that pin it and the later requests that it would have served.
 */
const listedRegions = 8;
const listedPins = 6;
const leastHoleShare = 0.012; // of the width of a bar; smaller holes are drawn, and are in the list of holes

/* A hole by the part that most of it belongs to. */
const pieceTexts = {
  holes: "pinned by chunks in use",
  kept_segments: "kept",
  other_streams: "of another stream",
  private_pools: "of a private pool",
};

const pieceReasons = {
  holes: (pins) => `${numberText(pins)} ${pins === 1 ? "chunk in use keeps" : "chunks in use keep"} it from being released.`,
  kept_segments: () => "No chunk in use pins it: the allocator could release it, and keeps it for later requests.",
  other_streams: () => "It belongs to another stream than that of the request at this moment.",
  private_pools: () => "It belongs to a private pool.",
};

const holesPanel = (model, store, navigation) => {
  const { data } = model;
  const host = reasonNode("div", "");
  const chosen = host.appendChild(reasonNode("div", ""));
  const rest = host.appendChild(reasonNode("div", ""));
  const kindOf = (id) => partKinds.find((kind) => kind.id === id);

  const choose = (hole) => {
    const { moment } = store.get();
    store.set({ hole: hole.low, pinned: -1 });
    navigation.reveal({ first: moment, end: moment + 1, low: hole.low, high: hole.high });
    chosen.querySelector("h2")?.focus();
  };

  const placeText = ({ region, low }) => `offset ${humanText(low - region.base)} of region ${region.index}`;
  const holeButton = (hole, event) => {
    const { id } = mainPiece(piecesOf(model, hole, event));
    const button = reasonButton(`${humanText(hole.bytes)} at ${placeText(hole)}, ${pieceTexts[id]}`, () => choose(hole));
    button.prepend(partSwatch(id));
    return button;
  };

  const part = (id, bytes, reserved) => {
    const row = reasonNode("div", "");
    row.append(partSwatch(id), reasonNode("span", kindOf(id).name), reasonNode("span", humanText(bytes)), reasonNode("span", percentText(bytes, reserved)));
    row.title = exactText(bytes);
    return row;
  };

  /* Why so many bytes are reserved. */
  const partsList = (event) => {
    const column = columnAt(data, event);
    if (!column) {
      return [];
    }
    const { bytes, reserved } = column;
    const note = columnNote(column, event);
    const list = reasonNode("div", "", ...[...model.partKinds].reverse().filter(({ id }) => bytes[id] > 0).map(({ id }) => part(id, bytes[id], reserved)));
    list.className = "part-list";
    const most = mostReserved(data);
    return [
      reasonNode("p", `${humanText(reserved)} reserved for ${humanText(bytes.requested)} requested:`),
      list,
      ...(note ? [reasonNode("p", `${note} `, goButton(column.event))] : []),
      ...(reserved < most.reserved ? [reasonNode("p", `The most are reserved after event ${numberText(most.event)}: ${humanText(most.reserved)}. `, goButton(most.event))] : []),
    ];
  };
  const goButton = (event) => reasonButton("Go to this event", () => {
    store.set({ moment: event });
    navigation.reveal({ first: event, end: event + 1 });
  });

  /* A bar of the bytes of a region; what is not in a hole is in use. */
  const barOf = ({ region, bytes: size, chunks }, holes, event, stream) => {
    const bar = reasonNode("div", "");
    bar.className = "region-bar";
    const put = (node, low, high) => {
      node.style.left = `${(100 * (low - region.base)) / size}%`;
      node.style.width = `${(100 * (high - low)) / size}%`;
      bar.append(node);
    };
    const piece = (id, low, high) => {
      const node = document.createElement("i");
      node.className = `part ${id}`;
      put(node, low, high);
    };
    for (const chunk of chunks) {
      const low = model.address[chunk];
      if (event >= model.end[chunk] - data.pending[chunk]) {
        piece("pending_frees", low, low + model.bytes[chunk]);
      } else if (model.bytes[chunk] - model.requested[chunk] > size / 500) {
        piece("unsplit_rests", low + model.requested[chunk], low + model.bytes[chunk]);
      }
    }
    for (const hole of holes) {
      const pieces = piecesOf(model, hole, event, stream);
      pieces.filter(({ low, high }) => high - low > size / 1000).forEach(({ id, low, high }) => piece(id, low, high));
      if (hole.bytes >= leastHoleShare * size) {
        const button = document.createElement("button");
        button.type = "button";
        button.setAttribute("aria-label", `Hole of ${humanText(hole.bytes)} at ${placeText(hole)}, ${pieceTexts[mainPiece(pieces).id]}`);
        button.title = button.getAttribute("aria-label");
        button.dataset.low = hole.low;
        button.addEventListener("click", () => choose(hole));
        put(button, hole.low, hole.high);
      }
    }
    return bar;
  };

  const regionRow = (place, holes, event, stream) => {
    const { region, bytes, free, chunks } = place;
    const own = holes.filter((hole) => hole.region === region);
    const text = [
      `region ${region.index}: ${humanText(free)} of ${humanText(bytes)} free`,
      chunks.length === 0 ? "no chunk in use" : `${numberText(chunks.length)} ${chunks.length === 1 ? "chunk" : "chunks"} in use`,
      ...(region.owner && region.owner !== byStream ? [region.owner] : []),
    ].join(", ");
    return [reasonNode("span", text), barOf(place, own, event, stream)];
  };

  const fillRest = (event) => {
    const memory = memoryAt(model, event);
    const { holes, isExact } = memory;
    const stream = streamAt(model, event);
    const regions = freeRegions(memory, model);
    const sum = d3.sum(holes, ({ bytes }) => bytes);
    rest.replaceChildren(
      reasonNode("h2", event === 0 ? "Before the first event" : `After event ${numberText(event)}`),
      ...partsList(event),
      reasonNode("p", holes.length === 0 ? "No byte is free." : `${exactText(sum)} free in ${numberText(holes.length)} ${holes.length === 1 ? "hole" : "holes"}. Choose one to see the chunks that pin it.`),
      ...(isExact ? [] : [reasonNode("p", "The holes are not exact: the page lacks small chunks or single events, or the trace has several streams or addresses without memory.")]),
      ...(regions.length > 0 ? [reasonNode("h3", "Regions with the most free bytes"), reasonList(regions, (place) => regionRow(place, holes, event, stream), listedRegions)] : []),
      ...(holes.length > 0 ? [reasonNode("h3", "Largest holes"), reasonList(holes, (hole) => holeButton(hole, event), listedHoles)] : []),
    );
  };

  const stackLines = (stack) => askedBy(data, stack, shownFrames).flatMap(([, lines]) => lines);
  const stackNodes = (stack) => {
    const lines = stackLines(stack);
    if (lines.length < 2) {
      return [];
    }
    const details = document.createElement("details");
    const frames = reasonNode("ol", "", ...lines.map((line) => reasonNode("li", line)));
    details.append(reasonNode("summary", `stack of ${numberText(lines.length)} frames`), frames);
    return [details];
  };

  const sideText = (chunk, { above, below }) => (chunk === above ? "above: " : chunk === below ? "below: " : "");
  const pinRow = (chunk, hole) => [
    reasonNode("div", sideText(chunk, hole), pinButton(store, chunk, chunkText(model, chunk))),
    ...stackNodes(data.stack[chunk]),
  ];

  const requestRow = ({ event, bytes, chunk, failure, owner }) => {
    const stack = chunk === undefined ? data.failures.stack[failure] : data.stack[chunk];
    const by = stack >= 0 ? `, ${fittingName(data.lines[data.stackLine[stack]], 160)}` : "";
    const text = `event ${numberText(event)}: ${humanText(bytes)}${owner ? `, ${owner}` : ""}${by}`;
    return chunk === undefined
      ? [reasonButton(`${text}: failed`, () => store.set({ moment: event, panel: "reasons" }))]
      : [pinButton(store, chunk, text)];
  };

  const requestNodes = (hole, event) => {
    const { since, until, fitting, freed } = servedBy(model, hole, event);
    const from = since === 0 ? "from the start" : `from event ${numberText(since)}`;
    const end = until > data.events ? "to the end" : `to event ${numberText(until)}`;
    const isOwn = hole.region.owner === "" || hole.region.owner === byStream;
    return [
      reasonNode("h3", "Requests that it would have served"),
      reasonNode("p", `Requests while it is free, ${from} ${end}, for which the allocator reserved more memory, or which failed, and that are not larger than the hole or its region${fitting.length + freed.length === 0 ? ": none." : ":"}`),
      ...(fitting.length > 0
        ? [reasonNode("h4", `They fit into the hole${isOwn ? "" : `, which serves only ${hole.region.owner}`}`), reasonList(fitting, requestRow, listedHoles)]
        : []),
      ...(freed.length > 0
        ? [reasonNode("h4", `They fit into region ${hole.region.index}, if its chunks were elsewhere`), reasonList(freed, requestRow, listedHoles)]
        : []),
      ...(data.skipped > 0 ? [reasonNode("p", "Requests of chunks that are not drawn are not in these lists.")] : []),
    ];
  };

  const fillChosen = ({ moment: event, hole: low }) => {
    if (low < 0) {
      chosen.replaceChildren();
      return;
    }
    const hole = holeAt(model, event, low);
    if (!hole) {
      chosen.replaceChildren(reasonNode("h2", "The chosen hole"), reasonNode("p", "At this moment, these bytes are in use or not reserved."));
      return;
    }
    const pieces = piecesOf(model, hole, event);
    const pins = pinningChunks(model, hole, event);
    const heading = reasonNode("h2", `Hole of ${humanText(hole.bytes)} after event ${numberText(event)}`);
    heading.tabIndex = -1;
    const reasons = pieces.map(({ id, low: from, high: to }) => {
      const row = reasonNode("p", "", partSwatch(id));
      row.append(`${kindOf(id).name}${pieces.length > 1 ? ` (${humanText(to - from)})` : ""}: ${pieceReasons[id](pins.length)}`);
      return row;
    });
    chosen.replaceChildren(
      heading,
      ...reasons,
      definitionsOf(holeDetails(model, hole, event).filter(([term]) => term !== "above" && term !== "below")),
      ...(pins.length > 0 ? [reasonNode("h3", "Chunks in use that pin it, the neighbours first"), reasonNode("p", "", highlightButton(model, store, pins, "Show these chunks")), reasonList(pins, (chunk) => pinRow(chunk, hole), listedPins)] : []),
      ...requestNodes(hole, event),
    );
  };

  return {
    id: "holes",
    title: "Holes",
    element: host,
    update: (state, previous) => {
      if (state.moment < 0) {
        return; // there are no events
      }
      if (state.moment !== previous.moment) {
        fillRest(state.moment);
      }
      if (state.moment !== previous.moment || state.hole !== previous.hole) {
        fillChosen(state);
        host.querySelectorAll("button[data-low]").forEach((button) => button.setAttribute("aria-pressed", String(Number(button.dataset.low) === state.hole)));
        if (state.hole !== previous.hole && host.parentElement) {
          host.parentElement.scrollTop = 0;
        }
      }
    },
  };
};

/* The key of the parts, with the patterns of the colours of the page. */
const partKey = (model) => {
  const style = () => styleParts(readPalette());
  style();
  onColours(style);
  element("part-key").replaceChildren(
    ...model.partKinds.map(({ id, name }) => {
      const span = reasonNode("span", "", partSwatch(id));
      span.append(name);
      return span;
    }),
  );
};
