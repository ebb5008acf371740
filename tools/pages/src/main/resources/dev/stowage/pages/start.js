/*
 * Shows the page, or of a report its index, or the input that the fragment of the address names: "#input=2". Each input is
 * started once for a loaded document, so that another input loads it again.
 */
const troubled = ({ message }) => {
  element("trouble").textContent = `This browser cannot read the data of the page (${message}). Chrome 120, Firefox 119, Safari 17.2 and later can.`;
  element("trouble").hidden = false;
};

const start = (kind, id) => {
  if (starts[kind]) {
    dataOf(id).then(starts[kind]).catch(troubled);
  }
};

const inputNumber = () => {
  const [, number] = /^#input=(\d+)$/u.exec(location.hash) ?? [];
  return number && element(`body-${number}`) ? number : null;
};

const startReport = () => {
  const number = inputNumber();
  addEventListener("hashchange", () => {
    const isWithin = location.hash.length > 1 && element(location.hash.slice(1));
    if (inputNumber() !== number && !isWithin) {
      location.reload();
    }
  });
  if (number !== null) {
    const body = element(`body-${number}`);
    const back = node("a", "All inputs");
    back.id = "back";
    back.href = "#";
    element("index").remove();
    element("input").append(node("nav", back), body.content.cloneNode(true));
    element("input").hidden = false;
    document.title = body.dataset.name;
    start(body.dataset.kind, `data-${number}`);
  }
};

if (element("index")) {
  startReport();
} else {
  start(document.body.dataset.kind, "data");
}
sortFigures();
