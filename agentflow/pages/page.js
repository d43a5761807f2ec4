"use strict";
// Draws samples. Whatever a model wrote reaches the page as text nodes only, never as markup.

const data = JSON.parse(document.getElementById("data").textContent);
const byId = (id) => document.getElementById(id);
const MARKS = { ok: "✓", bad: "✗", unsure: "?" };
const kindOf = (ok) => (ok === true ? "ok" : ok === false ? "bad" : "unsure");
const number = (value) => (Number.isInteger(value) ? value.toLocaleString("en")
  : Math.abs(value) < 1e-3 ? value.toExponential(1) : value.toPrecision(3));

/** An element with attributes and children; strings become text. */
function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value !== undefined && value !== null && value !== false)
      element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.flat(Infinity).filter((c) => c !== null && c !== undefined && c !== false));
  return element;
}

function svg(tag, attributes = {}, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  element.append(...children);
  return element;
}

const oneLine = (text, most = 160) => {
  const line = text.slice(0, 4 * most).replace(/\s+/g, " ").trim();
  return line.length > most ? line.slice(0, most) + "…" : line;
};

// ---- Values that came with a verdict or a tool -------------------------------------------------

/** Any plain JSON as elements. */
function shown(value) {
  if (value === null || value === undefined) return h("span", { class: "soft" }, "–");
  if (typeof value === "number") return number(value);
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "string") return value.includes("\n") ? h("pre", {}, value) : value;
  if (Array.isArray(value)) {
    if (value.every((one) => one === null || typeof one !== "object"))
      return [...counted(value)].map(([one, times]) => (times > 1 ? `${one} ×${times}` : one)).join(", ") || "none";
    return h("ol", {}, value.map((one) => h("li", {}, shown(one))));
  }
  return fields(value);
}

/** How often each of some plain values comes, in the order in which they first do. */
function counted(values) {
  const times = new Map();
  for (const value of values.map((one) => (one === null ? "–" : String(one)))) times.set(value, (times.get(value) ?? 0) + 1);
  return times;
}

function fields(values) {
  const found = Object.entries(values).filter(([, value]) => value !== "" && value !== null);
  return h("dl", { class: "plain" }, found.flatMap(([name, value]) =>
    [h("dt", {}, name.replaceAll("_", " ")), h("dd", {}, shown(value))]));
}

/** A tool's call: what it was given, what it said. */
function toolCall(call) {
  const given = Object.entries(call.arguments ?? {}).map(([name, value]) =>
    [h("h3", {}, name), h("pre", {}, typeof value === "string" ? value : JSON.stringify(value, null, 1))]);
  const { arguments: _, observation, content, tool, role, type, branch, artifact, ...rest } = call;
  const said = observation ?? content ?? "";
  return h("div", {}, given, h("h3", {}, "output"), h("pre", {}, said === "" ? "(nothing)" : String(said)), fields(rest));
}

/** What a verdict rests on; its tool calls and its meta verification by themselves. */
function evidence(verdict) {
  const { calls, ...rest } = verdict.evidence ?? {};
  const parts = [];
  if (verdict.reason) parts.push(h("p", {}, verdict.reason));
  const known = { kind: verdict.kind, score: verdict.score, "first wrong step": verdict.first_wrong_step,
    source: verdict.source, ...(rest.signals ? {} : verdict.data) };
  for (const name of Object.keys(known)) if (known[name] === undefined) delete known[name];
  parts.push(fields(known));
  for (const call of calls ?? []) {
    const kind = call.agrees === undefined || call.agrees === null ? "unsure" : kindOf(call.agrees);
    parts.push(h("details", {}, h("summary", {}, h("b", { class: kind }, MARKS[kind]), ` ${call.tool ?? "call"} `,
      h("span", { class: "soft" }, oneLine(String(call.outcome ?? call.observation ?? ""), 80))), toolCall(call)));
  }
  if (Object.keys(rest).length) parts.push(fields(rest));
  return parts;
}

/** How a verdict counts: one that ends the thinking is a decision, no objection. */
function kindIn(track, verdict) {
  track.ending ??= new Set(track.items.filter((item) => item.kind === "close").map((item) => item.monitor));
  return verdict.ok === false && track.ending.has(verdict.monitor) ? "note" : kindOf(verdict.ok);
}

// ---- What happened, in order -------------------------------------------------------------------

/** (kind, label, what can be unfolded) of an item. */
function describe(item, track, texts) {
  switch (item.type) {
    case "verdict": {
      const verdict = track.verdicts[item.v];
      const signals = verdict.evidence?.signals ?? {};
      const told = ["entropy", "confidence"].filter((name) => name in signals).map((name) => `${name} ${number(signals[name])}`);
      const claim = oneLine(texts[item.v] ?? "") || verdict.reason || told.join(" · ");
      const label = { check_point: "check point", stable_answer: "answer" }[verdict.state] ?? verdict.state;
      return [kindIn(track, verdict), [h("b", {}, label), " ", claim], () => evidence(verdict)];
    }
    case "final":
      return [kindOf(item.ok), [h("b", {}, item.monitor === "verify" ? "answer" : item.monitor), " ",
        oneLine(item.answer ?? item.reason ?? "")], () => evidence(item)];
    case "intervention":
      return ["note", [h("b", {}, item.kind), " ", oneLine(item.reason ?? "")],
        () => [h("p", {}, item.reason ?? ""), item.text ? h("pre", {}, item.text) : null, fields({ by: item.monitor })]];
    case "tool":
      return [item.error ? "bad" : "line", [h("b", {}, `tool ${item.role}`), " ", oneLine(item.content ?? "")], () => [toolCall(item)]];
    case "reply":
      return [item.how === "valid" ? "ok" : "unsure", [h("b", {}, item.name.replaceAll("_", " ")), " ",
        oneLine(typeof item.value === "string" ? item.value : JSON.stringify(item.value ?? null))],
      () => [fields({ how: item.how, error: item.error }), shown(item.value)]];
    case "score":
      return ["line", [h("b", {}, `R = ${number(item.reward)}`), ` by ${item.source}`], () => [fields({ scores: item.scores.map(number) })]];
    case "step":
      return ["line", [h("b", {}, "step"), " ", oneLine(item.text)], () => [h("pre", {}, item.text)]];
    default:
      return ["line", [h("b", {}, item.type)], () => [shown(item)]];
  }
}

function timeline(track, select) {
  const texts = {};
  for (const piece of track.pieces)
    for (const v of piece.k === "mark" ? [] : piece.v ?? []) texts[v] = (texts[v] ?? "") + piece.t;
  const list = h("ol", {});
  const buttons = new Map();
  for (const item of track.items) {
    if (item.type === "node") {
      const about = [item.tokens ? `${number(item.tokens)} tokens` : "", item.seconds ? `${item.seconds.toFixed(2)} s` : "",
        item.paused ? "paused" : "", item.error ?? ""].filter(Boolean).join(" · ");
      list.append(h("li", { class: "node" }, h("b", {}, item.name.replaceAll("_", " ")), " ", about));
      continue;
    }
    const [kind, label, more] = describe(item, track, texts);
    const button = h("button", { class: "item", type: "button", tabindex: "-1", "aria-expanded": "false" },
      h("span", { class: kind, "aria-hidden": "true" }, MARKS[kind] ?? (kind === "note" ? "↩" : "·")),
      h("span", { class: "what" }, h("span", { class: "skip" }, { ok: "passed", bad: "objected", unsure: "cannot tell", note: "intervened" }[kind] ?? ""), label));
    const line = h("li", {}, button);
    button.addEventListener("click", () => {
      const open = button.getAttribute("aria-expanded") === "true";
      button.setAttribute("aria-expanded", String(!open));
      if (open) line.querySelector(".more")?.remove();
      else line.append(h("div", { class: "more" }, more()));
      if (!open && item.type === "verdict") select(item.v, button);
    });
    if (item.type === "verdict") buttons.set(item.v, button);
    list.append(line);
  }
  const all = () => [...list.querySelectorAll(".item")];
  if (all().length) all()[0].tabIndex = 0;
  list.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const found = all(), here = found.indexOf(document.activeElement);
    if (!step || here < 0) return;
    event.preventDefault();
    focusOn(found, found[Math.min(Math.max(here + step, 0), found.length - 1)]);
  });
  return { element: h("section", { class: "events", "aria-label": "What happened" }, h("h2", { class: "small" }, "What happened"), list), buttons };
}

/** Roving tab stop: one of a group is in the tab order. */
function focusOn(group, one) {
  for (const element of group) element.tabIndex = -1;
  one.tabIndex = 0;
  one.focus();
}

// ---- The text ----------------------------------------------------------------------------------

/** How a piece under several verdicts looks: the worst of them counts. */
function worst(track, numbers) {
  const kinds = numbers.map((v) => kindIn(track, track.verdicts[v]));
  return ["bad", "note", "unsure", "ok"].find((kind) => kinds.includes(kind));
}

/** One piece of the text. */
function drawPiece(track, piece) {
  if (piece.k === "cut") {
    const why = piece.reason ? `: ${piece.reason}` : "";
    return h("span", { class: "chip" }, `✂ ${number(piece.tokens)} tokens cut${why}`);
  }
  if (piece.k === "begin") return h("div", {}, h("span", { class: "chip" }, `begun again${piece.reason ? `: ${piece.reason}` : ""}`));
  if (piece.k === "prompt") return h("details", {}, h("summary", {}, "prompt"), piece.t);
  if (piece.k === "mark")
    return h("span", { class: `tick s-${worst(track, piece.v)}`, "data-v": piece.v[0], title: track.verdicts[piece.v[0]].state.replaceAll("_", " ") });
  const looks = [piece.k === "generated" ? "" : piece.k, piece.x ? "struck" : "",
    piece.v ? `s-${worst(track, piece.v)}` : ""].filter(Boolean).join(" ");
  if (!looks) return document.createTextNode(piece.t);
  const tag = ["feedback", "observation", "rewritten", "alternative"].includes(piece.k) ? "ins" : "span";
  const inner = h(tag, { class: looks, "data-v": piece.v?.at(-1) }, piece.t);
  return piece.x ? h("del", {}, inner) : inner;
}

const text = (track) => h("div", { class: "trace" }, track.pieces.map((piece) => drawPiece(track, piece)));

// ---- Curves ------------------------------------------------------------------------------------

const WIDE = 1000;

/** Charts that share the text's positions as their abscissa. */
function charts(track, go) {
  const grid = h("div", { class: "charts" });
  const x = (at) => (WIDE * at) / Math.max(1, track.length);
  const cursors = [];
  const add = (name, height, paths, points, label, cls = "name", range = "") => {
    const drawing = svg("svg", { viewBox: `0 0 ${WIDE} ${height}`, preserveAspectRatio: "none" }, ...paths);
    const cursor = h("span", { class: "at", hidden: true });
    const title = () => [name, range ? h("small", {}, range) : ""];
    const readout = h("span", { class: cls, title: name }, title());
    const chart = h("div", { class: "chart", style: `height:${height}px`, role: "img", "aria-label": label }, drawing, cursor);
    cursors.push(cursor);
    const nearest = (event) => {
      const box = chart.getBoundingClientRect();
      const at = ((event.clientX - box.left) / box.width) * WIDE;
      return points.reduce((best, one) => (Math.abs(x(one.at) - at) < Math.abs(x(best.at) - at) ? one : best), points[0]);
    };
    if (points.length) {
      chart.addEventListener("pointermove", (event) => {
        const point = nearest(event);
        for (const one of cursors) { one.hidden = false; one.style.left = `${x(point.at) / (WIDE / 100)}%`; }
        if (point.says) readout.replaceChildren(name, h("small", {}, h("b", {}, point.says)));
      });
      chart.addEventListener("pointerleave", () => {
        for (const one of cursors) one.hidden = true;
        readout.replaceChildren(...title());
      });
      chart.addEventListener("click", (event) => go(nearest(event).v));
    }
    grid.append(readout, chart);
  };
  const dots = (points, color, size = 5) => svg("path", { d: points.map(([a, b]) => `M${a} ${b}h0`).join(""), stroke: color, "stroke-width": size });
  const judged = track.verdicts.map((verdict, v) => ({ at: verdict.at, v, ok: kindIn(track, verdict) }));
  const ticks = ["ok", "unsure", "note", "bad"].map((kind) => svg("path", { stroke: `var(--${kind})`, "stroke-width": kind === "ok" ? 1 : 2,
    d: judged.filter((one) => one.ok === kind).map((one) => `M${x(one.at)} 3V19`).join("") }));
  const gone = track.struck.map(([from, to]) => svg("rect", { x: x(from), width: Math.max(1, x(to) - x(from)), y: 3, height: 16, fill: "var(--bad-tint)" }));
  const notes = svg("path", { stroke: "var(--note)", "stroke-width": 2, d: track.feedback.map((at) => `M${x(at)} 0V22`).join("") });
  if (judged.length || gone.length)
    add("the trace", 22, [svg("rect", { x: 0, y: 3, width: WIDE, height: 16, fill: "var(--rule)", opacity: 0.45 }), ...gone, ...ticks, notes],
      judged, `${judged.length} verdicts along the trace, ${judged.filter((one) => one.ok === "bad").length} of them objections`);
  const numbers = new Map(track.verdicts.map((verdict, v) => [verdict.at, v]));
  for (const curve of track.curves) {
    const value = curve.log ? (v) => Math.log10(Math.max(v, 1e-12)) : (v) => v;
    const all = curve.points.map(([, v]) => value(v));
    const low = curve.log ? Math.min(...all) : Math.min(0, ...all), high = Math.max(...all, low + 1e-9);
    const place = curve.points.map(([at, v]) => [x(at), 50 - (44 * (value(v) - low)) / (high - low)]);
    const unit = curve.unit ? ` ${curve.unit}` : "";
    add(curve.name + (curve.log ? " (log)" : ""), 54,
      [svg("path", { d: place.map(([a, b], n) => `${n ? "L" : "M"}${a} ${b}`).join(""), stroke: "var(--line)", "stroke-width": 1.4 }), dots(place, "var(--line)", place.length > 150 ? 2 : 4)],
      curve.points.map(([at, v, tokens]) => ({ at, v: numbers.get(at), says: `${number(v)}${unit}${tokens ? ` at ${number(tokens)}` : ""}` })),
      `${curve.name}, ${curve.points.length} points from ${number(curve.points[0][1])} to ${number(curve.points.at(-1)[1])}${unit}`,
      "name", curve.log ? `${number(10 ** low)} to ${number(10 ** high)}${unit}` : `${number(low)} to ${number(high)}${unit}`);
  }
  const rows = new Map();
  for (const [at, answer, v] of track.answers) rows.set(answer, [...(rows.get(answer) ?? []), { at, v }]);
  const often = [...rows].sort((a, b) => b[1].length - a[1].length).slice(0, 6);
  for (const [answer, points] of often)
    add(answer, 16, [dots(points.map((one) => [x(one.at), 8]), "var(--note)", 6)], points, `candidate answer ${answer}, ${points.length} times`, "name cand");
  return grid.childElementCount ? grid : null;
}

// ---- One trajectory ----------------------------------------------------------------

function drawTrack(track) {
  const body = text(track);
  const select = (v, from) => {
    for (const one of document.querySelectorAll(".chosen")) one.classList.remove("chosen");
    const found = body.querySelectorAll(`[data-v="${v}"]`);
    for (const one of found) one.classList.add("chosen");
    if (from) found[0]?.scrollIntoView({ block: "center" });
  };
  const happened = timeline(track, select);
  const go = (v) => {
    const button = happened.buttons.get(v);
    if (!button) return;
    if (button.getAttribute("aria-expanded") !== "true") button.click();
    focusOn([...happened.buttons.values()], button);
    select(v, button);
  };
  body.addEventListener("click", (event) => {
    const piece = event.target.closest("[data-v]");
    if (piece && !getSelection().toString()) go(Number(piece.dataset.v));
  });
  const steps = track.items.filter((item) => item.type === "node");
  const path = h("ol", { class: "path", "aria-label": "Path through the graph" }, steps.map((node, n) =>
    h("li", {}, h("button", { type: "button", onclick: () => happened.element.querySelectorAll(".node")[n]?.scrollIntoView({ block: "nearest" }) },
      node.name.replaceAll("_", " ")))));
  const about = ["model", "plan", "tools", "compute", "reward"].filter((name) => track[name] !== undefined && track[name] !== "");
  const element = h("div", {}, steps.length ? path : null,
    about.length ? h("div", { class: "more" }, fields(Object.fromEntries(about.map((name) => [name, track[name]])))) : null,
    charts(track, go), h("div", { class: "reading" }, body, happened.element));
  element.objections = { go, numbers: track.verdicts.flatMap((verdict, v) => (verdict.ok === true ? [] : [v])), last: -1 };
  return element;
}

// ---- What is wider than the page -----------------------------------------------------------------

/** Says above a table or a plot that it goes on sideways, where it does. */
function hintAtWidth(box) {
  const hint = h("p", { class: "hint", hidden: true }, "This is wider than the page: scroll it sideways →");
  box.before(hint);
  new ResizeObserver(() => {
    hint.hidden = box.scrollWidth <= box.clientWidth + 1;
    box.tabIndex = hint.hidden ? -1 : 0;
  }).observe(box);
}

for (const box of document.querySelectorAll(".wide")) hintAtWidth(box);
