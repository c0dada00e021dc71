"use strict";
// The page of a harvested proposal: keys press its buttons.
(() => {
  const answers = { y: "yes", n: "no", s: "skip" };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.repeat) return;
    const key = event.key.toLowerCase();
    if (key === "b") document.getElementById("back")?.click();
    else if (answers[key]) document.querySelector(`#answer [value="${answers[key]}"]`).click();
    else return;
    event.preventDefault();
  });
})();
