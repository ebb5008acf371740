/* Buttons that copy the line before them. Without scripts, the style hides them. */
const starts = {}; // the functions that show the data of a kind of pages

/* Copies a text, also in browsers that offer the clipboard only to pages of a server. */
const copyText = async (text) => {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = document.body.appendChild(document.createElement("textarea"));
    area.value = text;
    area.select();
    document.execCommand("copy");
    area.remove();
  }
};

document.documentElement.classList.add("scripted");
document.addEventListener("click", async ({ target }) => {
  if (target.matches?.("button.copy")) {
    await copyText(target.previousElementSibling.textContent);
    target.textContent = "Copied";
    setTimeout(() => {
      target.textContent = "Copy";
    }, 2000);
  }
});
