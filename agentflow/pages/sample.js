// One sample: what it was run with, what it came to, what it cost, and its trajectories.

/** How a status looks, and what may be claimed for it. */
const STATUS = {
  verified: ["verified", "✓", "a program proved that this answer is right"],
  incomplete: ["incomplete", "✓", "a program proved the answer, but the reasoning has a gap"],
  accepted: ["accepted", "~", "a model or a person approved the answer; both can be wrong"],
  unverified: ["unverified", "?", "nothing refuted the answer, and nothing proved it"],
  abstained: ["none", "–", "the answer was refuted, or none exists"],
  exhausted: ["none", "–", "a limit was reached first"],
};

/** A sample's status, its answer, and whether that is right. */
function outcome(sample, right = sample.right) {
  const [look, mark, meaning] = STATUS[sample.status] ?? ["failed", "✗", ""];
  return h("div", { class: "outcome" }, h("span", { class: `badge ${look}`, title: meaning }, `${mark} ${sample.status}`),
    h("span", { class: "answer" }, sample.answer ?? (sample.candidate ? `no answer; candidate ${sample.candidate}` : "no answer")),
    right === undefined || right === null ? null : h("b", { class: right ? "ok" : "bad" }, right ? "✓ right" : sample.answer === undefined ? "not right" : "✗ wrong"),
    sample.gold === null || sample.gold === undefined ? null : h("span", { class: "soft" }, `gold ${sample.gold}`),
    h("span", { class: "soft" }, meaning && sample.reason ? `${meaning} (${sample.reason})` : meaning || (sample.reason ?? "")), sample.error ? h("span", { class: "bad" }, sample.error) : null);
}

const LEFT_OUT = new Set(["model", "domain", "roles"]);

/** What a sample was run with, in one line. */
function setup(sample) {
  const { roles = {}, ...rest } = sample.settings ?? {};
  const values = Object.entries(rest).filter(([name]) => !LEFT_OUT.has(name)).map(([name, value]) =>
    `${name}=${typeof value === "string" ? value : JSON.stringify(value)}`);
  const others = Object.entries(roles).filter(([role]) => role !== "solver").map(([role, servers]) =>
    `${role} ${[servers].flat().map((one) => one.name ?? one.at ?? one).join(", ")}`);
  return [sample.method, sample.model && `model ${sample.model}`, sample.domain && `domain ${sample.domain}`, ...others,
    sample.settings && (values.join(", ") || "default settings")].filter(Boolean).join(" · ");
}

/** What a sample cost and how often it was mended, by name. */
function figures(sample) {
  const tools = sample.tracks.reduce((sum, t) => sum + t.items.filter((item) => item.type === "tool").length, 0);
  return { tokens: sample.cost.generated, wasted: sample.cost.wasted, "prompt tokens": sample.cost.prompt, calls: sample.cost.calls,
    corrections: sample.corrections, probes: sample.roles.probe?.calls ?? 0, "tool calls": tools, seconds: sample.cost.seconds };
}

let current = null;

function drawSample(sample, row = {}, beside = null) {
  const facts = { arm: row.arm, seed: row.seed, ...figures(sample) };
  const roles = Object.entries(sample.roles).filter(([, entry]) => entry.generated);
  const color = (n) => `background:var(--role-${n % 8})`;
  const shownTracks = sample.tracks.map((track) => [track, null]);
  const panel = h("div", sample.tracks.length < 2 ? {} : { id: "trajectory", role: "tabpanel", "aria-label": "Trajectory" });
  const open = (n) => {
    shownTracks[n][1] ??= drawTrack(shownTracks[n][0]);
    current = shownTracks[n][1].objections;
    panel.replaceChildren(shownTracks[n][1]);
    tabs.forEach((tab, m) => tab.setAttribute("aria-selected", String(m === n)));
  };
  const tabs = sample.tracks.length < 2 ? [] : sample.tracks.map((track, n) =>
    h("button", { type: "button", role: "tab", "aria-controls": "trajectory", tabindex: n ? "-1" : "0", onclick: () => open(n) },
      `${n + 1} · ${track.answer ?? track.candidate ?? "no answer"}`, track.branch === sample.chosen ? h("b", { class: "ok" }, " chosen") : null));
  const tablist = h("div", { class: "tabs", role: "tablist", "aria-label": "Trajectories" }, tabs);
  tablist.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const next = tabs[(tabs.indexOf(document.activeElement) + step + tabs.length) % tabs.length];
    focusOn(tabs, next);
    next.click();
  });
  byId("sample").replaceChildren(
    data.index ? h("p", { class: "soft setup" }, setup(sample)) : "", h("p", { class: "problem", tabindex: "0" }, sample.problem),
    outcome(sample, sample.right ?? row.right),
    h("dl", { class: "facts" }, Object.entries(facts).filter(([name, value]) => value !== undefined && value !== "" && (value !== 0 || name === "seed")).map(([name, value]) =>
      h("div", {}, h("dt", {}, name), h("dd", {}, typeof value === "number" ? number(value) : value)))),
    roles.length > 1 ? h("div", { class: "roles" }, h("div", { class: "bar", role: "img", "aria-label": "Generated tokens by role" },
      roles.map(([, entry], n) => h("span", { style: `${color(n)};flex:${entry.generated}` }))),
    h("div", { class: "legend" }, roles.map(([role, entry], n) => h("span", {}, h("i", { style: color(n) }), `${role} ${number(entry.generated)}`)))) : "",
    sample.path.length ? h("ol", { class: "path", "aria-label": "Path through the graph" }, sample.path.map((name) => h("li", {}, name))) : "",
    beside ?? "", tabs.length ? tablist : "", panel);
  open(Math.max(0, sample.tracks.findIndex((track) => track.branch === sample.chosen)));
}

document.addEventListener("keydown", (event) => {
  const step = { n: 1, p: -1 }[event.key];
  if (!step || !current?.numbers.length || event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input, select")) return;
  current.last = (current.last + step + current.numbers.length) % current.numbers.length;
  current.go(current.numbers[current.last]);
});
