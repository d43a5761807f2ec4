// Two runs of one problem beside each other: lines that both wrote stand in one row.

const TOO_SHORT = 5; // "No", "Yes" and the like say nothing about where two texts are the same
const MOST_CELLS = 4e6;

/** A trajectory's lines, without the prompt: each has its pieces, and a key by which it is found. */
function linesOf(track) {
  const lines = [];
  let line = [];
  const end = () => {
    const words = line.map((piece) => piece.t ?? "").join("").replace(/\s+/g, " ").trim();
    if (words || line.some((piece) => !piece.t)) lines.push({ pieces: line, key: words.length > TOO_SHORT ? words : null });
    line = [];
  };
  for (const piece of track.pieces) {
    if (piece.k === "prompt") continue;
    if (piece.k === "cut" || piece.k === "begin") {
      end();
      line.push(piece);
      end();
      continue;
    }
    for (const part of (piece.t ?? "").split(/(\n)/)) {
      if (part === "\n") end();
      else if (part || piece.k === "mark") line.push(piece.k === "mark" ? piece : { ...piece, t: part });
    }
  }
  end();
  return lines;
}

/** Which lines of two texts are the same: pairs of places, both ascending, as many as can be. */
function sharedLines(a, b) {
  const same = (i, j) => a[i].key !== null && a[i].key === b[j].key;
  const pairs = [];
  let first = 0;
  while (first < a.length && first < b.length && same(first, first)) pairs.push([first, first++]);
  const n = a.length - first, m = b.length - first;
  if (n * m > MOST_CELLS) return pairs;
  const most = Array.from({ length: n + 1 }, () => new Uint32Array(m + 1));
  for (let i = n - 1; i >= 0; i--)
    for (let j = m - 1; j >= 0; j--)
      most[i][j] = same(first + i, first + j) ? most[i + 1][j + 1] + 1 : Math.max(most[i + 1][j], most[i][j + 1]);
  for (let i = 0, j = 0; i < n && j < m;) {
    if (same(first + i, first + j)) pairs.push([first + i++, first + j++]);
    else if (most[i + 1][j] >= most[i][j + 1]) i++;
    else j++;
  }
  return pairs;
}

/** The table of what both cost and how they were judged, and how far the second is from the first. */
function costsBeside(samples, tracks) {
  const judged = (track) => {
    const kinds = track.verdicts.map((verdict) => kindIn(track, verdict));
    const many = (kind) => kinds.filter((one) => one === kind).length;
    return { "states passed": many("ok"), objections: many("bad"), "states undecided": many("unsure") };
  };
  const [left, right] = samples.map((sample, n) => ({ ...figures(sample), ...judged(tracks[n]) }));
  const cell = (value) => (value === undefined ? "–" : number(value));
  const rows = Object.keys(left).filter((name) => left[name] || right[name]).map((name) => {
    const far = (right[name] ?? 0) - (left[name] ?? 0);
    return h("tr", {}, h("th", { scope: "row" }, name), h("td", {}, cell(left[name])), h("td", {}, cell(right[name])),
      h("td", {}, far ? `${far > 0 ? "+" : "−"}${number(Math.abs(far))}` : "="));
  });
  return h("table", { class: "costs" }, h("thead", {}, h("tr", {}, h("th", {}), samples.map((sample) => h("th", { scope: "col" }, sample.name)),
    h("th", { scope: "col" }, "difference"))), h("tbody", {}, rows));
}

/** What a line looks like, as text: where two are alike a narrow page shows one of them. */
const looks = (track, line) => JSON.stringify(line.pieces.map((piece) => [piece.k, piece.t?.trim(), piece.x, piece.v && worst(track, piece.v)]));

/** A line with its verdicts; an objection says why under it. */
function drawLine(track, line) {
  const numbers = [...new Set(line.pieces.flatMap((piece) => piece.v ?? []))];
  const kind = numbers.length ? worst(track, numbers) : "";
  const why = numbers.map((v) => track.verdicts[v]).filter((verdict) => verdict.ok === false && kindIn(track, verdict) === "bad")
    .map((verdict) => verdict.reason).filter(Boolean);
  return h("div", { class: "line" }, h("span", { class: `gutter ${kind}`, "aria-hidden": "true" }, MARKS[kind] ?? (kind === "note" ? "↩" : "")),
    h("div", { class: "trace" }, line.pieces.map((piece) => drawPiece(track, piece)),
      [...new Set(why)].map((reason) => h("div", { class: "why bad" }, `objection: ${reason}`))));
}

function drawBeside(samples, back = null) {
  const names = samples.map((sample) => sample.name ?? sample.method ?? "run");
  samples = samples.map((sample, n) => ({ ...sample, name: names[0] === names[1] ? `${"AB"[n]}: ${names[n]}` : names[n] }));
  const tracks = samples.map((sample) => sample.tracks.find((track) => track.branch === sample.chosen) ?? sample.tracks[0]);
  const lines = tracks.map(linesOf);
  const pairs = sharedLines(...lines);
  const cell = (side, shown, more = {}) => h("div", { role: "cell", "data-side": side, "data-name": samples[side].name, ...more },
    shown.map((line) => drawLine(tracks[side], line)));
  const table = h("div", { class: "beside", role: "table", "aria-label": "Both texts; a row has what both wrote, or what each wrote by itself" },
    h("div", { role: "row", class: "names" }, samples.map((sample) => h("div", { role: "columnheader" }, sample.name))));
  const done = [0, 0];
  for (const [i, j] of [...pairs, [lines[0].length, lines[1].length]]) {
    const own = [lines[0].slice(done[0], i), lines[1].slice(done[1], j)];
    if (own[0].length || own[1].length) table.append(h("div", { role: "row" }, cell(0, own[0]), cell(1, own[1])));
    if (i < lines[0].length) {
      const alike = looks(tracks[0], lines[0][i]) === looks(tracks[1], lines[1][j]);
      table.append(h("div", { role: "row", class: alike ? "both alike" : "both", title: "both wrote this" },
        cell(0, [lines[0][i]], alike ? { "data-name": "both" } : {}), cell(1, [lines[1][j]])));
    }
    done.splice(0, 2, i + 1, j + 1);
  }
  const happened = tracks.map((track, side) => timeline(track, (v, from) => {
    for (const one of document.querySelectorAll(".chosen")) one.classList.remove("chosen");
    const found = table.querySelectorAll(`[data-side="${side}"] [data-v="${v}"]`);
    for (const one of found) one.classList.add("chosen");
    if (from) found[0]?.scrollIntoView({ block: "center" });
  }));
  const go = ([side, v]) => {
    const piece = table.querySelector(`[data-side="${side}"] [data-v="${v}"]`), button = happened[side].buttons.get(v);
    if (button?.getAttribute("aria-expanded") !== "true") button?.click();
    for (const one of document.querySelectorAll(".chosen")) one.classList.remove("chosen");
    if (!piece) return;
    piece.classList.add("chosen");
    piece.tabIndex = -1;
    piece.focus({ preventScroll: true });
    piece.scrollIntoView({ block: "center" });
  };
  table.addEventListener("click", (event) => {
    const piece = event.target.closest("[data-v]");
    if (piece && !getSelection().toString()) go([Number(piece.closest("[data-side]").dataset.side), Number(piece.dataset.v)]);
  });
  const objections = [...table.querySelectorAll("[data-v]")].map((piece) => [Number(piece.closest("[data-side]").dataset.side), Number(piece.dataset.v)])
    .filter(([side, v]) => kindIn(tracks[side], tracks[side].verdicts[v]) === "bad");
  current = { go, numbers: objections, last: -1 };
  const [a, b] = samples;
  const sum = (one) => `${one.name} ended ${one.status} with ${number(one.cost.generated)} tokens`;
  const cases = samples.map((sample, n) => (sample.tracks.length > 1 ? `Of ${sample.name} the ${sample.chosen === undefined || sample.chosen === null ? "first" : "chosen"
  } one of ${sample.tracks.length} trajectories is shown.` : "")).filter(Boolean);
  const costs = h("div", { class: "wide", role: "region", "aria-label": "What they cost" }, costsBeside(samples, tracks));
  byId("sample").replaceChildren(back ?? "", h("p", { class: "problem", tabindex: "0" }, a.problem),
    h("p", { class: "lead" }, `${sum(a)}, ${sum(b)}. Of their ${lines[0].length} and ${lines[1].length} lines they share ${pairs.length}.`),
    ...cases.map((said) => h("p", { class: "soft" }, said)),
    h("div", { class: "heads" }, samples.map((sample) => h("section", { "aria-label": sample.name }, h("h2", {}, sample.name),
      h("p", { class: "soft setup" }, setup(sample)), outcome(sample)))),
    h("h2", {}, "What they cost"), costs,
    h("h2", {}, "What they wrote"), table,
    h("div", { class: "heads" }, happened.map((one, n) => {
      one.element.setAttribute("aria-label", `What happened: ${samples[n].name}`);
      one.element.querySelector("h2").textContent = `What happened: ${samples[n].name}`;
      return one.element;
    })));
  hintAtWidth(costs);
}
