/*
 * A table that sorts by its columns and is used by keys: the arrows move between rows, Enter chooses one. It shows the
 * first rows, and a button shows all. Rows are numbers, such as records.
 *
 *   columns          {title, text(row, sum), order(row), exact(row, sum), hint(row), colour(row), isText, isWide, isExtra}:
 *                    "sum" is the running sum of the weights; without "order", the column does not sort; "exact" is the
 *                    value of a copy, by default that of "order"; "hint" is the full text; a wide column takes the space
 *                    that is left; a narrow panel has no extra columns
 *   weight(row)      what the running sum adds
 *   onHover(row)     is called with the row that has the pointer or the focus, or with -1
 *   onChoose(row)    is called for a click, Enter or Space
 *
 * The rows are given in the order of the column "sorted", from large to small.
 */
const rowsAtFirst = 200;

const tableOf = ({ label, columns, sorted, weight = () => 0, onHover = () => {}, onChoose }) => {
  const host = document.createElement("div");
  const table = host.appendChild(document.createElement("table"));
  table.className = "rows";
  table.setAttribute("aria-label", label);
  const heads = table.createTHead().insertRow();
  const body = table.createTBody();
  const more = host.appendChild(document.createElement("button"));
  more.type = "button";
  more.hidden = true;
  const copy = host.appendChild(document.createElement("button"));
  copy.type = "button";
  copy.textContent = "Copy as CSV";
  let rows = [];
  let order = [];
  let limit = rowsAtFirst;
  let sort = { column: sorted, by: -1 };
  let lines = new Map();
  let marks = { pinned: -1, hovered: -1 };

  const cells = columns.map((column) => {
    const cell = heads.appendChild(document.createElement("th"));
    cell.scope = "col";
    cell.classList.toggle("text", column.isText === true);
    cell.classList.toggle("extra", column.isExtra === true);
    if (!column.order) {
      cell.textContent = column.title;
      return cell;
    }
    const button = cell.appendChild(document.createElement("button"));
    button.type = "button";
    button.textContent = column.title;
    button.addEventListener("click", () => {
      const by = sort.column === column.title ? -sort.by : column.isText ? 1 : -1;
      sort = { column: column.title, by };
      sortRows();
      paint();
    });
    return cell;
  });

  const sortRows = () => {
    columns.forEach(({ title, order: of }, i) => {
      if (of) {
        const isSorted = title === sort.column;
        cells[i].setAttribute("aria-sort", isSorted ? (sort.by < 0 ? "descending" : "ascending") : "none");
      }
    });
    if (sort.column === sorted && sort.by < 0) {
      order = rows;
      return;
    }
    const keyOf = columns.find(({ title }) => title === sort.column).order;
    const keys = new Map(rows.map((row) => [row, keyOf(row)]));
    const compare = (a, b) => (a < b ? -1 : a > b ? 1 : 0);
    order = [...rows].sort((a, b) => sort.by * compare(keys.get(a), keys.get(b)));
  };

  const lineOf = (row, sum) => {
    const line = document.createElement("tr");
    line.tabIndex = -1;
    line.dataset.row = row;
    for (const { text, hint, colour, isText, isWide, isExtra } of columns) {
      const cell = line.insertCell();
      cell.classList.toggle("text", isText === true);
      cell.classList.toggle("most", isWide === true);
      cell.classList.toggle("extra", isExtra === true);
      const background = colour?.(row);
      if (background) {
        const swatch = cell.appendChild(document.createElement("i"));
        swatch.className = "swatch small";
        swatch.style.background = background;
      }
      cell.append(text(row, sum));
      if (hint) {
        cell.title = hint(row);
      }
    }
    return line;
  };

  const paint = () => {
    const hadFocus = body.contains(document.activeElement) ? Number(document.activeElement.dataset.row) : -1;
    lines = new Map();
    let sum = 0;
    order.forEach((row, i) => {
      sum += weight(row);
      if (i < limit || row === marks.pinned) {
        lines.set(row, lineOf(row, sum));
      }
    });
    body.replaceChildren(...lines.values());
    if (body.firstChild) {
      body.firstChild.tabIndex = 0;
    }
    table.hidden = order.length === 0;
    more.hidden = order.length <= limit;
    more.textContent = `Show all ${numberText(order.length)}`;
    copy.hidden = order.length === 0;
    copy.textContent = "Copy as CSV";
    const { pinned, hovered } = marks;
    marks = { pinned: -1, hovered: -1 };
    mark({ pinned, hovered });
    lines.get(hadFocus)?.focus();
  };

  /* Marks the rows that are pinned and hovered; the pinned one scrolls into view, with the page if "isScrolling". */
  const mark = ({ pinned, hovered, isScrolling }) => {
    const before = marks;
    marks = { pinned, hovered };
    if (pinned !== before.pinned) {
      if (pinned >= 0 && !lines.has(pinned) && order.includes(pinned)) {
        paint();
        scrollTo(lines.get(pinned), isScrolling);
        return;
      }
      lines.get(before.pinned)?.removeAttribute("aria-current");
      const line = lines.get(pinned);
      line?.setAttribute("aria-current", "true");
      scrollTo(line, isScrolling);
    }
    lines.get(before.hovered)?.classList.remove("hovered");
    lines.get(hovered)?.classList.add("hovered");
  };

  /* Scrolls the panel, and the page only if it is to. */
  const scrollTo = (line, isScrolling) => {
    if (isScrolling) {
      line?.scrollIntoView({ block: "nearest" });
    }
    const panel = host.closest("#panel");
    if (line && panel) {
      const place = line.getBoundingClientRect();
      const room = panel.getBoundingClientRect();
      if (place.top < room.top || place.bottom > room.bottom) {
        panel.scrollTop += place.top - room.top - (room.height - place.height) / 2;
      }
    }
  };

  const rowOf = ({ target }) => Number(target.closest("tr")?.dataset.row ?? -1);

  const focusOn = (line) => {
    if (line) {
      body.querySelector("[tabindex='0']")?.setAttribute("tabindex", "-1");
      line.tabIndex = 0;
      line.focus();
    }
  };

  more.addEventListener("click", () => {
    limit = Infinity;
    paint();
  });
  copy.addEventListener("click", async () => {
    await copyText(csvOf(columns, order, weight));
    copy.textContent = `Copied ${numberText(order.length)} ${order.length === 1 ? "row" : "rows"}`;
  });
  body.addEventListener("pointerover", (event) => onHover(rowOf(event)));
  body.addEventListener("pointerleave", () => onHover(-1));
  body.addEventListener("focusin", (event) => onHover(rowOf(event)));
  body.addEventListener("focusout", () => onHover(-1));
  const isInList = ({ target }) => target.closest("details") !== null;
  body.addEventListener("click", (event) => isInList(event) || onChoose(rowOf(event)));
  body.addEventListener("keydown", (event) => {
    if (isInList(event)) {
      return;
    }
    const line = event.target.closest("tr");
    const move = {
      ArrowDown: () => focusOn(line.nextElementSibling),
      ArrowUp: () => focusOn(line.previousElementSibling),
      Home: () => focusOn(body.firstChild),
      End: () => focusOn(body.lastChild),
      Enter: () => onChoose(rowOf(event)),
      " ": () => onChoose(rowOf(event)),
    }[event.key];
    if (move) {
      event.preventDefault();
      move();
    }
  });

  return {
    element: host,
    mark,
    show: (given) => {
      rows = given;
      limit = rowsAtFirst;
      sortRows();
      paint();
    },
  };
};

/* Only the file and its folder of a path in a frame or a line of code. */
const shortFrame = (frame) => frame.replace(/ at .*\/([^/]+\/[^/]+)$/su, " at $1");

const shownFrames = 12;

/* The stack, with only the file and its folder of a long path; empty if the trace has none. */
const askedBy = (data, stack, most) => {
  if (stack < 0) {
    return [];
  }
  const frames = Array.from(data.stackFrames.subarray(data.stackStart[stack], data.stackStart[stack + 1]));
  const lines = frames
    .slice(0, most)
    .map((frame) => shortFrame(data.frames[frame]));
  return [["asked by", frames.length > most ? [...lines, "… and their callers"] : lines]];
};

/* The rows as CSV (RFC 4180), with exact numbers. A spreadsheet would compute some texts, which get an apostrophe. */
const csvOf = (columns, rows, weight) => {
  const inert = (text) => (/^(?:[=+@\t\r].|-[^-])/su.test(text) ? `'${text}` : text);
  const quoted = (value) => (/[",\r\n]/.test(value) ? `"${String(value).replaceAll('"', '""')}"` : value);
  const lines = [columns.map(({ title }) => quoted(title)).join(",")];
  let sum = 0;
  for (const row of rows) {
    sum += weight(row);
    lines.push(columns.map(({ text, order, exact, hint, isText }) => quoted(isText ? inert((hint ?? text)(row, sum)) : (exact ?? order ?? text)(row, sum))).join(","));
  }
  return `${lines.join("\r\n")}\r\n`;
};
