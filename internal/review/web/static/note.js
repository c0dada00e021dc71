"use strict";
// The page of a note: marks are changed here, sent to the server after each change, and kept nowhere else.
// Places are counted in code points, as the server counts them.
(() => {
  const element = (id) => document.getElementById(id);
  const path = location.pathname.replace(/\/$/, "");
  const state = JSON.parse(element("state").textContent);
  const chars = Array.from(state.text);
  const original = element("original");
  const words = findWords(state.text);
  const found = state.found || []; // what was found, by the number that marks have of it
  let marks = state.marks || [];
  let repairs = state.repairs || [];
  let at = -1; // the mark at hand
  let word = -1; // the word at hand
  let anchor = -1; // the word at which the choice began
  let history = [];

  // findWords returns ranges of words; what is between them can't be chosen.
  function findWords(text) {
    const list = [];
    let units = 0;
    let points = 0;
    for (const match of text.matchAll(/[\p{L}\p{N}\p{M}]+/gu)) {
      points += Array.from(text.slice(units, match.index)).length;
      const size = Array.from(match[0]).length;
      list.push({ s: points, e: points + size });
      points += size;
      units = match.index + match[0].length;
    }
    return list;
  }

  const slice = (s, e) => chars.slice(s, e).join("").replace(/\r\n?/g, "\n");
  const copy = () => marks.map((m) => ({ ...m }));
  const chosen = () => (word < 0 ? null : { s: words[Math.min(word, anchor)].s, e: words[Math.max(word, anchor)].e });
  const touching = (r, except) => marks.findIndex((m, i) => i !== except && m.s < r.e && r.s < m.e);

  const groups = {
    PATIENT: "name", DOCTOR: "name", USERNAME: "name", DATE: "time", TIME: "time", AGE: "time", HOSPITAL: "place",
    ORGANIZATION: "place", STREET: "place", CITY: "place", STATE: "place", COUNTRY: "place", COUNTY: "place", ZIP: "place",
    "LOCATION-OTHER": "place", PROFESSION: "other",
  };
  const verdicts = { right: "accepted", missed: "missed", retyped: "type changed", resized: "extended", wrong: "no PHI" };

  function describe(m) {
    let text = m.t + ", " + verdicts[m.v];
    if (m.was && m.was !== m.t) text += ", was " + m.was;
    if (m.by && m.by.length) text += ", found by " + m.by.join(" and ");
    if (m.p) text += ", " + Math.round(m.p * 100) + " %";
    return text;
  }

  const unsure = (m) => m.v === "right" && ((m.p && m.p < 0.9) || (m.by && m.by.length === 1 && !m.p));

  // draw shows the note with its marks and what is chosen.
  function draw() {
    const out = document.createDocumentFragment();
    const range = chosen();
    let w = 0;
    const plain = (into, s, e) => {
      while (w < words.length && words[w].e <= s) w++;
      let from = s;
      while (w < words.length && words[w].s < e) {
        const end = Math.min(words[w].e, e);
        if (words[w].s > from) into.append(slice(from, words[w].s));
        const span = document.createElement("span");
        span.className = range && words[w].s >= range.s && words[w].e <= range.e ? "word chosen" : "word";
        span.dataset.word = w;
        span.textContent = slice(Math.max(words[w].s, from), end);
        into.append(span);
        from = end;
        if (words[w].e > e) break;
        w++;
      }
      if (from < e) into.append(slice(from, e));
    };
    let end = 0;
    marks.forEach((m, i) => {
      plain(out, end, m.s);
      const node = document.createElement("span");
      node.className = ["mark", groups[m.t] || "number", m.v, unsure(m) ? "unsure" : "", i === at ? "now" : ""].join(" ");
      node.dataset.mark = i;
      node.title = describe(m);
      plain(node, m.s, m.e);
      const tag = document.createElement("span");
      tag.className = "tag";
      tag.setAttribute("aria-hidden", "true");
      tag.textContent = m.t.toLowerCase();
      node.append(tag);
      out.append(node);
      end = m.e;
    });
    plain(out, end, chars.length);
    original.replaceChildren(out);
    drawList();
  }

  function drawList() {
    element("marks").replaceChildren(...marks.map((m, i) => {
      const item = document.createElement("li");
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = slice(m.s, m.e) + " – " + describe(m);
      button.setAttribute("aria-pressed", String(i === at));
      button.addEventListener("click", () => go(i));
      item.append(button);
      return item;
    }));
  }

  // drawRepairs lists what was repaired, each with a button that takes it back.
  function drawRepairs() {
    element("h-repairs").hidden = !repairs.length;
    element("repairs").replaceChildren(...repairs.map((r) => {
      const item = document.createElement("li");
      const button = document.createElement("button");
      button.type = "button";
      const what = r.scope === "everywhere" ? "this patient everywhere" : verdicts[r.v] + ", " + r.t;
      button.textContent = "Take back: " + (r.other ? "" : slice(r.s, r.e) + " – ") + what + (r.void ? " (no effect: the text has changed)" : "");
      button.addEventListener("click", () => takeBack(r));
      item.append(button);
      return item;
    }));
  }

  // decided shows how far a decision about a cluster has come.
  let deciding = false;
  function decided(done, all) {
    element("alike-now").hidden = false;
    element("alike-bar").max = all;
    element("alike-bar").value = done;
    element("alike-count").textContent = done + " of " + all + " sentences decided";
  }

  // drawAlike shows what became of each sentence of a cluster, the words that the decision is about in brackets.
  let together = [];
  function drawAlike(list) {
    together = list.filter((one) => one.id);
    element("alike").replaceChildren(...list.map((one) => {
      const item = document.createElement("li");
      const text = Array.from(one.text);
      const part = (s, e) => text.slice(s, e).join("");
      if (one.id) {
        const words = document.createElement("strong");
        words.textContent = part(one.s, one.e);
        item.append(part(0, one.s), words, part(one.e, text.length), " – " + one.state);
      } else item.textContent = (one.text ? one.text + " – " : "") + one.state;
      return item;
    }));
    element("alike-back").hidden = !together.length;
  }

  async function takeAllBack() {
    let left = 0;
    for (const one of together) {
      const answer = await fetch("/repairs/" + one.id + "/take-back", { method: "POST", credentials: "same-origin", cache: "no-store" }).catch(() => null);
      if (!answer || !answer.ok) left++;
    }
    element("saved").textContent = left ? left + " are not taken back: see Repairs." : "All of it is taken back.";
    element("alike-back").hidden = true;
    repairs = repairs.filter((r) => !together.some((one) => one.id === r.id));
    drawRepairs();
    original.focus();
  }
  element("alike-back")?.addEventListener("click", takeAllBack);

  async function takeBack(r) {
    try {
      const answer = await fetch("/repairs/" + r.id + "/take-back", { method: "POST", credentials: "same-origin", cache: "no-store" });
      if (!answer.ok) throw new Error("refused");
      repairs = repairs.filter((other) => other.id !== r.id);
      drawRepairs();
      original.focus();
      element("saved").textContent = "Taken back: what is published is made anew without it.";
    } catch {
      element("saved").textContent = "Not taken back: log in and open the note again.";
    }
  }

  // repaired lists a repair that was made; one's former decisions about the same words are taken back with it.
  function repaired(r) {
    repairs = repairs.filter((other) => r.scope !== "here" || other.scope !== "here" || other.other || other.e <= r.s || r.e <= other.s);
    repairs.push(r);
    drawRepairs();
  }

  function say(text) { element("now").textContent = text; }

  function announce() {
    const range = chosen();
    if (at >= 0) {
      const m = marks[at];
      say("Mark " + (at + 1) + " of " + marks.length + ": " + slice(m.s, m.e) + ", " + describe(m) +
        (m.v === "missed" ? ". H repairs it here, P in all notes of this patient." : ""));
    } else if (range) say("Chosen: " + slice(range.s, range.e));
    else say(marks.length + " marks. N goes to the first.");
  }

  function show() {
    draw();
    announce();
    const node = original.querySelector(".now") || original.querySelector(".chosen");
    if (node) node.scrollIntoView({ block: "nearest" });
  }

  function go(i) {
    if (!marks.length) return;
    at = (i + marks.length) % marks.length;
    word = anchor = -1;
    show();
  }

  // from returns the word that a step forward or back starts from: the one at hand, or the last or first of the mark at hand.
  function from(direction) {
    if (word >= 0 || at < 0) return word;
    const inside = words.flatMap((x, i) => (x.s < marks[at].e && marks[at].s < x.e ? [i] : []));
    return inside[direction > 0 ? inside.length - 1 : 0] ?? -1;
  }

  // place makes a word the one at hand; with extend, all words between it and where the choice began are chosen.
  function place(w, extend) {
    if (!words.length) return;
    if (word < 0 && at >= 0 && extend) anchor = from(w > from(1) ? -1 : 1);
    word = Math.max(0, Math.min(words.length - 1, w));
    if (!extend || anchor < 0) anchor = word;
    if (!extend) at = -1;
    show();
  }

  // line finds the word above or below the one at hand.
  function line(direction) {
    const start = Math.max(from(direction), 0);
    const node = original.querySelector(`[data-word="${start}"]`);
    if (!node) return start;
    const box = node.getBoundingClientRect();
    let best = start;
    for (let w = start + direction; w >= 0 && w < words.length; w += direction) {
      const other = original.querySelector(`[data-word="${w}"]`).getBoundingClientRect();
      if (Math.abs(other.top - box.top) < box.height / 2) continue;
      if (best !== start) {
        const kept = original.querySelector(`[data-word="${best}"]`).getBoundingClientRect();
        if (Math.abs(other.top - kept.top) > box.height / 2) break;
        if (Math.abs(other.left - box.left) >= Math.abs(kept.left - box.left)) continue;
      }
      best = w;
    }
    return best;
  }

  function change(next, where) {
    history.push(copy());
    marks = next.sort((a, b) => a.s - b.s);
    at = where ? marks.findIndex((m) => m.s === where.s && m.e === where.e) : Math.min(at, marks.length - 1);
    word = anchor = -1;
    show();
    save();
  }

  const sent = () => JSON.stringify(marks.map((m) => ({ s: m.s, e: m.e, t: m.t, v: m.v, f: m.f })));

  // Saves follow each other, so that the last one wins.
  let queue = Promise.resolve();
  function save() {
    const body = sent();
    queue = queue.then(() => post("save", body, "Saved."));
    return queue;
  }

  async function post(what, body, done) {
    try {
      const answer = await fetch(path + "/" + what, {
        method: "POST", body, headers: { "Content-Type": "application/json" }, credentials: "same-origin", cache: "no-store",
      });
      if (answer.ok) {
        element("saved").textContent = done;
        return answer.status === 204 ? true : await answer.json();
      }
      element("saved").textContent = answer.status === 409 ? await answer.text() : "Not saved: log in and open the note again.";
    } catch {
      element("saved").textContent = "Not saved: the server does not answer.";
    }
    return false;
  }

  // verdictOf says what a mark is whose range and type were chosen.
  function verdictOf(m) {
    const f = found[m.f];
    if (m.f === undefined) return "missed";
    if (m.s !== f.s || m.e !== f.e) return "resized";
    return m.t === f.t ? "right" : "retyped";
  }

  function chooseType(start, then) {
    const dialog = element("types");
    const select = element("type");
    select.value = start;
    dialog.returnValue = "";
    dialog.onclose = () => {
      original.focus();
      if (dialog.returnValue === "ok" && select.value) then(select.value);
    };
    dialog.showModal();
    select.focus();
  }

  const actions = {
    next: () => go(at < 0 ? after() : at + 1),
    before: () => go(at < 0 ? after() - 1 : at - 1),
    right() {
      if (at < 0) return say("Choose a mark first: N.");
      const m = marks[at];
      if (m.f !== undefined && m.v === "wrong") {
        const next = copy();
        const f = found[m.f];
        Object.assign(next[at], { s: f.s, e: f.e, t: f.t, v: "right" });
        change(next, next[at]);
      }
      if (at === marks.length - 1) return say("That was the last mark. F finishes the note.");
      go(at + 1);
    },
    wrong() {
      if (at < 0) return say("Choose a mark first: N.");
      const next = copy();
      const m = next[at];
      if (m.f === undefined) {
        next.splice(at, 1);
        return change(next, null);
      }
      const f = found[m.f];
      if (touching(f, at) >= 0) return say("Another mark is where it was found: take that one away first.");
      Object.assign(m, { s: f.s, e: f.e, t: f.t, v: "wrong" });
      change(next, m);
    },
    missed() {
      const range = chosen();
      if (!range) return say("Choose words first: arrow keys, with Shift several; or press a word.");
      if (touching(range, -1) >= 0) return say("There is a mark already. Go to it and press E to extend it, or X.");
      chooseType("PATIENT", (t) => change([...copy(), { s: range.s, e: range.e, t, v: "missed" }], range));
    },
    type() {
      if (at < 0) return chosen() ? actions.missed() : say("Choose a mark first: N.");
      chooseType(marks[at].t, (t) => {
        const next = copy();
        const m = next[at];
        const f = found[m.f];
        m.t = t;
        m.v = verdictOf(m);
        if (f && m.v === "right") m.t = f.t;
        change(next, m);
      });
    },
    extend() {
      const range = chosen();
      let i = at;
      if (i < 0 && range) i = touching(range, -1);
      if (i < 0) return say("Choose a mark first, and with Shift and arrow keys how far it goes.");
      const m = { ...marks[i] };
      if (range && range.s < m.e && m.s < range.e && (range.s !== m.s || range.e !== m.e)) {
        m.s = range.s;
        m.e = range.e;
      } else {
        const behind = words.find((x) => x.e > m.e);
        if (!behind) return say("There is no word behind it.");
        m.e = behind.e;
      }
      if (touching(m, i) >= 0) return say("Another mark is in the way.");
      m.v = verdictOf(m);
      const next = copy();
      next[i] = m;
      change(next, m);
    },
    async everywhere() {
      const m = marks[at];
      if (!m || m.v === "wrong") return say("Choose a mark first: its words are remembered as this patient's.");
      const text = slice(m.s, m.e);
      await queue;
      const made = await post("everywhere", JSON.stringify([m.s, m.e]), "Remembered: all notes of this patient are made anew.");
      if (made) {
        repaired(made);
        say(text + ": remembered for this patient everywhere.");
      }
    },
    async here() {
      const m = marks[at];
      if (!m || m.v === "right") return say("Choose a mark first that says something else than what was found.");
      const text = slice(m.s, m.e);
      await queue;
      const made = await post("repair", JSON.stringify({ s: m.s, e: m.e, t: m.t, v: m.v, f: m.f }), "Repaired here: the note is made anew.");
      if (made) {
        repaired(made);
        say(text + ": repaired in this note.");
      }
    },
    async alike() {
      const m = marks[at];
      if (!element("alike")) return say("This round is not one of clusters.");
      if (!m || m.v === "right") return say("Choose a mark first that says something else than what was found.");
      if (deciding) return say("A decision about all alike is under way.");
      deciding = true;
      await queue;
      const list = [];
      let part = { next: 0, all: 0 };
      do { // each request decides about some of them
        part = await post("alike", JSON.stringify({ s: m.s, e: m.e, t: m.t, v: m.v, f: m.f, from: part.next || 0 }), "");
        if (!part) break;
        list.push(...part.list);
        drawAlike(list);
        decided(list.length, part.all);
      } while (part.next);
      deciding = false;
      if (part) {
        element("saved").textContent = "Decided for all alike: the notes are made anew.";
        say(together.length + " of " + list.length + " sentences are repaired.");
      } else if (list.length) say("Cut off after " + list.length + " sentences, which are decided. C on the same mark goes on.");
    },
    undo() {
      if (!history.length) return say("There is nothing to undo.");
      marks = history.pop();
      at = Math.min(at, marks.length - 1);
      word = anchor = -1;
      show();
      save();
    },
    help: () => element("help").showModal(),
    async finish() {
      await queue;
      element("finish").requestSubmit();
    },
  };

  // after returns the first mark behind the word at hand.
  function after() {
    if (word < 0) return 0;
    const i = marks.findIndex((m) => m.s >= words[word].s);
    return i < 0 ? 0 : i;
  }

  const keys = {
    n: "next", j: "next", b: "before", k: "before", a: "right", Enter: "right", x: "wrong", m: "missed", t: "type", e: "extend", p: "everywhere", h: "here", c: "alike",
    u: "undo", f: "finish", "?": "help",
  };
  original.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const moves = {
      ArrowRight: () => from(1) + 1, ArrowLeft: () => from(-1) - 1, ArrowDown: () => line(1), ArrowUp: () => line(-1),
      Home: () => 0, End: () => words.length - 1,
    };
    if (moves[event.key]) {
      event.preventDefault();
      place(moves[event.key](), event.shiftKey);
      return;
    }
    const action = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (action) {
      event.preventDefault();
      actions[action]();
    }
  });

  original.addEventListener("click", (event) => {
    const selection = getSelection();
    if (selection && !selection.isCollapsed && original.contains(selection.anchorNode)) return;
    const mark = event.target.closest("[data-mark]");
    const at = event.target.closest("[data-word]");
    if (mark) go(Number(mark.dataset.mark));
    else if (at) place(Number(at.dataset.word), event.shiftKey);
  });

  // What is dragged over is chosen, by whole words: when the mouse lets go, or the handles of a touch screen come to rest.
  let pressed = false;
  let rest = 0;
  function take() {
    const selection = getSelection();
    if (!selection || selection.isCollapsed || !original.contains(selection.anchorNode) || !original.contains(selection.focusNode)) return;
    const range = selection.getRangeAt(0);
    const inside = Array.from(original.querySelectorAll("[data-word]")).filter((n) => range.intersectsNode(n)).map((n) => Number(n.dataset.word));
    if (!inside.length) return;
    anchor = inside[0];
    word = inside[inside.length - 1];
    at = -1;
    selection.removeAllRanges();
    show();
  }
  function soon(wait) {
    clearTimeout(rest);
    rest = setTimeout(() => { if (!pressed) take(); }, wait);
  }
  document.addEventListener("pointerdown", () => { pressed = true; });
  for (const event of ["pointerup", "pointercancel"]) {
    document.addEventListener(event, () => {
      pressed = false;
      soon(0);
    });
  }
  document.addEventListener("selectionchange", () => { if (!pressed) soon(350); });

  for (const button of document.querySelectorAll("[data-do]")) {
    button.addEventListener("click", () => actions[button.dataset.do]());
  }
  element("help").addEventListener("close", () => original.focus());
  element("finish").addEventListener("submit", () => { element("finish").elements.marks.value = sent(); });

  // For how long the note is shown is recorded.
  const seen = () => navigator.sendBeacon(path + "/seen");
  setInterval(() => { if (document.visibilityState === "visible") seen(); }, 30000);
  addEventListener("pagehide", seen);
  addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });

  original.focus({ preventScroll: true });
  drawRepairs();
  show();
})();
