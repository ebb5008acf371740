/* Tables that sort by their columns: the figures of a page and the rows of panels. Cells of figures have exact numbers in "data-value". */
const orderOf = (a, b) => (a < b ? -1 : a > b ? 1 : 0);

/* Makes the heads of a table buttons. sort(compare, column) is called with a comparison of keys. */
const sortable = (heads, sort) =>
  heads.forEach((head, column) => {
    const isText = head.classList.contains("text");
    const button = buttonOf(head.textContent, () => {
      const isDescending = head.ariaSort ? head.ariaSort === "ascending" : !isText;
      heads.forEach((each) => (each.ariaSort = null));
      head.ariaSort = isDescending ? "descending" : "ascending";
      sort(isDescending ? (a, b) => orderOf(b, a) : orderOf, column);
    });
    head.replaceChildren(button);
  });

/* Tables of figures with many rows also have a filter. */
const filteredFrom = 6;

const sortFigures = () => {
  for (const table of document.querySelectorAll("table.figures")) {
    const [body] = table.tBodies;
    const rows = [...body.rows];
    const heads = [...table.tHead.rows[0].cells];
    sortable(heads, (compare, column) => {
      const keyOf = ({ cells }) => (heads[column].classList.contains("text") ? cells[column].textContent : Number(cells[column].dataset.value ?? NaN));
      body.append(...[...rows].sort((a, b) => compare(keyOf(a), keyOf(b))));
    });
    if (rows.length >= filteredFrom) {
      const filter = Object.assign(document.createElement("input"), { type: "search", autocomplete: "off" });
      filter.addEventListener("input", () => {
        const part = filter.value.trim().toLowerCase();
        rows.forEach((row) => (row.hidden = !row.textContent.toLowerCase().includes(part)));
      });
      table.parentElement.before(node("label", "Filter ", filter));
    }
  }
};

/*
 * A table in a panel, of rows that are numbers, such as records. It shows the first rows; a button shows all.
 *
 *   columns          {title, text(row), order(row), hint(row), colour(row), isText, isWide, isExtra}: "hint" is the full text; a
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
  sortable(heads, (compare, column) => {
    rows = [...rows].sort((a, b) => compare(columns[column].order(a), columns[column].order(b)));
    paint();
  });

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
      heads.forEach((each) => (each.ariaSort = null));
      paint();
    },
  };
};
