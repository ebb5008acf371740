/* Buttons that copy the line before them. Without scripts, and in browsers without a clipboard, the style hides them. */
const starts = {}; // the functions that show the data of a kind of pages

document.documentElement.classList.add("scripted");
document.documentElement.classList.toggle("copying", "clipboard" in navigator);
document.addEventListener("click", async ({ target }) => {
  if (target.matches?.("button.copy")) {
    await navigator.clipboard.writeText(target.previousElementSibling.textContent);
    target.textContent = "Copied";
    setTimeout(() => {
      target.textContent = "Copy";
    }, 2000);
  }
});
