// The list of samples beside one of them. Each lies in a file of its own, a script that registers
// itself: pages opened from a disk may not read files in any other way.

const HEIGHT = 52;
const OUTCOMES = {
  "all outcomes": () => true,
  right: (row) => row.right,
  wrong: (row) => !row.right && row.answer !== null,
  "no answer": (row) => row.answer === null && row.status !== "failed",
  failed: (row) => row.status === "failed",
};
const waiting = new Map();

/** Called by a sample's file. */
function agentflowSample(id, sample) {
  waiting.get(id)?.(sample);
  waiting.delete(id);
}

function load(id) {
  return new Promise((done, failed) => {
    const script = h("script", { src: `samples/${id}.js` });
    waiting.set(id, done);
    script.addEventListener("load", () => script.remove());
    script.addEventListener("error", () => failed(new Error(`samples/${id}.js is not there`)));
    document.head.append(script);
  });
}

function browser() {
  const rows = data.index.map(([id, arm, problem, seed, status, answer, right, tokens, number]) =>
    ({ id, arm, problem, seed, status, answer, right, tokens, number, text: `${problem}\n${answer ?? ""}`.toLowerCase() }));
  const box = byId("rows"), spacer = h("div", { role: "presentation" });
  let shownRows = rows, here = 0, opened = null, second;
  box.append(spacer);
  const options = (select, names) => select.append(...names.map((name) => h("option", {}, name)));
  options(byId("arm"), ["all arms", ...new Set(rows.map((row) => row.arm))]);
  options(byId("outcome"), Object.keys(OUTCOMES));

  /** Only the rows in sight are in the document. */
  const draw = () => {
    const first = Math.max(0, Math.floor(box.scrollTop / HEIGHT) - 4);
    const last = Math.min(shownRows.length, first + Math.ceil(box.clientHeight / HEIGHT) + 9);
    spacer.style.height = `${shownRows.length * HEIGHT}px`;
    spacer.replaceChildren(...shownRows.slice(first, last).map((row, n) => {
      const kind = row.right ? "ok" : row.answer === null ? "unsure" : "bad";
      const place = first + n;
      return h("div", { class: "row", role: "option", id: `row-${place}`, style: `top:${place * HEIGHT}px`, "aria-selected": String(row === opened),
        "aria-posinset": place + 1, "aria-setsize": shownRows.length, onclick: () => choose(place) },
      h("div", {}, h("b", { class: kind }, kind === "unsure" ? "– " : `${MARKS[kind]} `), oneLine(row.problem, 90)),
      h("div", { class: "about" }, `${row.arm} · seed ${row.seed} · ${number(row.tokens)} tokens · ${row.status}`));
    }));
    box.setAttribute("aria-activedescendant", shownRows.length ? `row-${here}` : "");
  };
  const filter = () => {
    const wanted = byId("search").value.toLowerCase(), arm = byId("arm").value, fits = OUTCOMES[byId("outcome").value];
    shownRows = rows.filter((row) => (byId("arm").selectedIndex === 0 || row.arm === arm) && fits(row) && row.text.includes(wanted));
    here = Math.max(0, shownRows.indexOf(opened));
    byId("count").textContent = `${shownRows.length.toLocaleString("en")} of ${rows.length.toLocaleString("en")} samples`;
    box.scrollTop = 0;
    draw();
  };
  const choose = (place) => {
    if (!shownRows.length) return;
    here = Math.min(Math.max(place, 0), shownRows.length - 1);
    const top = here * HEIGHT;
    if (top < box.scrollTop) box.scrollTop = top;
    if (top + HEIGHT > box.scrollTop + box.clientHeight) box.scrollTop = top + HEIGHT - box.clientHeight;
    location.hash = `sample=${shownRows[here].id}`;
  };
  /** Where the runs of the same problem can be chosen, to be shown beside this one. */
  const besides = (row) => {
    const others = rows.filter((one) => one !== row && one.number === row.number);
    if (!others.length) return null;
    const name = (one) => (one.seed === row.seed ? one.arm : `${one.arm}, seed ${one.seed}`);
    const select = h("select", { onchange: () => { location.hash = `sample=${row.id}&beside=${select.value}`; } },
      h("option", { value: "" }, "choose a run"), others.map((one) => h("option", { value: one.id }, `${name(one)}: ${one.status}`)));
    return h("label", { class: "besides" }, "Side by side with ", select);
  };
  const open = async (row, other) => {
    opened = row;
    second = other;
    here = Math.max(0, shownRows.indexOf(row));
    draw();
    try {
      const [sample, beside] = await Promise.all([row, ...(other ? [other] : [])].map((one) => load(one.id)));
      if (opened !== row || second !== other) return;
      if (beside) {
        drawBeside([{ ...sample, right: row.right, name: row.arm }, { ...beside, right: other.right, name: other.arm }],
          h("a", { href: `#sample=${row.id}` }, `← only ${row.arm}`));
      } else drawSample(sample, row, besides(row));
    } catch (error) {
      byId("sample").replaceChildren(h("p", { class: "bad" }, error.message));
    }
    scrollTo({ top: 0, behavior: "instant" });
  };
  const route = () => {
    const [, id, other] = /^#sample=([^&]*)(?:&beside=(.*))?$/.exec(location.hash) ?? [];
    const samples = id !== undefined || location.hash === "#samples" || location.hash === "#sample";
    byId("samples-view").hidden = !samples;
    byId("overview-view").hidden = samples;
    for (const link of document.querySelectorAll(".top nav a"))
      link.toggleAttribute("aria-current", (link.hash === "#samples") === samples);
    if (!samples) return;
    const row = rows.find((one) => one.id === id) ?? opened ?? shownRows[0];
    const beside = rows.find((one) => one.id === other);
    if (row && (row !== opened || beside !== second)) open(row, beside);
    else draw();
  };
  box.addEventListener("scroll", draw);
  addEventListener("resize", draw);
  addEventListener("hashchange", route);
  for (const id of ["search", "arm", "outcome"]) byId(id).addEventListener("input", filter);
  document.querySelector(".filters").addEventListener("submit", (event) => event.preventDefault());
  box.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10, Home: -Infinity, End: Infinity }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    choose(here + step);
  });
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input, select")) return;
    if (event.key === "j" || event.key === "k") choose(byId("samples-view").hidden ? here : here + (event.key === "j" ? 1 : -1));
    if (event.key === "/") {
      event.preventDefault();
      if (byId("samples-view").hidden) location.hash = "samples";
      setTimeout(() => byId("search").focus());
    }
  });
  filter();
  route();
}

if (data.index) browser();
else if (data.beside) drawBeside(data.beside);
else {
  document.querySelector(".top .soft").textContent = setup(data.sample);
  drawSample(data.sample);
}
