/*
 * A table of rows that are numbers, such as records. It sorts by its columns, and shows the first rows; a button shows all.
 *
 *   columns          {title, text(row), order(row), hint(row), colour(row), isText, isWide, isExtra}: "hint" is the full text; a
 *                    wide column takes the space that is left; a narrow panel has no extra columns. The first one has a button
 *   onHover(row)     is called with the row that has the pointer or the focus, or with -1
 *   onChoose(row)    is called for a click on a row
 *
 * The rows are given in their first order.
 */
const rowsAtFirst = 200;

const tableOf = ({ label, columns, onHover = () => {}, onChoose }) => {
  const table = node("table", "");
  table.className = "rows";
  table.setAttribute("aria-label", label);
  const heads = table.createTHead().insertRow();
  const body = table.createTBody();
  let rows = [];
  let limit = rowsAtFirst;
  let marked = -1;
  const more = buttonOf("", () => {
    limit = Infinity;
    paint();
  });

  columns.forEach(({ title, order, isText, isExtra }) => {
    const head = heads.appendChild(node("th", ""));
    head.scope = "col";
    head.className = `${isText ? "text" : ""} ${isExtra ? "extra" : ""}`;
    const button = buttonOf(title, () => {
      const isDescending = head.ariaSort ? head.ariaSort === "ascending" : !isText;
      [...heads.cells].forEach((each) => (each.ariaSort = null));
      head.ariaSort = isDescending ? "descending" : "ascending";
      const keys = new Map(rows.map((row) => [row, order(row)]));
      const by = isDescending ? -1 : 1;
      rows = [...rows].sort((a, b) => by * orderOf(keys.get(a), keys.get(b)));
      paint();
    });
    head.append(button);
  });

  const lineOf = (row) => {
    const line = node("tr", "");
    line.dataset.row = row;
    columns.forEach(({ text, hint, colour, isText, isWide, isExtra }, i) => {
      const cell = line.insertCell();
      cell.className = `${isText ? "text" : ""} ${isWide ? "most" : ""} ${isExtra ? "extra" : ""}`;
      const background = colour?.(row);
      if (background) {
        const swatch = cell.appendChild(node("i", ""));
        swatch.className = "swatch small";
        swatch.style.background = background;
      }
      const content = i === 0 ? buttonOf(text(row), () => {}) : text(row);
      if (i === 0) {
        content.className = "link";
      }
      cell.append(content);
      cell.title = hint?.(row) ?? "";
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
      const panel = line.closest("#panel");
      if (isMarked && isNew && panel) {
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
      [...heads.cells].forEach((each) => (each.ariaSort = null));
      paint();
    },
  };
};
