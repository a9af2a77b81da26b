// The search, and the list of pages on narrow screens. The words of all pages are loaded when somebody begins to search;
// nothing is asked of any server, so the site works from a folder as well.
"use strict";
(() => {
  const up = document.currentScript.dataset.up;
  const way = document.querySelector(".way");
  const narrow = matchMedia("(max-width: 56rem)");
  const fold = () => { if (way) way.open = !narrow.matches; };  // what closes it is not there where there is room for it
  narrow.addEventListener("change", fold);
  fold();
  if (way?.open) way.querySelector("[aria-current]")?.scrollIntoView({block: "nearest"});

  const form = document.querySelector(".search");
  const input = form.querySelector("input");
  const found = form.querySelector(".found");
  let loading = null;

  const load = () => {
    loading ??= new Promise((resolve, reject) => {
      const script = document.createElement("script");
      script.src = up + "assets/words.js";
      script.onload = () => resolve(window.toolwireWords.map((page) => ({...page, title: page.t.toLowerCase(), text: page.x.toLowerCase()})));
      script.onerror = reject;
      document.head.append(script);
    });
    return loading;
  };

  // Every word has to be there; a title counts more than a text, a whole word more than its beginning, a beginning more
  // than a middle.
  const weight = (text, word) => {
    let best = 0;
    for (let at = text.indexOf(word); at >= 0 && best < 3; at = text.indexOf(word, at + 1)) {
      const begins = at === 0 || !/[\p{L}\p{N}_]/u.test(text[at - 1]);
      const after = text[at + word.length];
      const ends = after === undefined || !/[\p{L}\p{N}_]/u.test(after);
      best = Math.max(best, begins && ends ? 3 : begins ? 2 : 1);
    }
    return best;
  };
  const judged = (page, words, whole) => {
    let sum = page.title === whole ? 60 : 0;
    for (const word of words) {
      const one = 10 * weight(page.title, word) + weight(page.text, word) + weight(page.p.toLowerCase(), word);
      if (one === 0) return 0;
      sum += one;
    }
    return sum * (page.w ?? 1);
  };

  // The server's words are put in as text only.
  const marked = (text, words) => {
    const part = document.createElement("p");
    const low = text.toLowerCase();
    const first = Math.max(0, Math.min(...words.map((word) => low.indexOf(word)).filter((at) => at >= 0), low.length));
    const begin = first === low.length ? 0 : Math.max(0, first - 60);
    const shown = (begin > 0 ? "… " : "") + text.slice(begin, begin + 180) + (begin + 180 < text.length ? " …" : "");
    let rest = shown;
    while (rest) {
      const lowRest = rest.toLowerCase();
      const hits = words.map((word) => [lowRest.indexOf(word), word]).filter(([at]) => at >= 0).sort((a, b) => a[0] - b[0]);
      if (hits.length === 0) break;
      const [at, word] = hits[0];
      const mark = document.createElement("mark");
      mark.textContent = rest.slice(at, at + word.length);
      part.append(rest.slice(0, at), mark);
      rest = rest.slice(at + word.length);
    }
    part.append(rest);
    return part;
  };

  const shown = (page, words) => {
    const link = document.createElement("a");
    link.href = up + page.u;
    const place = document.createElement("small");
    place.textContent = page.p;
    link.append(page.t, place, marked(page.x, words));
    return link;
  };

  const search = async () => {
    const whole = input.value.trim().toLowerCase();
    const words = whole.split(/\s+/).filter(Boolean);
    found.hidden = words.length === 0;
    if (words.length === 0) return;
    const pages = await load();
    if (input.value.trim().toLowerCase() !== whole) return;
    const best = pages.map((page) => [judged(page, words, whole), page]).filter(([sum]) => sum > 0);
    best.sort((a, b) => b[0] - a[0]);
    found.replaceChildren(...best.slice(0, 20).map(([, page]) => shown(page, words)));
    if (best.length === 0) {
      const none = document.createElement("p");
      none.className = "none";
      none.textContent = "Nothing has all of these words.";
      found.append(none);
    }
  };

  const choose = (step) => {
    const links = [...found.querySelectorAll("a")];
    const at = links.findIndex((link) => link.getAttribute("aria-selected") === "true");
    links[at]?.removeAttribute("aria-selected");
    const next = links[(at + step + links.length) % links.length];
    next?.setAttribute("aria-selected", "true");
    next?.scrollIntoView({block: "nearest"});
  };

  input.addEventListener("focus", load, {once: true});
  input.addEventListener("input", search);
  input.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      choose(event.key === "ArrowDown" ? 1 : -1);
    }
    if (event.key === "Escape") found.hidden = true;
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const link = found.querySelector('a[aria-selected="true"]') ?? found.querySelector("a");
    if (link) location.href = link.href;
  });
  document.addEventListener("click", (event) => {
    if (!form.contains(event.target)) found.hidden = true;
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "/" && !/^(INPUT|TEXTAREA)$/.test(document.activeElement.tagName)) {
      event.preventDefault();
      input.focus();
    }
  });
})();
