/* Buttons that copy the line before them. Without scripts, and in browsers without a clipboard, the style hides them. */
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
