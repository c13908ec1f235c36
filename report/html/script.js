"use strict";
(() => {
  const find = document.getElementById("find"), found = document.getElementById("found"), nothing = document.getElementById("nothing");
  // What is written above an item counts as its text: the edit above a change, the Gateway above a route.
  const above = element => {
    let text = "";
    for (let at = element.parentElement; at; at = at.parentElement) {
      if (at.matches(".group")) text += " " + at.querySelector("h3").textContent;
      if (at.matches("details")) text += " " + at.querySelector("summary").textContent;
    }
    return text;
  };
  const items = [...document.querySelectorAll("[data-find]")].map(element => ({element, text: (element.textContent + above(element)).toLowerCase()}));
  const cards = [...document.querySelectorAll(".card")];
  // An item without the words is hidden. One that contains items stays as long as one of these does.
  const search = () => {
    const words = find.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const {element, text} of items) element.hidden = !words.every(word => text.includes(word));
    for (const section of document.querySelectorAll("main > section")) {
      section.hidden = words.length > 0 && !section.querySelector("[data-find]:not([hidden])");
    }
    if (words.length) for (const details of document.querySelectorAll(".tree details")) details.open = true;
    for (const card of cards) if (card.offsetParent !== null) shown++;
    found.textContent = words.length ? shown + " of " + cards.length : "";
    nothing.hidden = !words.length || !!document.querySelector("main > section:not([hidden])");
  };
  const step = by => {
    const open = cards.filter(card => card.offsetParent !== null);
    if (!open.length) return;
    const at = open.indexOf(document.activeElement.closest ? document.activeElement.closest(".card") : null);
    const next = open[Math.max(0, Math.min(open.length - 1, at + by))];
    next.focus({preventScroll: true});
    next.scrollIntoView({block: "start"});
  };
  find.addEventListener("input", search);
  document.addEventListener("keydown", event => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape") { find.value = ""; search(); find.blur(); return; }
    if (event.target === find) return;
    if (event.key === "/") { event.preventDefault(); find.focus(); }
    if (event.key === "j") step(1);
    if (event.key === "k") step(-1);
  });
  // What is jumped to must not be hidden below the header, however high that is.
  const header = document.querySelector("header");
  const measure = () => document.documentElement.style.setProperty("--top", getComputedStyle(header).position === "sticky" ? header.offsetHeight + 12 + "px" : "0px");
  addEventListener("resize", measure);
  measure();
  // #find=words is an address of a search.
  const fromAddress = () => {
    const match = /^#find=(.*)$/.exec(location.hash);
    if (!match) return;
    try { find.value = decodeURIComponent(match[1]); } catch { return; }
    search();
  };
  addEventListener("hashchange", fromAddress);
  fromAddress();
})();
