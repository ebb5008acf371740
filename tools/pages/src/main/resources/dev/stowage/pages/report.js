/*
 * The index of a report, or the input that the fragment of the address names: "#input=2", and for two replays beside each
 * other "#input=2&with=3". Each input is started once for a loaded document, so that another input loads it again.
 */
const inputsOf = () => [...document.querySelectorAll("template[id^='body-']")];

const inputIn = (name) => {
  const number = new URLSearchParams(location.hash.slice(1)).get(name);
  return number !== null && document.getElementById(`body-${number}`) ? number : null;
};

const dataOf = (number) => decoded(JSON.parse(element(`data-${number}`).textContent));

const showInput = async (number, other) => {
  const { kind, name } = element(`body-${number}`).dataset;
  const place = element("input");
  const back = document.createElement("a");
  back.id = "back";
  back.href = "#";
  back.textContent = "All inputs";
  const navigation = document.createElement("nav");
  navigation.append(back);
  place.append(navigation, element(`body-${number}`).content.cloneNode(true));
  element("index").hidden = true;
  place.hidden = false;
  document.title = name;
  const [data, dataBeside] = await Promise.all([dataOf(number), other === null ? undefined : dataOf(other)]);
  starts[kind](data, dataBeside && { data: dataBeside, name: element(`body-${other}`).dataset.name });
  offerBeside(number, other, kind);
};

/* The other replays, of which one can be shown beside this one. */
const offerBeside = (number, other, kind) => {
  const select = document.getElementById("beside-input");
  const others = inputsOf().filter((body) => body.dataset.kind === kind && body.id !== `body-${number}`);
  if (select && others.length > 0) {
    select.closest("div").hidden = false;
    for (const body of others) {
      select.append(new Option(body.dataset.name, body.id.slice("body-".length)));
    }
    select.value = other ?? "";
    select.addEventListener("change", () => {
      const parts = new URLSearchParams(location.hash.slice(1));
      parts.delete("with");
      if (select.value !== "") {
        parts.set("with", select.value);
      }
      location.hash = parts.toString();
    });
  }
};

const startReport = () => {
  const number = inputIn("input");
  const other = inputIn("with");
  addEventListener("hashchange", () => {
    if (inputIn("input") !== number || inputIn("with") !== other) {
      location.reload();
    }
  });
  sortFigures();
  if (number !== null) {
    showInput(number, other).catch((error) => {
      const trouble = element("report-trouble");
      trouble.textContent = unreadableText(error);
      trouble.hidden = false;
    });
  }
};
startReport();
