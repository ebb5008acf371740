/*
 * The state of a page:
 *
 *   shown     the index of the plan on the map
 *   compared  the index of the plan on a second map, or -1
 *   moment    the step whose live records are listed and marked; -1 if there are no records
 *   pinned    the record in the panel "Selected", or -1
 *   hole      the address of a hole in the panel "Holes", or -1
 *   hovered   the record under the pointer, or -1
 *   group     the id of the grouping that colours the map, or "size"
 *   axis      the id of the horizontal axis
 *   matches   a Uint8Array with 1 for each record that a search matches; null if there is no search
 *   find      the text of the search
 *   panel     the id of the panel beside the map
 *   hint      a tooltip of something other than a record, or null
 *   pointer   the point of the tooltip, in pixels of the map "pointerHost"
 *   range     {left, right, bottom, top}, the visible part of the map; null for all of it
 *
 * and what follows from it, computed by "derive" before any listener is called:
 *
 *   live      a Uint8Array with 1 for each record that is live at the moment
 *   tone      a Uint8Array with the tone of each record, as in colours.js
 *
 * A listener receives the new state and the previous one.
 */
const storeOf = (initial, derive) => {
  let state = Object.freeze({ ...initial, ...derive(initial, {}) });
  const listeners = [];
  return {
    get: () => state,
    set: (change) => {
      if (Object.entries(change).some(([name, value]) => state[name] !== value)) {
        const previous = state;
        const next = { ...state, ...change };
        state = Object.freeze({ ...next, ...derive(next, previous) });
        listeners.forEach((listener) => listener(state, previous));
      }
    },
    listen: (listener) => listeners.push(listener),
  };
};
