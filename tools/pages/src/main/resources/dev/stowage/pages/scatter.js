/*
 * A chart of points with a cost and bytes: {across, upwards, cost, bytes, low, high, mark, front, labels, lines}, as
 * ScatterChart.java writes it. Each point belongs to the row of a table with its index:
 *
 *   titleOf(row), detailsOf(row)   the content of the tooltip
 *   mark({pinned, hovered})        marks rows
 *   listen({onHover, onChoose})    gets the rows that are hovered and chosen in the table
 *
 * The costs have a logarithmic axis if they differ by much. The wheel zooms if the chart has the focus or Ctrl is
 * pressed.
 */
const markColours = { none: "layout", recommended: "group2", baseline: "group1", failed: "failed" };
const nearPixels = 24;
const manyPoints = 500; // from here on, points are smaller, and their bars have no ends

const scatterOf = (host, chart, rows) => {
  const { cost, bytes, low, high, mark, front, labels, lines } = chart;
  const count = cost.length;
  const hover = element("hover");
  const canvas = host.appendChild(sizedCanvas(1, 1));
  const picture = sizedCanvas(1, 1); // all but the marks of the pointer
  const isLog = d3.max(cost) > Math.max(20, 10 * (d3.min(cost) + 1));
  const placeOf = isLog ? Math.log1p : (value) => value;
  const place = Float64Array.from(cost, placeOf);
  const radius = count < manyPoints ? 5 : 3;
  const onFront = new Set(front);
  const home = { x: padded(d3.extent(place), 0.06, 0.5), y: padded(byteRange(low, high, lines), 0.12, 1) };
  const unit = unitFor(d3.max(high));
  let palette = readPalette();
  let range = home;
  let area;
  let x;
  let y;
  let at = -1; // the point of the tooltip
  let pinned = -1;
  let drag;

  // Along each axis, the arrow keys step through all points. Points at the same place have the order of the rows.
  const along = (first, second) => {
    const order = d3.sort(d3.range(count), (a, b) => first[a] - first[b] || second[a] - second[b] || a - b);
    const ranks = new Int32Array(count);
    order.forEach((point, rank) => {
      ranks[point] = rank;
    });
    return { order, ranks };
  };
  const acrossOrder = along(place, bytes);
  const upwardsOrder = along(bytes, place);

  const resize = () => {
    const ratio = window.devicePixelRatio || 1;
    const { clientWidth: width, clientHeight: height } = host;
    for (const { canvas: target } of [{ canvas }, { canvas: picture }]) {
      target.width = Math.round(width * ratio);
      target.height = Math.round(height * ratio);
      target.getContext("2d").scale(ratio, ratio);
    }
    return { width, height };
  };

  const paint = () => {
    const { width, height } = resize();
    const context = picture.getContext("2d");
    const isBeside = width >= 52 * palette.text;
    context.font = `600 ${palette.text}px ${fonts}`;
    const names = d3.max(lines, ({ name }) => context.measureText(name).width) ?? 0;
    const right = isBeside ? Math.max(names, 7 * palette.text) + 16 : 12;
    const tickTexts = ticksOf(range.y[0] / unit.bytes, range.y[1] / unit.bytes, height, 3.1 * palette.text);
    context.font = `${palette.text}px ${fonts}`;
    const left = d3.max(tickTexts, (tick) => context.measureText(numberText(Number(tick.toPrecision(12)))).width) + 2 * palette.text + 12;
    const below = 4.2 * palette.text;
    area = { x: left, y: 12, width: Math.max(40, width - left - right), height: Math.max(60, height - 12 - below) };
    x = scaleOf(...range.x, area.x, area.x + area.width);
    y = scaleOf(...range.y, area.y + area.height, area.y);
    paintUpwards(context, area, y, range.y, unit, palette, `${chart.upwards} (${unit.name})`);
    paintCosts(context, area, x, range.x, isLog, placeOf, palette, chart.across);
    context.save();
    context.beginPath();
    context.rect(area.x, area.y, area.width, area.height);
    context.clip();
    paintLevels(context);
    paintFront(context);
    paintBars(context);
    paintPoints(context);
    context.restore();
    paintLevelNames(context, isBeside);
    paintPointNames(context);
    paintPicked();
  };

  const paintLevels = (context) => {
    context.lineWidth = 2;
    for (const { bytes: level, colour } of lines) {
      context.strokeStyle = palette[colour];
      context.beginPath();
      context.moveTo(area.x, y(level));
      context.lineTo(area.x + area.width, y(level));
      context.stroke();
    }
  };

  /* Lines outside the range keep their names, with an arrow. */
  const paintLevelNames = (context, isBeside) => {
    const leading = 1.2 * palette.text;
    const bottom = area.y + area.height;
    const wanted = lines
      .map(({ name, colour, bytes: level }) => {
        const arrow = level > range.y[1] ? "↑ " : level < range.y[0] ? "↓ " : "";
        const texts = isBeside ? [arrow + name, humanText(level)] : [`${arrow}${name} ${humanText(level)}`];
        return { texts, colour, at: Math.max(area.y, Math.min(y(level), bottom)), height: texts.length * leading + 2 };
      })
      .sort((a, b) => a.at - b.at)
      .map((name) => (isBeside ? name : { ...name, at: name.at - 0.7 * leading }));
    context.font = `600 ${palette.text}px ${fonts}`;
    context.textBaseline = "top";
    context.textAlign = isBeside ? "left" : "right";
    const edge = area.x + area.width + (isBeside ? 6 : -4);
    for (const { texts, colour, top } of spread(wanted, area.y - leading / 2, bottom + leading / 2)) {
      texts.forEach((text, i) => paintOutlined(context, text, edge, top + 1 + i * leading, palette[colour], palette));
    }
  };

  const paintFront = (context) => {
    context.strokeStyle = palette.load;
    context.lineWidth = 1.5;
    context.setLineDash([5, 4]);
    context.beginPath();
    front.forEach((point, i) => {
      if (i > 0) {
        context.lineTo(x(place[point]), y(bytes[front[i - 1]]));
      }
      context.lineTo(x(place[point]), y(bytes[point]));
    });
    context.stroke();
    context.setLineDash([]);
  };

  const paintBars = (context) => {
    context.strokeStyle = palette.muted;
    context.lineWidth = 1;
    context.beginPath();
    for (let i = 0; i < count; i++) {
      if (low[i] < high[i]) {
        const px = x(place[i]);
        context.moveTo(px, y(low[i]));
        context.lineTo(px, y(high[i]));
        for (const end of count < manyPoints ? [low[i], high[i]] : []) {
          context.moveTo(px - 4, y(end));
          context.lineTo(px + 4, y(end));
        }
      }
    }
    context.stroke();
  };

  const shapeOf = (i) => {
    const px = x(place[i]);
    const py = y(bytes[i]);
    const r = mark[i] === "none" ? radius : 5;
    const path = new Path2D();
    switch (mark[i]) {
      case "recommended":
        path.moveTo(px, py - 1.7 * r);
        path.lineTo(px + 1.7 * r, py);
        path.lineTo(px, py + 1.7 * r);
        path.lineTo(px - 1.7 * r, py);
        path.closePath();
        break;
      case "baseline":
        path.rect(px - 1.1 * r, py - 1.1 * r, 2.2 * r, 2.2 * r);
        break;
      case "failed":
        path.moveTo(px - r, py - r);
        path.lineTo(px + r, py + r);
        path.moveTo(px + r, py - r);
        path.lineTo(px - r, py + r);
        break;
      default:
        path.arc(px, py, r, 0, 2 * Math.PI);
    }
    return path;
  };

  const paintPoint = (context, i) => {
    const path = shapeOf(i);
    const name = mark[i];
    if (name === "failed") {
      context.strokeStyle = palette.failed;
      context.lineWidth = 2.5;
      context.stroke(path);
      return;
    }
    context.fillStyle = palette[markColours[name]];
    context.fill(path);
    context.strokeStyle = onFront.has(i) ? palette.load : palette.ground;
    context.lineWidth = onFront.has(i) ? 2 : 1;
    context.stroke(path);
  };

  /* The points with marks and those on the front are above the others, and the best of them on top. */
  const paintPoints = (context) => {
    const isSpecial = (i) => mark[i] !== "none" || onFront.has(i);
    for (const special of [false, true]) {
      for (let i = count - 1; i >= 0; i--) {
        if (isSpecial(i) === special) {
          paintPoint(context, i);
        }
      }
    }
  };

  /*
   * Names beside points, at a side where they are within the area and over no other name; over no other point either,
   * if there is such a side. A line joins a name with its point if they are not next to each other.
   */
  const paintPointNames = (context) => {
    context.font = `600 ${palette.text}px ${fonts}`;
    context.textAlign = "left";
    context.textBaseline = "middle";
    const taken = [];
    const half = 0.65 * palette.text;
    for (const { point, text } of labels) {
      const [px, py] = [x(place[point]), y(bytes[point])];
      const width = context.measureText(text).width;
      const gap = 2 * radius + 4;
      const across = [px + gap, px - gap - width, px - width / 2];
      const sides = [0, -1, 1, -2, 2, -3, 3]
        .flatMap((lines) => across.map((from) => [from, py + lines * (gap + half)]))
        .filter(([from, middle]) => from !== across[2] || middle !== py)
        .map(([from, middle]) => ({ from, to: from + width, top: middle - half, bottom: middle + half }))
        .filter((side) => side.from >= area.x && side.to <= area.x + area.width && side.top >= area.y && side.bottom <= area.y + area.height)
        .filter((side) => taken.every((other) => side.from > other.to || side.to < other.from || side.top > other.bottom || side.bottom < other.top));
      const covers = ({ from, to, top, bottom }, i) =>
        x(place[i]) > from - radius && x(place[i]) < to + radius && y(bytes[i]) > top - radius && y(bytes[i]) < bottom + radius;
      const side = sides.find((free) => !place.some((_, i) => covers(free, i))) ?? sides[0];
      if (side && isVisible(point)) {
        taken.push(side);
        const middle = side.top + half;
        if (Math.abs(middle - py) > 1.5 * (gap + half)) {
          context.strokeStyle = palette.ink;
          context.lineWidth = 1;
          context.beginPath();
          context.moveTo(px, py);
          context.lineTo(Math.max(side.from, Math.min(px, side.to)), middle);
          context.stroke();
        }
        paintOutlined(context, text, side.from, middle, palette.ink, palette);
      }
    }
  };

  /* The picture, with rings around the point of the tooltip and the chosen one. */
  const paintPicked = () => {
    const context = canvas.getContext("2d");
    const { clientWidth: width, clientHeight: height } = host;
    context.clearRect(0, 0, width, height);
    context.drawImage(picture, 0, 0, width, height);
    for (const [point, colour, thickness] of [[at, "ink", 1.5], [pinned, "focus", 3]]) {
      if (point >= 0 && isVisible(point)) {
        context.strokeStyle = palette[colour];
        context.lineWidth = thickness;
        context.beginPath();
        context.arc(x(place[point]), y(bytes[point]), 2 * radius + 2, 0, 2 * Math.PI);
        context.stroke();
      }
    }
  };

  const isVisible = (i) => place[i] >= range.x[0] && place[i] <= range.x[1] && bytes[i] >= range.y[0] && bytes[i] <= range.y[1];

  const sameAs = (i) => d3.range(count).filter((other) => cost[other] === cost[i] && bytes[other] === bytes[i]);

  const point = (index) => {
    at = index;
    hover.hidden = index < 0;
    rows.mark({ pinned, hovered: index });
    if (index >= 0) {
      const heading = document.createElement("strong");
      heading.textContent = rows.titleOf(index);
      const others = sameAs(index).length - 1;
      const more = others > 0 ? [["at this point", `${numberText(others)} more`]] : [];
      hover.replaceChildren(heading, definitionsOf([...rows.detailsOf(index), ...more]));
      placeWithin(hover, host, x(place[index]), y(bytes[index]));
    }
    paintPicked();
  };

  const choose = (index, isScrolling) => {
    pinned = index;
    rows.mark({ pinned, hovered: at, isScrolling });
    paintPicked();
  };

  const nearest = ([px, py]) => {
    let best = -1;
    let least = nearPixels ** 2;
    for (let i = 0; i < count; i++) {
      const distance = (x(place[i]) - px) ** 2 + (y(bytes[i]) - py) ** 2;
      if (distance < least && isVisible(i)) {
        best = i;
        least = distance;
      }
    }
    return best;
  };

  /* Another click on a place chooses the next of its points. */
  const click = (where) => {
    const near = nearest(where);
    if (near >= 0) {
      const same = sameAs(near);
      const next = same[(same.indexOf(pinned) + 1) % same.length];
      choose(next, true);
      point(next);
    }
  };

  const show = (next) => {
    range = { x: within(next.x, home.x), y: within(next.y, home.y) };
    paint();
  };
  const zoom = (factor, px, py) => {
    const around = ([from, to], centre) => [centre - (centre - from) * factor, centre + (to - centre) * factor];
    show({ x: around(range.x, x.invert(px)), y: around(range.y, y.invert(py)) });
  };
  const pan = (from, dx, dy) => {
    const by = (ends, pixels, length) => ends.map((end) => end - (pixels / length) * (ends[1] - ends[0]));
    show({ x: by(from.x, dx, area.width), y: by(from.y, -dy, area.height) });
  };

  const step = ({ order, ranks }, by) => {
    const rank = at < 0 ? (by > 0 ? 0 : count - 1) : Math.min(Math.max(ranks[at] + by, 0), count - 1);
    const next = order[rank];
    if (!isVisible(next)) {
      const around = ([from, to], centre) => [centre - (to - from) / 2, centre + (to - from) / 2];
      show({ x: around(range.x, place[next]), y: around(range.y, bytes[next]) });
    }
    point(next);
  };

  const whereOf = (event) => {
    const box = host.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };
  host.addEventListener("pointerdown", (event) => {
    drag = { from: [event.clientX, event.clientY], range, isMoved: false };
    host.setPointerCapture(event.pointerId);
  });
  host.addEventListener("pointermove", (event) => {
    if (drag) {
      const [dx, dy] = [event.clientX - drag.from[0], event.clientY - drag.from[1]];
      drag.isMoved ||= Math.hypot(dx, dy) > 4;
      if (drag.isMoved) {
        pan(drag.range, dx, dy);
      }
    } else {
      point(nearest(whereOf(event)));
    }
  });
  host.addEventListener("pointerup", (event) => {
    if (drag && !drag.isMoved) {
      click(whereOf(event));
    }
    drag = undefined;
  });
  host.addEventListener("pointerleave", () => point(-1));
  host.addEventListener("blur", () => point(-1));
  host.addEventListener("dblclick", () => show(home));
  host.addEventListener("wheel", (event) => {
    if (event.ctrlKey || document.activeElement === host) {
      event.preventDefault();
      zoom(Math.exp(Math.max(-240, Math.min(240, event.deltaY)) / 300), ...whereOf(event));
    }
  }, { passive: false });

  const middle = () => (at >= 0 ? [x(place[at]), y(bytes[at])] : [area.x + area.width / 2, area.y + area.height / 2]);
  const keys = {
    ArrowRight: () => step(acrossOrder, 1),
    ArrowLeft: () => step(acrossOrder, -1),
    ArrowUp: () => step(upwardsOrder, 1),
    ArrowDown: () => step(upwardsOrder, -1),
    Enter: () => choose(at, true),
    " ": () => choose(at, true),
    "+": () => zoom(1 / 2, ...middle()),
    "=": () => zoom(1 / 2, ...middle()),
    "-": () => zoom(2, ...middle()),
    0: () => show(home),
    Escape: () => {
      choose(-1, false);
      point(-1);
    },
  };
  host.addEventListener("keydown", (event) => {
    if (event.key in keys && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      keys[event.key]();
    }
  });
  rows.listen({
    onHover: (row) => {
      at = row;
      paintPicked();
    },
    onChoose: (row) => choose(row, false),
  });
  new ResizeObserver(paint).observe(host);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
    palette = readPalette();
    paint();
  });
};

/* A range with a share of its length as margin at both ends; around a single value, with a least margin. */
const padded = ([from, to], share, least) => {
  const margin = share * (to - from) || Math.max(least, 0.02 * to);
  return [from - margin, to + margin];
};

/* The bytes of all points, and of the lines that are not far away from them. */
const byteRange = (low, high, lines) => {
  const [from, to] = [d3.min(low), d3.max(high)];
  const near = lines.map(({ bytes }) => bytes).filter((bytes) => bytes >= from / 2 && bytes <= 2 * to);
  return d3.extent([from, to, ...near]);
};

/* A range that is moved and cut so that it lies within another one. */
const within = ([from, to], [least, most]) => {
  const span = Math.min(to - from, most - least);
  const start = Math.min(Math.max((from + to - span) / 2, least), most - span);
  return [start, start + span];
};

/* Numbers of a horizontal axis of costs, below an area: powers of ten and their multiples if it is logarithmic. */
const paintCosts = (context, area, x, [from, to], isLog, placeOf, palette, name) => {
  const bottom = area.y + area.height;
  const ends = isLog ? [Math.expm1(from), Math.expm1(to)] : [from, to];
  const powers = d3.range(0, 16).flatMap((power) => [1, 2, 5].map((digit) => digit * 10 ** power));
  const isWide = isLog && ends[1] > 4 * (ends[0] + 1);
  const ticks = (isWide ? [0, ...powers] : ticksOf(...ends, area.width, 6.4 * palette.text, true))
    .filter((tick) => tick >= Math.max(0, ends[0]) && tick <= ends[1]);
  context.font = `${palette.text}px ${fonts}`;
  context.textAlign = "center";
  context.textBaseline = "top";
  let free = -Infinity;
  for (const tick of ticks) {
    const at = Math.round(x(placeOf(tick)));
    const text = numberText(tick);
    const half = context.measureText(text).width / 2;
    context.fillStyle = palette.rule;
    context.fillRect(at, area.y, 1, area.height);
    if (at - half > free) {
      context.fillStyle = palette.muted;
      context.fillRect(at, bottom, 1, 4);
      context.fillText(text, at, bottom + 6);
      free = at + half + 8;
    }
  }
  context.fillStyle = palette.muted;
  context.fillText(name, area.x + area.width / 2, bottom + 8 + 1.4 * palette.text);
};
