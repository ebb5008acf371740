/*
 * Makes the tables of figures of a page sortable, and adds a filter to those with many rows. Their cells have the exact
 * numbers in "data-value". Returns the rows of the tables of charts, by the ids of the charts, as scatter.js needs them.
 */
const filteredFrom = 6;

const sortFigures = () => {
  const linked = new Map();
  for (const source of document.querySelectorAll("table.figures:not(.sortable)")) {
    const lines = [...source.tBodies[0].rows];
    const texts = lines.map((line) => line.textContent.toLowerCase());
    const columns = [...source.tHead.rows[0].cells].map((head, i) => {
      const cells = lines.map((line) => line.cells[i]);
      const isText = head.classList.contains("text");
      return {
        title: head.textContent,
        isText,
        text: (row) => fragmentOf(cells[row]),
        hint: (row) => cells[row].title || nameIn(cells[row]),
        order: (row) => (isText ? nameIn(cells[row]) : Number(cells[row].dataset.value ?? NaN)),
      };
    });
    const listener = { onHover: () => {}, onChoose: () => {} };
    const table = tableOf({
      label: source.getAttribute("aria-label"),
      columns,
      sorted: "",
      onHover: (row) => listener.onHover(row),
      onChoose: (row) => {
        lines[row]?.querySelector("a")?.click();
        listener.onChoose(row);
      },
    });
    table.element.querySelector("table").classList.add("figures", "sortable");
    const place = source.parentElement;
    const rows = [...lines.keys()];
    if (lines.length >= filteredFrom) {
      const label = document.createElement("label");
      label.textContent = "Filter ";
      const filter = label.appendChild(document.createElement("input"));
      filter.type = "search";
      filter.autocomplete = "off";
      filter.addEventListener("input", () => {
        const part = filter.value.trim().toLowerCase();
        table.show(rows.filter((row) => texts[row].includes(part)));
      });
      place.before(label);
    }
    place.replaceChildren(table.element);
    table.show(rows);
    linked.set(source.dataset.chart, {
      titleOf: (row) => columns[0].hint(row),
      detailsOf: (row) => columns.slice(1).map(({ title, hint }) => [title, hint(row)]).filter(([, text]) => text !== ""),
      mark: table.mark,
      listen: (other) => Object.assign(listener, other),
    });
  }
  return linked;
};

/* The text of a cell without its list. */
const nameIn = (cell) => [...cell.childNodes].filter(({ nodeName }) => nodeName !== "DETAILS").map(({ textContent }) => textContent).join("");

const fragmentOf = (cell) => {
  const fragment = document.createDocumentFragment();
  fragment.append(...cell.cloneNode(true).childNodes);
  return fragment;
};
