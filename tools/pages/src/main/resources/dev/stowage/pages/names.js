/*
 * A name is horizontal, or vertical in a tall box. A border in the colour of the box separates it from
 * the lines below. "named" has the boxes in pixels of the device, relative to a point of the canvas.
 */
const paintNames = (context, named, tone, nameOf, palette, ratio) => {
  context.font = `${palette.text * ratio}px ${fonts}`;
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.lineJoin = "round";
  context.lineWidth = 4 * ratio;
  const em = context.measureText("x").width;
  const roomOf = (pixels) => Math.floor((pixels - 8 * ratio) / em);
  for (const { record, x, y, width, height } of named) {
    const name = shortened(nameOf(record));
    const upwards = height > width && roomOf(width) < name.length;
    const along = upwards ? height : width;
    const room = roomOf(along);
    if ((upwards ? width : height) < 1.2 * palette.text * ratio || room < Math.min(7, name.length)) {
      continue;
    }
    const most = along - 4 * ratio;
    const text = fittingWidth(context, name, room, most);
    context.strokeStyle = palette.boxes[tone[record]];
    context.fillStyle = palette.inks[tone[record]];
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

/* A name for a box, of at most so many characters that cutting it takes no time. */
const shortened = (name) => (name.length <= 400 ? name : `${name.slice(0, 200)}${name.slice(-200)}`.toWellFormed());

/* A name of at most some characters, and of fewer if they are wide. */
const fittingWidth = (context, name, room, most) => {
  const text = fittingName(name, room);
  const { width } = context.measureText(text);
  return width <= most ? text : fittingName(name, Math.max(2, Math.floor(([...text].length * most) / width)));
};

/* The ends of a name around an ellipsis. Three quarters are of the end, which has the number of a layer. */
const fittingName = (name, room) => {
  const all = [...name];
  const start = Math.floor((room - 1) / 4);
  return all.length <= room ? name : `${all.slice(0, start).join("")}…${all.slice(all.length - room + 1 + start).join("")}`;
};
