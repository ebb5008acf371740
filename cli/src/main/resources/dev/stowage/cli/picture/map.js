/*
 * The rectangles, painted into a canvas of our own that the chart then shows as one image: 60,000
 * of them take milliseconds as fillRect, and seconds as an object each. So which one is at a point
 * is also found here, by going through the columns. Names are another image, above the lines.
 *
 * A scale says where things are: {x, perTask, y, perByte, firstTask} in pixels; y goes down.
 */
const sizedContext = (canvas, area) => {
  const ratio = window.devicePixelRatio || 1;
  canvas.width = Math.max(1, Math.round(area.width * ratio));
  canvas.height = Math.max(1, Math.round(area.height * ratio));
  return canvas.getContext("2d");
};

/* Answers the boxes that a name might fit into, the largest tensors first. */
const paintBoxes = (canvas, area, scale, plan, offsets, palette) => {
  const context = sizedContext(canvas, area);
  const ratio = window.devicePixelRatio || 1;
  const { count, record, first, end, start, stop, colour } = plan.boxes;
  const left = (scale.x - area.x) * ratio;
  const bottom = (scale.y - area.y) * ratio;
  const perTask = scale.perTask * ratio;
  const perByte = scale.perByte * ratio;
  const named = [];
  let painted = -1;
  for (let i = 0; i < count; i++) {
    const x0 = Math.round(left + (first[i] - scale.firstTask) * perTask);
    const x1 = Math.round(left + (end[i] - scale.firstTask) * perTask);
    const offset = offsets[record[i]];
    const y0 = Math.round(bottom - (offset + stop[i]) * perByte);
    const y1 = Math.round(bottom - (offset + start[i]) * perByte);
    if (x1 < 0 || x0 > canvas.width || y1 < 0 || y0 > canvas.height) {
      continue;
    }
    if (colour[i] !== painted) {
      painted = colour[i];
      context.fillStyle = palette.boxes[painted];
    }
    // A gap of a pixel parts neighbours, where there is room; nothing is too small for one pixel.
    const width = x1 - x0 > 4 ? x1 - x0 - 1 : Math.max(1, x1 - x0);
    const height = y1 - y0 > 4 ? y1 - y0 - 1 : Math.max(1, y1 - y0);
    context.fillRect(x0, y1 - height, width, height);
    if (width > 13 * ratio && height > 13 * ratio && named.length < 600) {
      const x = Math.max(0, x0);
      const y = Math.max(0, y0);
      named.push({
        box: i,
        x,
        y,
        width: Math.min(x0 + width, canvas.width) - x,
        height: Math.min(y1, canvas.height) - y,
      });
    }
  }
  return named;
};

/*
 * A name is written across, or upwards in a tall box; it interrupts the lines below it by a border
 * of its box's colour.
 */
const paintNames = (canvas, area, plan, named, palette) => {
  const context = sizedContext(canvas, area);
  const ratio = window.devicePixelRatio || 1;
  context.font = `${11 * ratio}px system-ui, -apple-system, "Segoe UI", Arial, sans-serif`;
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.lineJoin = "round";
  context.lineWidth = 4 * ratio;
  const em = context.measureText("x").width;
  for (const { box, x, y, width, height } of named) {
    const upwards = height > width && width < 60 * ratio;
    const across = upwards ? width : height;
    const room = Math.floor(((upwards ? height : width) - 8 * ratio) / em);
    const name = plan.names[plan.boxes.record[box]];
    if (across < 13 * ratio || room < Math.min(7, name.length)) {
      continue;
    }
    const text = fittingName(name, room);
    const most = (upwards ? height : width) - 4 * ratio;
    context.strokeStyle = palette.boxes[plan.boxes.colour[box]];
    context.fillStyle = palette.inks[plan.boxes.colour[box]];
    context.save();
    context.translate(x + width / 2, y + height / 2);
    if (upwards) {
      context.rotate(-Math.PI / 2);
    }
    context.strokeText(text, 0, 0, most);
    context.fillText(text, 0, 0, most);
    context.restore();
  }
};

/*
 * One piece is cut out of a name, where it takes the fewest digits, and of such places nearest the
 * middle: names that differ in the number of a layer alone still differ.
 */
const fittingName = (name, room) => {
  const all = [...name];
  if (all.length <= room) {
    return name;
  }
  const cut = all.length - room + 1;
  const last = all.length - cut;
  const digit = (i) => (all[i] >= "0" && all[i] <= "9" ? 1 : 0);
  let digits = 0;
  for (let i = 0; i < cut; i++) {
    digits += digit(i);
  }
  let best = 0;
  let fewest = digits;
  for (let from = 1; from <= last; from++) {
    digits += digit(from + cut - 1) - digit(from - 1);
    const isNearer = Math.abs(2 * from - last) < Math.abs(2 * best - last);
    if (digits < fewest || (digits === fewest && isNearer)) {
      best = from;
      fewest = digits;
    }
  }
  return `${all.slice(0, best).join("")}…${all.slice(best + cut).join("")}`;
};

/*
 * The record at a task and byte, or -1. Rectangles below a pixel are painted as a pixel, so next to
 * none at the very point, the nearest within a pixel counts.
 */
const recordAt = (plan, offsets, scale, task, byte) => {
  const { count, record, first, end, start, stop } = plan.boxes;
  let nearest = -1;
  let least = 1.5;
  for (let i = 0; i < count; i++) {
    const offset = offsets[record[i]];
    const tasksOff = Math.max(first[i] - task, task - end[i], 0);
    const bytesOff = Math.max(offset + start[i] - byte, byte - offset - stop[i], 0);
    const off = Math.max(tasksOff * scale.perTask, bytesOff * scale.perByte);
    if (off < least) {
      if (task >= first[i] && task < end[i] && bytesOff === 0 && byte < offset + stop[i]) {
        return record[i];
      }
      least = off;
      nearest = record[i];
    }
  }
  return nearest;
};
