/*
 * The records that are live at a step, and their bytes: {live, records, bytes, total}, the largest first. The bytes
 * are "weights", if the model has them, or those of the parts that are live.
 */
const liveAt = (model, step) => {
  const { count, boxes, weights } = model;
  const live = new Uint8Array(count);
  const bytes = new Float64Array(count);
  let total = 0;
  const add = (record, size) => {
    live[record] = 1;
    bytes[record] += size;
    total += size;
  };
  if (weights) {
    const { first, end } = model;
    for (let i = 0; i < count; i++) {
      if (first[i] <= step && step < end[i]) {
        add(i, weights[i]);
      }
    }
  } else {
    const { record, first, end, low, high } = boxes;
    for (let i = 0; i < boxes.count; i++) {
      if (first[i] <= step && step < end[i]) {
        add(record[i], high[i] - low[i]);
      }
    }
  }
  const records = [];
  for (let i = 0; i < count; i++) {
    if (live[i] === 1) {
      records.push(i);
    }
  }
  records.sort((a, b) => bytes[b] - bytes[a] || a - b);
  return { live, records, bytes, total };
};

/* The tone of each record: of its group, or by its size and whether it is live at the moment. */
const tonesOf = (model, { group, matches }, live) => {
  const tone = new Uint8Array(model.count);
  const grouping = model.groupings.find(({ id }) => id === group);
  const toneOfGroup = grouping?.tones;
  for (let i = 0; i < model.count; i++) {
    if (matches !== null && matches[i] === 0) {
      tone[i] = tones.dimmed;
    } else if (grouping) {
      tone[i] = toneOfGroup[grouping.of[i]];
    } else if (group === "holes" && matches === null) {
      tone[i] = tones.dimmed; // the colours are those of free memory
    } else {
      tone[i] = model.levels[i] + (live[i] === 1 ? tones.live : 0);
    }
  }
  return tone;
};

/* Recomputes only what depends on a change. */
const deriveFor = (model) => (state, previous) => {
  const isMoved = state.moment !== previous.moment;
  const found = isMoved ? liveAt(model, state.moment) : undefined;
  const live = found ? found.live : previous.live;
  const isRecoloured = isMoved || state.group !== previous.group || state.matches !== previous.matches;
  return {
    ...(isMoved ? { live, liveRecords: found.records, liveBytes: found.bytes, liveTotal: found.total } : {}),
    ...(isRecoloured ? { tone: tonesOf(model, state, live) } : {}),
  };
};

/*
 * A way to group records: {id, label, keys, of, tones, textOf(group), hintOf(group)}, with the index of the key of each
 * record. The groups with the most bytes at the peak have colours of their own. The texts are those of a key.
 */
const groupingOf = (id, label, count, keyOf, weightOf, textOfKey = String, hintOfKey = String) => {
  const indices = new Map();
  const keys = [];
  const weights = [];
  const of = new Int32Array(count);
  for (let i = 0; i < count; i++) {
    const key = keyOf(i);
    let index = indices.get(key);
    if (index === undefined) {
      index = keys.length;
      indices.set(key, index);
      keys.push(key);
      weights.push(0);
    }
    of[i] = index;
    weights[index] += weightOf(i);
  }
  const order = [...keys.keys()].sort((a, b) => weights[b] - weights[a] || a - b);
  const toneOf = new Uint8Array(keys.length).fill(tones.groups + groupTones - 1);
  order.slice(0, groupTones - 1).forEach((key, i) => {
    toneOf[key] = tones.groups + i;
  });
  const textOf = (group) => textOfKey(keys[group]);
  const hintOf = (group) => hintOfKey(keys[group]);
  return { id, label, keys, of, tones: toneOf, textOf, hintOf };
};

/* The bytes of a record that count for the colours of groups: those at the first peak. */
const weightsAtPeak = (model) => {
  const at = model.peaks.length > 0 ? liveAt(model, model.peaks[0][0]).bytes : new Float64Array(model.count);
  return (record) => at[record];
};

/* The groupings by the layers of names, if there are any: by layers of a medium level, and by the innermost ones. */
const layerGroupings = ({ data: { layers }, count }, weigh) => {
  if (!layers) {
    return [];
  }
  const { prefixes, parents, of } = layers;
  const levels = [];
  parents.forEach((parent) => levels.push(parent < 0 ? 0 : levels[parent] + 1));
  const byLevel = (id, label, level) => {
    const keyOf = (i) => {
      let layer = of[i];
      while (layer >= 0 && levels[layer] > level) {
        layer = parents[layer];
      }
      return layer < 0 ? "(no layer)" : prefixes[layer];
    };
    return groupingOf(id, label, count, keyOf, weigh);
  };
  return [byLevel("layer", "layer", layers.level), byLevel("inner-layer", "innermost layer", Infinity)];
};
