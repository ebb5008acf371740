/* Reads the data and starts the page. */
decoded(JSON.parse(element("data").textContent)).then(startPage, (error) => {
  element("trouble").textContent =
    `This browser cannot read the data of the page (${error.message}). Chrome 103, Firefox 113, Safari 16.4 and later can.`;
  element("trouble").hidden = false;
});
