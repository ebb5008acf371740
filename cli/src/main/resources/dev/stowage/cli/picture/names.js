/*
 * A name is horizontal, or vertical in a tall box. A border in the colour of the box separates it from
 * the lines below. "named" has the boxes in pixels of the device, relative to a point of the canvas.
 */
const paintNames = (context, named, nameOf, palette, ratio) => {
  context.font = `${11 * ratio}px ${fonts}`;
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.lineJoin = "round";
  context.lineWidth = 4 * ratio;
  const em = context.measureText("x").width;
  for (const { record, tone, x, y, width, height } of named) {
    const upwards = height > width && width < 60 * ratio;
    const across = upwards ? width : height;
    const room = Math.floor(((upwards ? height : width) - 8 * ratio) / em);
    const name = nameOf(record);
    if (across < 13 * ratio || room < Math.min(7, name.length)) {
      continue;
    }
    const text = fittingName(name, room);
    const most = (upwards ? height : width) - 4 * ratio;
    context.strokeStyle = palette.boxes[tone];
    context.fillStyle = palette.inks[tone];
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
 * The cut removes the piece with the fewest digits, and of those the one nearest to the middle, so that
 * names that differ only in the number of a layer stay different.
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
