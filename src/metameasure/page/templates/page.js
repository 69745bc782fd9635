(() => {
  "use strict";
  const d = document, root = d.documentElement, id = name => d.getElementById(name), data = JSON.parse(id("data").textContent);
  const all = (selector, from) => [...(from || d).querySelectorAll(selector)];
  const make = (tag, text, parent) => { const e = d.createElement(tag); e.textContent = text; parent.append(e); return e; };
  const fold = text => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
  const say = text => { id("live").textContent = text; };
  const on = (e, what, act) => { if (e) e.addEventListener(what, act); };
  root.className = "scripted";
  all("[data-needs=script]").forEach(e => { e.hidden = false; });

  // Theme: as the system, dark, light. A browser may keep no storage for files.
  const themes = ["", "dark", "light"];
  let theme = 0;
  const paint = () => {
    if (theme) root.dataset.theme = themes[theme]; else delete root.dataset.theme;
    id("theme").textContent = "Theme: " + (themes[theme] || "as the system");
  };
  try { theme = Math.max(0, themes.indexOf(localStorage.getItem("metameasure-theme"))); } catch { theme = 0; }
  on(id("theme"), "click", () => {
    theme = (theme + 1) % 3; paint();
    try { localStorage.setItem("metameasure-theme", themes[theme]); } catch { say("The theme is not kept"); }
  });
  paint();

  // Sorting: the better numbers first; what has no value stays last.
  const key = cell => { const n = parseFloat(cell.textContent.replace(/,/g, "")); return isNaN(n) ? null : n; };
  all("table.sortable").forEach(table => all("thead th", table).forEach(th => {
    const text = th.firstChild;
    if (!text || !text.data || !text.data.trim() || "plain" in th.dataset) return;
    const button = d.createElement("button"), numeric = th.classList.contains("n");
    const first = numeric && text.data.trim() !== "rank" && th.dataset.better !== "lower" ? "descending" : "ascending";
    button.type = "button"; button.className = "sort"; button.textContent = text.data.trim();
    text.replaceWith(button);
    on(button, "click", () => {
      const body = table.tBodies[0], other = first === "ascending" ? "descending" : "ascending";
      const way = th.ariaSort === first ? other : first, sign = way === "ascending" ? 1 : -1;
      body.append(...[...body.rows].sort((a, b) => {
        let x = a.cells[th.cellIndex], y = b.cells[th.cellIndex];
        if (!numeric) return sign * x.textContent.localeCompare(y.textContent);
        x = key(x); y = key(y);
        return x === y ? 0 : x === null ? 1 : y === null ? -1 : sign * (x - y);
      }));
      all("th[aria-sort]", table).forEach(e => e.removeAttribute("aria-sort"));
      th.ariaSort = way;
      say("Sorted by " + button.textContent + ", " + way);
    });
  }));

  on(window, "beforeprint", () => all("details").forEach(e => { e.open = true; }));

  // Which runs the leaderboard shows.
  const filter = () => {
    const text = fold(id("filter").value), bare = id("no-baselines").checked;
    const rows = all("#leaderboard-table tbody tr");
    rows.forEach(row => { row.hidden = !fold(row.cells[1].textContent).includes(text) || bare && row.className === "baseline"; });
    id("filtered").textContent = rows.filter(row => !row.hidden).length + " shown";
  };
  on(id("filter"), "input", filter); on(id("no-baselines"), "change", filter);

  // Copying what is shown, escaped by the rules of the command, which come with the data.
  const rules = data.escape, allOf = source => RegExp(source, "g");
  const write = {
    csv: rows => rows.map(row => row.map(c => /[",]/.test(c) ? `"${c.replace(/"/g, '""')}"` : c).join(",")).join("\n"),
    md: rows => {
      const lines = rows.map(row => "| " + row.map(c => c.replace(allOf(rules.markup), "\\$&").replace(allOf(rules.entities), x => rules.names[x])).join(" | ") + " |");
      lines.splice(1, 0, "|" + "---|".repeat(rows[0].length));
      return lines.join("\n");
    },
    tex: rows => {
      const tex = c => c.split(RegExp(rules.apart)).map(part => [...part].map(x => rules.letters[x] || x).join("")).join("{}");
      const lines = rows.map(row => (/^[[*]/.test(row[0]) ? "{}" : "") + row.map(tex).join(" & ") + " \\\\");
      lines.splice(1, 0, "\\midrule");
      return `\\begin{tabular}{l${"r".repeat(rows[0].length - 1)}}\n\\toprule\n${lines.join("\n")}\n\\bottomrule\n\\end{tabular}`;
    }
  };
  const plain = cell => (cell.querySelector("button.sort") || cell).textContent.replace(/\s+/g, " ").replace(/ \?$/, "").trim();
  const byHand = text => { const area = make("textarea", text, d.body); area.select(); const ok = d.execCommand("copy"); area.remove(); return ok; };
  on(d, "click", event => {
    const button = event.target.closest("[data-copy]");
    if (!button) return;
    const rows = [...button.closest(".table").querySelector("table").rows].filter(row => !row.hidden);
    const text = write[button.dataset.copy](rows.map(row => [...row.cells].map(plain))) + "\n", was = button.title || button.textContent;
    const done = ok => {
      button.title = was; button.textContent = ok ? "Copied" : "Not copied"; say(ok ? "Copied as " + was : "Not copied");
      setTimeout(() => { button.textContent = was; }, 1500);
    };
    if (navigator.clipboard) navigator.clipboard.writeText(text).then(() => done(true), () => done(byHand(text))); else done(byHand(text));
  });

  // A figure as a file, in the colours of paper.
  on(d, "click", event => {
    const button = event.target.closest("[data-save]");
    if (!button) return;
    const svg = button.closest("figure").querySelector("svg"), copy = svg.cloneNode(true), link = d.createElement("a");
    const [, , width, height] = svg.getAttribute("viewBox").split(" ");
    copy.setAttribute("width", width + "pt"); copy.setAttribute("height", height + "pt"); copy.removeAttribute("style");
    const text = new XMLSerializer().serializeToString(copy).replace(allOf(data.inks[0]), x => data.inks[1][x]);
    link.download = svg.firstChild.id.replace(/^c-|-title$/g, "") + ".svg"; link.href = "data:image/svg+xml," + encodeURIComponent(text);
    link.click();
  });

  // Definitions: point at, focus or tap a number or a name.
  const about = new Map(Object.entries(data.about)), tip = id("tip");
  const show = event => {
    if (tip.contains(event.target)) return;
    const cell = event.target.closest && event.target.closest("th,td,caption"), table = cell && cell.closest("table");
    const head = cell && table.rows[0].cells[cell.cellIndex], row = cell && cell.parentNode.querySelector("th[data-m]");
    const text = cell && about.get(cell.dataset.m || head && head.dataset.m || row && row.dataset.m || table.dataset.m);
    tip.hidden = !text;
    if (!text) return;
    const box = cell.getBoundingClientRect();
    tip.textContent = text;
    tip.style.left = Math.max(4, Math.min(box.left, root.clientWidth - tip.offsetWidth - 8)) + scrollX + "px";
    tip.style.top = box.bottom + scrollY + "px";
    if (event.type === "focusin") event.target.setAttribute("aria-describedby", "tip");
  };
  ["pointerover", "focusin", "click"].forEach(what => on(d, what, show));
  on(d, "keydown", event => { if (event.key === "Escape") tip.hidden = true; });

  // Numbers of 16 bits.
  const codes = text => new Uint16Array(Uint8Array.from(atob(text), c => c.charCodeAt(0)).buffer);
  const value = (p, c, m) => c > 65532 ? [-Infinity, Infinity, NaN][c - 65533] : p.ends[m][0] + c / p.steps * (p.ends[m][1] - p.ends[m][0]);
  const options = (select, list, chosen) => { list.forEach((name, i) => { make("option", name, select).value = i; }); select.value = chosen; };
  const number = x => isNaN(x) ? "–" : isFinite(x) ? x.toFixed(data.digits) : x > 0 ? "∞" : "-∞";

  // Two runs, topic by topic.
  const box = id("explorer"), T = data.topics.length, R = data.runs.length;
  if (box && data.cube && R > 1) {
    const cube = codes(data.cube.codes), ids = ["x-measure", "x-first", "x-second"];
    [data.measures.map(m => m.id), data.runs, data.runs].forEach((list, i) => options(id(ids[i]), list, +(i > 1)));
    const explore = () => {
      const [m, a, b] = ids.map(name => +id(name).value), sign = data.measures[m].better === "lower" ? -1 : 1;
      const wanted = fold(id("x-filter").value), body = id("x-table").tBodies[0], at = (t, r) => value(data.cube, cube[(m * T + t) * R + r], m);
      const rows = data.topics.map((topic, t) => ({ topic, x: at(t, a), y: at(t, b), gap: sign * (at(t, a) - at(t, b)) }));
      const known = rows.filter(row => !isNaN(row.gap)), most = Math.max(...known.map(row => isFinite(row.gap) ? Math.abs(row.gap) : 0));
      const wins = test => known.filter(row => test(row.gap)).length, place = gap => isNaN(gap) ? Infinity : gap;
      body.textContent = ""; id("x-table").dataset.m = data.measures[m].id;
      rows.filter(row => fold(row.topic).includes(wanted)).sort((p, q) => place(p.gap) - place(q.gap) || 0).forEach(row => {
        const tr = make("tr", "", body), bar = d.createElement("span"), gap = row.x - row.y;
        make("th", row.topic, tr).scope = "row";
        [number(row.x), number(row.y), (gap > 0 ? "+" : "") + number(gap)].forEach(text => { make("td", text, tr).className = "n"; });
        bar.className = row.gap < 0 ? "bar minus" : "bar";
        bar.style.width = (most && isFinite(row.gap) ? 4 * Math.abs(row.gap) / most : 0) + "rem";
        tr.lastChild.prepend(bar);
      });
      id("x-summary").textContent = `${data.runs[a]} is better on ${wins(g => g > 5e-5)}, ${data.runs[b]} on ${wins(g => g < -5e-5)}, they tie on ${wins(g => Math.abs(g) <= 5e-5)} of ${T} ${data.word}s.`;
    };
    ids.forEach(name => on(id(name), "change", explore));
    on(id("x-filter"), "input", explore);
    explore();
  } else if (box) box.hidden = true;

  // p-values by another measure.
  const choice = id("p-measure");
  if (choice) {
    options(choice, data.p.map(p => p.id), 0);
    on(choice, "change", () => {
      const one = data.p[choice.value], table = id("p-values-table");
      table.dataset.m = one.id; table.caption.firstChild.data = `p-values of every two runs by ${one.id} (*: significant at ${one.alpha})`;
      table.tBodies[0].textContent = "";
      one.runs.forEach((run, i) => {
        const tr = make("tr", "", table.tBodies[0]);
        make("th", `${i + 1} ${run}`, tr).scope = "row";
        one.runs.forEach((_, j) => {
          const text = one.p[i][j], real = text.endsWith("*"), td = make("td", text, tr);
          td.className = real ? "n heat" : "n";
          if (real) td.style.setProperty("--v", 0.6);
        });
      });
    });
  }
})();
