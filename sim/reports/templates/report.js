"use strict";
(() => {
  const status = document.querySelector("[role=status]");

  // The number that a cell begins with, or none: "< 0.02 %" counts as 0.02, "−1.5 points" as −1.5.
  const number = (text) => {
    const found = /-?\d[\d,]*\.?\d*(?:e[+-]?\d+)?/i.exec(text.replace(/\u2212/g, "-"));
    return found ? parseFloat(found[0].replace(/,/g, "")) : NaN;
  };

  const compare = (texts) => {
    const numeric = texts.every((text) => text === "?" || /^[<>×+\-\u2212 ]*\d/.test(text));
    return numeric ? (a, b) => number(a) - number(b) : (a, b) => a.localeCompare(b, "en", { numeric: true });
  };

  const sort = (button) => {
    const heading = button.closest("th");
    const table = heading.closest("table");
    const place = heading.cellIndex;
    const isUp = heading.getAttribute("aria-sort") !== "ascending";
    const rows = [...table.tBodies[0].rows];
    const text = (row) => row.cells[place].textContent.trim();
    const order = compare(rows.map(text));
    const known = rows.filter((row) => text(row) !== "?");
    known.sort((a, b) => (isUp ? 1 : -1) * order(text(a), text(b)));
    table.tBodies[0].append(...known, ...rows.filter((row) => text(row) === "?"));
    for (const other of heading.parentElement.cells) other.removeAttribute("aria-sort");
    heading.setAttribute("aria-sort", isUp ? "ascending" : "descending");
    status.textContent = `Sorted by ${button.textContent}, ${isUp ? "lowest" : "highest"} first.`;
  };

  const copy = async (button) => {
    const code = button.parentElement.querySelector("code");
    try {
      await navigator.clipboard.writeText(code.textContent);
      status.textContent = "Copied.";
      button.textContent = "Copied";
      setTimeout(() => { button.textContent = "Copy"; }, 1500);
    } catch {
      getSelection().selectAllChildren(code);
      status.textContent = "Selected: copy it with Ctrl-C.";
    }
  };

  // A link to a table that is folded away unfolds it.
  const unfold = () => {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    const folded = target && target.closest("details:not([open])");
    if (folded) {
      folded.open = true;
      target.scrollIntoView();
    }
  };

  for (const button of document.querySelectorAll("th button")) button.addEventListener("click", () => sort(button));
  for (const button of document.querySelectorAll(".copy")) button.addEventListener("click", () => copy(button));
  addEventListener("hashchange", unfold);
  unfold();
})();
