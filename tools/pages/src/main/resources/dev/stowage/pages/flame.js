/*
 * A flame graph of call stacks, from the outermost frame down to the innermost one: {element, show(root)} for the root
 * of a tree as of stackTree. The width of a frame is the bytes below it. A click or Enter zooms into a frame, which
 * onZoom(node, isRoot) receives. The arrows move between frames.
 */
const flameOf = ({ id, label, userLines, item, onZoom = () => {} }) => {
  const host = document.createElement("div");
  const text = host.appendChild(document.createElement("p"));
  text.className = "frame";
  text.setAttribute("role", "status");
  const graph = host.appendChild(document.createElement("div"));
  graph.id = id;
  graph.className = "flame";
  graph.setAttribute("role", "tree");
  graph.setAttribute("aria-label", label);
  const rowHeight = 20;
  let root;
  let zoomed;
  let boxes = [];

  const describe = (node) => {
    const share = percentText(node.bytes, root.bytes);
    const count = `${numberText(node.count)} ${item}${node.count === 1 ? "" : "s"}`;
    text.textContent = `${node.name}: ${exactText(node.bytes)}, ${share}, ${count}`;
  };

  const boxOf = (node, left, width, depth) => {
    const box = document.createElement("div");
    box.setAttribute("role", "treeitem");
    box.setAttribute("aria-level", String(depth + 1));
    box.tabIndex = -1;
    box.textContent = node.short;
    box.title = `${node.name}: ${humanText(node.bytes)}`;
    box.classList.toggle("user", userLines.has(node.name));
    box.classList.toggle("above", depth < zoomed.depth);
    box.style.left = `${100 * left}%`;
    box.style.width = `${100 * width}%`;
    box.style.top = `${depth * rowHeight}px`;
    box.style.height = `${rowHeight - 1}px`;
    boxes.push({ node, box, depth });
    graph.append(box);
  };

  /* Children that are narrower than a pixel are one box together. */
  const addChildren = (node, left, width, least) => {
    let at = left;
    const narrow = [];
    for (const child of node.children) {
      const part = (child.bytes / node.bytes) * width;
      if (part >= least) {
        boxOf(child, at, part, child.depth);
        addChildren(child, at, part, least);
        at += part;
      } else {
        narrow.push(child);
      }
    }
    if (narrow.length > 0) {
      const bytes = narrow.reduce((sum, child) => sum + child.bytes, 0);
      const part = (bytes / node.bytes) * width;
      if (part >= least) {
        const name = `${numberText(narrow.length)} narrow frames`;
        const count = narrow.reduce((sum, child) => sum + child.count, 0);
        boxOf({ name, short: "", bytes, count, children: [], parent: node }, at, part, node.depth + 1);
      }
    }
  };

  const paint = () => {
    const hadFocus = graph.contains(document.activeElement);
    graph.replaceChildren();
    boxes = [];
    for (let node = zoomed; node; node = node.parent) {
      boxOf(node, 0, 1, node.depth);
    }
    boxes.reverse();
    addChildren(zoomed, 0, 1, 1 / Math.max(200, graph.clientWidth));
    graph.style.height = `${(1 + Math.max(...boxes.map(({ depth }) => depth))) * rowHeight}px`;
    const own = boxes.find(({ node }) => node === zoomed).box;
    own.tabIndex = 0;
    if (hadFocus) {
      own.focus();
    }
    describe(zoomed);
  };

  const zoomTo = (node) => {
    if (node.depth === undefined) {
      return;
    }
    zoomed = node;
    onZoom(node, node === root);
    paint();
  };

  const boxAt = ({ target }) => boxes.find(({ box }) => box === target);
  const focusOn = (found) => {
    if (found) {
      boxes.forEach(({ box }) => (box.tabIndex = -1));
      found.box.tabIndex = 0;
      found.box.focus();
    }
  };
  const beside = (found, by) => {
    const row = boxes.filter(({ depth }) => depth === found.depth);
    return row[row.indexOf(found) + by];
  };
  graph.addEventListener("click", (event) => {
    const found = boxAt(event);
    if (found) {
      zoomTo(found.node);
    }
  });
  for (const type of ["pointerover", "focusin"]) {
    graph.addEventListener(type, (event) => {
      const found = boxAt(event);
      if (found) {
        describe(found.node);
      }
    });
  }
  graph.addEventListener("pointerleave", () => describe(zoomed));
  graph.addEventListener("keydown", (event) => {
    const found = boxAt(event);
    const keys = {
      Enter: () => zoomTo(found.node),
      " ": () => zoomTo(found.node),
      Escape: () => zoomTo(root),
      ArrowUp: () => focusOn(boxes.find(({ node }) => node === found.node.parent)),
      ArrowDown: () => focusOn(boxes.find(({ node }) => node.parent === found.node)),
      ArrowLeft: () => focusOn(beside(found, -1)),
      ArrowRight: () => focusOn(beside(found, 1)),
    };
    if (found && keys[event.key]) {
      event.preventDefault();
      keys[event.key]();
    }
  });
  let width = 0;
  new ResizeObserver(() => {
    if (root && graph.clientWidth > 0 && graph.clientWidth !== width) {
      width = graph.clientWidth;
      paint();
    }
  }).observe(host);

  return {
    element: host,
    show: (tree) => {
      root = tree;
      zoomed = tree;
      paint();
    },
  };
};

/*
 * The tree of the frames: {name, short, bytes, count, depth, parent, children, group}, the largest child first.
 * "group" has the indices of the stacks that end at a frame.
 */
const stackTree = ({ data, stacks }, sums, title) => {
  const nodeOf = (name, parent) => ({
    name,
    short: shortFrame(name),
    bytes: 0,
    count: 0,
    depth: parent ? parent.depth + 1 : 0,
    parent,
    children: new Map(),
    group: [],
  });
  const root = nodeOf(title);
  for (const group of sums.groups) {
    let node = root;
    const add = () => {
      node.bytes += sums.bytes[group];
      node.count += sums.counts[group];
    };
    add();
    for (const name of framesOf(data, stacks.keys[group]).reverse()) {
      if (!node.children.has(name)) {
        node.children.set(name, nodeOf(name, node));
      }
      node = node.children.get(name);
      add();
    }
    node.group.push(group);
  }
  const sort = (node) => {
    node.children = [...node.children.values()].sort((a, b) => b.bytes - a.bytes);
    node.children.forEach(sort);
  };
  sort(root);
  return root;
};

/* The frames of a stack, the innermost first, or the name of a group of chunks without a stack. */
const framesOf = (data, stack) =>
  typeof stack === "string"
    ? [stack]
    : Array.from(data.stackFrames.subarray(data.stackStart[stack], data.stackStart[stack + 1]), (i) => data.frames[i]);
