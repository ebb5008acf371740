/*
 * Holes: ranges of reserved regions that no chunk uses after an event. A hole is {region, low, high, bytes, below, above}, with
 * the ends as addresses on the map, and the chunks next to it or -1. Holes are not exact if the map lacks chunks, or if an
 * expandable segment has addresses without memory.
 */

/*
 * All chunks and holes after an event: {regions: [{region, bytes, free, chunks, holes}], holes}, the largest holes and the regions
 * with the most free bytes first. The chunks of a region are in the order of addresses.
 */
const memoryAt = ({ boxes, bytes, address, regions: all }, event) => {
  const live = Array.from(boxes.record).filter((_, i) => boxes.first[i] <= event && event < boxes.end[i]);
  live.sort((a, b) => address[a] - address[b]);
  let next = 0;
  const regions = all.map((region) => {
    const size = valueAt(region, event);
    const place = { region, bytes: size, free: 0, chunks: [], holes: [] };
    let low = region.base;
    const add = (high, above) => {
      if (high > low) {
        place.free += high - low;
        place.holes.push({ region, low, high, bytes: high - low, below: place.chunks.at(-1) ?? -1, above });
      }
    };
    for (; next < live.length && address[live[next]] < region.base + region.most; next++) {
      const chunk = live[next];
      add(address[chunk], chunk);
      low = Math.max(low, address[chunk] + bytes[chunk]);
      place.chunks.push(chunk);
    }
    add(region.base + size, -1);
    return place;
  });
  regions.sort((a, b) => b.free - a.free || a.region.index - b.region.index);
  return { regions, holes: regions.flatMap(({ holes }) => holes).sort((a, b) => b.bytes - a.bytes) };
};

/* The hole at an address after an event; undefined if there is none. */
const holeAt = (model, event, byte) => {
  model.memory = model.memory?.event === event ? model.memory : { event, ...memoryAt(model, event) };
  return model.memory.holes.find(({ low, high }) => low <= byte && byte < high);
};

const holeText = ({ region, low, bytes }) => `${humanText(bytes)} at offset ${humanText(low - region.base)} of region ${region.index}`;

const holeDetails = (model, hole) => {
  const neighbour = (chunk) => (chunk < 0 ? "the edge of the region" : chunkText(model, chunk));
  return [
    ["bytes", exactText(hole.bytes)],
    ["region", `${hole.region.index}, offset ${numberText(hole.low - hole.region.base)}`],
    ...(hole.region.owner ? [["only for", hole.region.owner]] : []),
    ["above", neighbour(hole.above)],
    ["below", neighbour(hole.below)],
  ];
};

const chunkText = ({ data, first, bytes }, chunk) => {
  const since = first[chunk] === 0 ? "" : ` since event ${numberText(first[chunk])}`;
  return `${humanText(bytes[chunk])}${since}, ${fittingName(askerOf(data, chunk) || (since ? "(no stack)" : "(older than the recording)"), 160)}`;
};

/* The kind of the part of the reserved memory to which most of a hole belongs, at a request of a stream. */
const kindOfHole = ({ region: { owner, base, page }, low, high, below, above }, stream) => {
  if (owner.endsWith(", private pool")) {
    return "private_pools";
  }
  if (/^stream \d+, /u.test(owner) && !owner.startsWith(`stream ${BigInt.asUintN(64, BigInt(stream))}, `)) {
    return "other_streams";
  }
  // Of an expandable segment, the pages that are wholly free can be released.
  const pages = page > 0 ? Math.floor((high - base) / page) - Math.ceil((low - base) / page) : 0;
  const isKept = page > 0 ? 2 * pages * page > high - low : below < 0 && above < 0;
  return isKept ? "kept_segments" : "holes";
};

const kindTexts = {
  holes: "pinned by chunks in use",
  kept_segments: "kept for later requests",
  other_streams: "of another stream",
  private_pools: "of a private pool",
};

/* The chunks that keep a hole from being released, the nearest first: the chunks in its region, or on the same pages. */
const pinningChunks = ({ address, bytes }, { region: { base, page, most }, low, high }, chunks) => {
  const from = page === 0 ? base : base + Math.floor((low - base) / page) * page;
  const to = page === 0 ? base + most : base + Math.ceil((high - base) / page) * page;
  const distance = (i) => (address[i] >= high ? address[i] - high : low - address[i] - bytes[i]);
  return chunks.filter((i) => address[i] < to && address[i] + bytes[i] > from).sort((a, b) => distance(a) - distance(b));
};

/* The panel with the parts of the reserved memory at the moment, its largest holes, and the chosen hole. */
const listedHoles = 10;

const holesPanel = (model, store, navigation) => {
  const { data } = model;
  const chosen = node("div", "");
  const rest = node("div", "");
  const choose = (hole) => {
    const { moment } = store.get();
    store.set({ hole: hole.low, pinned: -1 });
    navigation.reveal({ ...hole, first: moment, end: moment + 1 });
  };
  const holeButton = (hole, stream) => {
    const kind = kindOfHole(hole, stream);
    const button = buttonOf(swatchOf(colourOfKind(kind), `${holeText(hole)}, ${kindTexts[kind]}`), () => choose(hole));
    button.dataset.low = hole.low;
    return button;
  };

  const partRow = ({ id, name, colour }, bytes, reserved) =>
    node("div", swatchOf(colour, name), node("span", humanText(bytes[id])), node("span", percentText(bytes[id], reserved)));

  const fillRest = (event, { regions, holes }) => {
    const { bytes, reserved, stream } = columnAt(data, event);
    const parts = node("div", "", ...[...model.strip.stack.kinds].reverse().filter(({ id }) => bytes[id] > 0).map((kind) => partRow(kind, bytes, reserved)));
    parts.className = "part-list";
    const sum = holes.reduce((all, hole) => all + hole.bytes, 0);
    const free = countText(regions.filter((place) => place.free > 0).length, "region");
    rest.replaceChildren(
      node("h2", model.momentText(event, event)),
      node("p", `${humanText(reserved)} reserved for ${humanText(bytes.requested)} requested:`),
      parts,
      node("p", holes.length === 0 ? "No byte is free." : `${exactText(sum)} free in ${countText(holes.length, "hole")} of ${free}. Choose one to see the chunks that pin it.`),
      ...(data.skipped > 0 ? [node("p", "Chunks that are not drawn may use parts of them.")] : []),
      ...(holes.length > 0 ? [node("h3", "Largest holes"), buttonList(holes, (hole) => holeButton(hole, stream), listedHoles)] : []),
    );
  };

  const fillChosen = (hole, event, { regions }) => {
    const pins = pinningChunks(model, hole, regions.find(({ region }) => region === hole.region).chunks);
    const kind = kindOfHole(hole, columnAt(data, event).stream);
    chosen.replaceChildren(
      node("h2", `Hole of ${humanText(hole.bytes)} after event ${numberText(event)}`),
      node("p", swatchOf(colourOfKind(kind), `${partKinds.find(({ id }) => id === kind).name}: ${kindTexts[kind]}.`)),
      definitionsOf(holeDetails(model, hole)),
      ...(pins.length > 0
        ? [
            node("h3", `${countText(pins.length, "chunk")} in use, the nearest first`),
            buttonList(pins, (chunk) => buttonOf(chunkText(model, chunk), () => store.set({ pinned: chunk })), listedHoles),
          ]
        : []),
    );
  };

  return {
    id: "holes",
    title: "Holes",
    element: node("div", chosen, rest),
    update: (state, previous) => {
      const { moment, hole: low } = state;
      const isMoved = moment !== previous.moment;
      if (moment < 0 || (!isMoved && low === previous.hole)) {
        return;
      }
      const hole = holeAt(model, moment, low);
      if (isMoved) {
        fillRest(moment, model.memory);
      }
      chosen.replaceChildren();
      if (hole) {
        fillChosen(hole, moment, model.memory);
        element("panel").scrollTop = 0;
      }
      rest.querySelectorAll("button[data-low]").forEach((button) => (button.ariaPressed = String(Number(button.dataset.low) === low)));
    },
  };
};
