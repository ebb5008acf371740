/* Reads the data and starts the page. */
decoded(JSON.parse(element("data").textContent)).then(startPage, (error) => {
  element("trouble").textContent = unreadableText(error);
  element("trouble").hidden = false;
});
