/* Makes the tables of figures of a page sortable, and adds a filter to those with many rows. Their cells have the exact numbers in "data-value". */
const filteredFrom = 6;

const sortFigures = () => {
  for (const table of document.querySelectorAll("table.figures:not(.sortable)")) {
    const [body] = table.tBodies;
    const rows = [...body.rows];
    const heads = [...table.tHead.rows[0].cells];
    table.classList.add("sortable");
    heads.forEach((head, i) => {
      const isText = head.classList.contains("text");
      const valueOf = ({ cells }) => (isText ? cells[i].textContent : Number(cells[i].dataset.value ?? NaN));
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = head.textContent;
      head.replaceChildren(button);
      button.addEventListener("click", () => {
        const first = isText ? "ascending" : "descending";
        const order = head.ariaSort === first ? (isText ? "descending" : "ascending") : first;
        heads.forEach((each) => (each.ariaSort = each === head ? order : "none"));
        const by = order === "ascending" ? 1 : -1;
        body.append(...[...rows].sort((a, b) => by * orderOf(valueOf(a), valueOf(b))));
      });
    });
    if (rows.length >= filteredFrom) {
      const texts = rows.map((row) => row.textContent.toLowerCase());
      const label = document.createElement("label");
      label.textContent = "Filter ";
      const filter = label.appendChild(document.createElement("input"));
      filter.type = "search";
      filter.autocomplete = "off";
      filter.addEventListener("input", () => {
        const part = filter.value.trim().toLowerCase();
        rows.forEach((row, i) => (row.hidden = !texts[i].includes(part)));
      });
      table.parentElement.before(label);
    }
  }
};

const orderOf = (a, b) => (a < b ? -1 : a > b ? 1 : 0);
