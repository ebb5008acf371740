/*
 * The state of a page:
 *
 *   shown     the index of the plan on the map
 *   moment    the step with the listed and marked live records; -1 if there are no records
 *   pinned    the record in the panel "Selected", or -1
 *   hole      the address of the chosen hole, or -1
 *   hovered   the record under the pointer, or -1
 *   hint      a tooltip of something other than a record, or null
 *   pointer   the point of the tooltip in the window, or null
 *   group     the id of the grouping that colours the map, or "size"
 *   find      the text of the search
 *   matches   a Uint8Array with 1 for each record that is not dimmed; null if none is
 *   panel     the id of the panel beside the map
 *   range     {left, right, bottom, top}, the visible part of the map; null for all of it
 *
 * The store derives from them: live and tone, a Uint8Array each; liveRecords, the largest first; liveBytes and liveTotal. A
 * listener receives the new state and the previous one.
 */
const storeOf = (model) => {
  const initial = {
    shown: model.best ?? 0,
    moment: model.peaks.length > 0 ? model.peaks[0][0] : -1,
    pinned: -1,
    hole: -1,
    hovered: -1,
    hint: null,
    pointer: null,
    group: "size",
    find: "",
    matches: null,
    panel: "moment",
    range: null,
  };
  const derived = (next, previous) => {
    const now = next.moment !== previous.moment ? { ...next, ...liveAt(model, next.moment) } : next;
    const isRecoloured = ["moment", "group", "matches"].some((name) => next[name] !== previous[name]);
    return isRecoloured ? { ...now, tone: tonesOf(model, now) } : now;
  };
  let state = derived(initial, {});
  const listeners = [];
  return {
    get: () => state,
    set: (change) => {
      if (Object.entries(change).some(([name, value]) => state[name] !== value)) {
        const previous = state;
        state = derived({ ...state, ...change }, previous);
        listeners.forEach((listener) => listener(state, previous));
      }
    },
    listen: (listener) => listeners.push(listener),
  };
};

/* The records with parts that are live at a step, and the bytes of these parts, or the "weights" of the records. */
const liveAt = ({ count, boxes, weights }, step) => {
  const live = new Uint8Array(count);
  const liveBytes = new Float64Array(count);
  const liveRecords = [];
  let liveTotal = 0;
  const { record, first, end, low, high } = boxes;
  for (let i = 0; i < record.length; i++) {
    if (first[i] <= step && step < end[i]) {
      const size = weights ? weights[record[i]] : high[i] - low[i];
      if (live[record[i]] === 0) {
        live[record[i]] = 1;
        liveRecords.push(record[i]);
      }
      liveBytes[record[i]] += size;
      liveTotal += size;
    }
  }
  liveRecords.sort((a, b) => liveBytes[b] - liveBytes[a] || a - b);
  return { live, liveRecords, liveBytes, liveTotal };
};

/* The tone of each record: of its group, or by its size and whether it is live at the moment. */
const tonesOf = (model, { group, matches, live }) => {
  const grouping = model.groupings.find(({ id }) => id === group);
  return Uint8Array.from(live, (isLive, i) => {
    if (matches !== null && matches[i] === 0) {
      return tones.dimmed;
    }
    return grouping ? grouping.tones[grouping.of[i]] : model.levels[i] + (isLive ? tones.live : 0);
  });
};

/* The index of the first value above a number. The values of the list are in ascending order. */
const indexAbove = (values, number) => {
  let from = 0;
  let to = values.length;
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (values[middle] <= number) {
      from = middle + 1;
    } else {
      to = middle;
    }
  }
  return from;
};

const mostOf = (values) => values.reduce((a, b) => Math.max(a, b), 0);

/* The value of a curve at a step. A curve has a value from each step of a list until the next one: {event, max}. */
const valueAt = ({ event, max }, at) => max[indexAbove(event, at) - 1] ?? 0;

/* The ranges of steps at which a curve has its largest value: [first, last]. */
const peaksOf = ({ event, max }, stop) => {
  const most = mostOf(max);
  const peaks = [];
  for (let i = 0; i < event.length; i++) {
    const end = (event[i + 1] ?? stop) - 1;
    if (max[i] === most && most > 0) {
      if (peaks.at(-1)?.[1] === event[i] - 1) {
        peaks.at(-1)[1] = end;
      } else {
        peaks.push([event[i], end]);
      }
    }
  }
  return peaks;
};

/*
 * A way to group records: {id, label, keys, of, tones, textOf(group), hintOf(group)}, with the index of the key of each
 * record. The groups with the most bytes at the peak have colours of their own.
 */
const groupingOf = (model, id, label, keyOf, textOfKey = String, hintOfKey = String) => {
  const atPeak = liveAt(model, model.peaks[0]?.[0] ?? -1).liveBytes;
  const indices = new Map();
  const weights = [];
  const of = Int32Array.from(atPeak, (bytes, i) => {
    const key = keyOf(i);
    const index = indices.get(key) ?? indices.size;
    indices.set(key, index);
    weights[index] = (weights[index] ?? 0) + bytes;
    return index;
  });
  const keys = [...indices.keys()];
  const order = [...keys.keys()].sort((a, b) => weights[b] - weights[a] || a - b);
  const toneOf = new Uint8Array(keys.length).fill(tones.groups + groupTones - 1);
  order.slice(0, groupTones - 1).forEach((key, i) => {
    toneOf[key] = tones.groups + i;
  });
  return { id, label, keys, of, tones: toneOf, textOf: (group) => textOfKey(keys[group]), hintOf: (group) => hintOfKey(keys[group]) };
};

/*
 * The grouping by layers: the start of each name, up to the first "/", ".", "::" or "_" after a digit, or so many of them that no
 * layer has more than half of the names.
 */
const layerGrouping = (model, nameOf) => {
  const parts = Array.from({ length: model.count }, (_, i) => nameOf(i).split(";")[0].split(/(?=[/.]|::|(?<=\d)_)/u));
  const layersAt = (depth) => parts.map((part) => part.slice(0, Math.min(depth, part.length - 1)).join(""));
  let depth = 1;
  let layers;
  let most;
  do {
    layers = layersAt(depth++);
    const counts = new Map();
    layers.filter((layer) => layer !== "").forEach((layer) => counts.set(layer, (counts.get(layer) ?? 0) + 1));
    most = mostOf([...counts.values()]);
  } while (depth < 12 && most > model.count / 2);
  return groupingOf(model, "layer", "layer", (i) => layers[i] || "(no layer)");
};
