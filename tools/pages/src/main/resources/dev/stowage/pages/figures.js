/*
 * Makes the tables of figures of a page sortable, and adds a filter to those with many rows. Their cells have the exact
 * numbers in "data-value".
 */
const filteredFrom = 6;

const sortFigures = () => {
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
        hint: (row) => cells[row].title || cells[row].textContent,
        order: (row) => (isText ? cells[row].textContent : Number(cells[row].dataset.value ?? NaN)),
      };
    });
    const table = tableOf({
      label: source.getAttribute("aria-label"),
      columns,
      sorted: "",
      onChoose: (row) => lines[row]?.querySelector("a")?.click(),
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
  }
};

const fragmentOf = (cell) => {
  const fragment = document.createDocumentFragment();
  fragment.append(...cell.cloneNode(true).childNodes);
  return fragment;
};
