/*
 * Places for labels of given heights, from the top to the bottom, as near to the wanted centres as possible without an
 * overlap: labels that touch each other move together, around the mean of their wanted places.
 */
const spread = (labels, from, to) => {
  const groups = [];
  for (const label of labels) {
    let group = { labels: [label], wanted: label.at - label.height / 2, height: label.height };
    for (let above = groups.at(-1); above && placeOf(above) + above.height > placeOf(group); above = groups.at(-1)) {
      groups.pop();
      const [a, b] = [above.labels.length, group.labels.length];
      group = {
        labels: [...above.labels, ...group.labels],
        wanted: (above.wanted * a + (group.wanted - above.height) * b) / (a + b),
        height: above.height + group.height,
      };
    }
    groups.push(group);
  }
  function placeOf({ wanted, height }) {
    return Math.max(from, Math.min(wanted, to - height));
  }
  return groups.flatMap((group) => {
    let top = placeOf(group);
    return group.labels.map((label) => {
      top += label.height;
      return { ...label, top: top - label.height };
    });
  });
};

/* A text with a border in the colour of the ground. */
const paintOutlined = (context, text, x, y, colour, palette) => {
  context.lineWidth = 3;
  context.lineJoin = "round";
  context.strokeStyle = palette.ground;
  context.strokeText(text, x, y);
  context.fillStyle = colour;
  context.fillText(text, x, y);
};

/* Lines across an area at numbers of bytes, with labels beside it, or within it if there is no space beside it. */
const paintLines = (context, area, y, lines, isBeside, palette) => {
  const leading = palette.text * 1.2;
  const visible = lines
    .map((line) => ({ ...line, at: y(line.bytes), texts: isBeside ? [line.name, humanText(line.bytes)] : [`${line.name} ${humanText(line.bytes)}`] }))
    .filter(({ at }) => at >= area.y && at <= area.y + area.height)
    .sort((a, b) => a.at - b.at);
  for (const { at, colour, dashes } of visible) {
    context.strokeStyle = palette[colour];
    context.lineWidth = 2;
    context.setLineDash(dashes ?? []);
    context.beginPath();
    context.moveTo(area.x, at);
    context.lineTo(area.x + area.width, at);
    context.stroke();
  }
  context.setLineDash([]);
  context.font = `600 ${palette.text}px ${fonts}`;
  context.textBaseline = "top";
  context.textAlign = isBeside ? "left" : "right";
  const x = isBeside ? area.x + area.width + 6 : area.x + area.width - 4;
  // Without space beside the area, the labels are between the lines and not on them.
  const wanted = visible.map((line, i) => ({
    ...line,
    height: line.texts.length * leading + 2,
    at: isBeside ? line.at : line.at + (i === 0 ? -0.7 : 0.7) * leading,
  }));
  const placed = spread(wanted, area.y - leading, area.y + area.height);
  for (const { texts, top, colour } of placed) {
    texts.forEach((text, i) => paintOutlined(context, text, x, top + 1 + i * leading, palette[colour], palette));
  }
  return placed;
};

/* Names of ranges of bytes beside an area, where there is space and no other label. */
const paintBands = (context, area, y, bands, others, palette) => {
  const leading = palette.text * 1.2;
  const within = (bytes) => Math.min(Math.max(y(bytes), area.y), area.y + area.height);
  context.font = `${palette.text}px ${fonts}`;
  context.textAlign = "left";
  context.textBaseline = "top";
  context.fillStyle = palette.muted;
  for (const { name, low, high } of bands) {
    const [top, bottom] = [within(high), within(low)];
    const texts = bottom - top >= 2.2 * leading ? [name, humanText(high - low)] : [name];
    const height = texts.length * leading;
    const at = (top + bottom - height) / 2;
    const isFree = others.every((other) => other.top + other.height <= at || other.top >= at + height);
    if (bottom - top >= leading && isFree) {
      texts.forEach((text, i) => context.fillText(text, area.x + area.width + 6, at + i * leading));
    }
  }
};

/* The names of curves and of parts above each other beside their area, each with a piece of its line or pattern. */
const paintCurveNames = (context, area, curves, palette, parts) => {
  const leading = palette.text * 1.35;
  context.font = `${palette.text}px ${fonts}`;
  context.textAlign = "left";
  context.textBaseline = "middle";
  curves.forEach(({ name, colour, dashes }, i) => {
    const y = area.y + palette.text / 2 + i * leading;
    const x = area.x + area.width + 6;
    context.strokeStyle = palette[colour];
    context.lineWidth = 2;
    context.setLineDash(dashes ?? []);
    context.beginPath();
    context.moveTo(x, y);
    context.lineTo(x + 14, y);
    context.stroke();
    context.setLineDash([]);
    context.fillStyle = palette.muted;
    name.split(" ").forEach((word, k, words) => {
      if (words.length > 1 && context.measureText(name).width > 90) {
        context.fillText(word, x + 18, y + k * leading);
      } else if (k === 0) {
        context.fillText(name, x + 18, y);
      }
    });
  });
  [...parts].reverse().forEach((kind, i) => {
    const y = area.y + palette.text / 2 + (curves.length + i) * leading;
    const x = area.x + area.width + 6;
    context.fillStyle = context.createPattern(tileOf(kind, palette, 1), "repeat");
    context.fillRect(x, y - 5, 14, 10);
    context.fillStyle = palette.muted;
    context.fillText(kind.name, x + 18, y);
  });
};
