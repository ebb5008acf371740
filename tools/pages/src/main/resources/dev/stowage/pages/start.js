/* Shows the data of the map. */
dataOf()
  .then(starts[element("data").dataset.kind])
  .catch(({ message }) => {
    element("trouble").textContent = `This browser cannot read the data of the page (${message}). Chrome 120, Firefox 119, Safari 17.2 and later can.`;
    element("trouble").hidden = false;
  });
