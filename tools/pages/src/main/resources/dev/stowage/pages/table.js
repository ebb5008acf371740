/*
 * A table in a panel, of rows that are numbers, such as records. It shows the first rows; a button shows all.
 *
 *   columns          {title, text(row), hint(row), colour(row), isText, isWide, isExtra}: "hint" is the full text; a
 *                    wide column takes the space that is left; a narrow panel has no extra columns. The first one has a button
 *   onHover(row)     is called with the row that has the pointer or the focus, or with -1
 *   onChoose(row)    is called for a click on a row
 */
const rowsAtFirst = 200;

const tableOf = ({ label, columns, onHover = () => {}, onChoose }) => {
  const table = node("table", "");
  table.className = "rows";
  table.ariaLabel = label;
  const body = table.createTBody();
  let rows = [];
  let limit = rowsAtFirst;
  let marked = -1;
  const more = buttonOf("", () => {
    limit = Infinity;
    paint();
  });
  const classesOf = ({ isText, isWide, isExtra }) => `${isText ? "text" : ""} ${isWide ? "most" : ""} ${isExtra ? "extra" : ""}`;
  const heads = columns.map((column) => Object.assign(node("th", column.title), { scope: "col", className: classesOf(column) }));
  table.createTHead().insertRow().append(...heads);

  const lineOf = (row) => {
    const line = node("tr", "");
    line.dataset.row = row;
    columns.forEach((column, i) => {
      const cell = line.insertCell();
      cell.className = classesOf(column);
      const background = column.colour?.(row);
      if (background) {
        cell.append(swatchOf(background, ""));
      }
      const text = column.text(row);
      cell.append(i === 0 ? Object.assign(buttonOf(text, () => {}), { className: "link" }) : text);
      cell.title = column.hint?.(row) ?? "";
    });
    return line;
  };

  const paint = () => {
    body.replaceChildren(...rows.slice(0, limit).map(lineOf));
    table.hidden = rows.length === 0;
    more.hidden = rows.length <= limit;
    more.textContent = `Show all ${numberText(rows.length)}`;
    mark(marked);
  };

  /* Marks a row, which scrolls into view within its panel. */
  const mark = (row) => {
    const isNew = row !== marked;
    marked = row;
    for (const line of body.rows) {
      const isMarked = Number(line.dataset.row) === row;
      line.ariaCurrent = isMarked ? "true" : null;
      if (isMarked && isNew) {
        const panel = element("panel");
        panel.scrollTop += line.getBoundingClientRect().top - panel.getBoundingClientRect().top - panel.clientHeight / 2;
      }
    }
  };

  const rowOf = ({ target }) => Number(target.closest("tr")?.dataset.row ?? -1);
  for (const [over, out] of [["pointerover", "pointerleave"], ["focusin", "focusout"]]) {
    body.addEventListener(over, (event) => onHover(rowOf(event)));
    body.addEventListener(out, () => onHover(-1));
  }
  body.addEventListener("click", (event) => onChoose(rowOf(event)));

  return {
    element: node("div", table, more),
    mark,
    show: (given) => {
      rows = given;
      limit = rowsAtFirst;
      paint();
    },
  };
};
