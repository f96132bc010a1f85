// The page: contents, answers, sections, and charts that are drawn when they come into view.
"use strict";

const model = JSON.parse(document.getElementById("model").textContent);
/** By the part's id; what tests and printing go through. */
const charts = new Map();

class Chart {
  constructor(part, place) {
    this.part = part;
    this.place = place;
    this.choice = 0;
    this.drawn = null;
  }

  draw() {
    const narrow = this.place.clientWidth < kNarrow;
    if (this.chart === undefined) {
      this.chart = echarts.init(this.place, null, { renderer: "svg" });
      new ResizeObserver(() => this.resize()).observe(this.place);
    }
    const colours = palette();
    this.chart.setOption(kPlots[this.part.kind].draw(this.part, colours, this.place.clientWidth, this.choice), true);
    this.drawn = { narrow, theme: theme_name() };
  }

  resize() {
    this.chart.resize();
    if (this.drawn.narrow !== this.place.clientWidth < kNarrow) this.draw();
  }

  choose(choice) {
    this.choice = choice;
    this.draw();
  }

  /** Again, if it has been drawn in the other theme. */
  refresh() {
    if (this.drawn !== null && this.drawn.theme !== theme_name()) this.draw();
  }
}

const in_view = new IntersectionObserver((entries) => {
  for (const { isIntersecting, target } of entries) {
    if (!isIntersecting) continue;
    in_view.unobserve(target);
    const chart = charts.get(target.dataset.part);
    if (chart.drawn === null) chart.draw();
  }
}, { rootMargin: "400px" });

function draw_all() {
  for (const chart of charts.values()) {
    if (chart.drawn === null) chart.draw();
  }
}

// ---- parts ----

function heading(level, id, text) {
  return element(`h${level}`, {}, element("a", { href: `#${id}` }, text));
}

function no_data(part) {
  const nothing = part.kind === "table" ? "There is none." : "There are no data for this, so there is nothing to draw.";
  return element("p", { class: "empty" }, part.kind !== "table" && part.note ? `Nothing to draw. ${part.note}` : nothing);
}

/** One button for each figure of a map. */
function choices(part, chart) {
  if ((part.figures ?? []).length < 2) return null;
  const buttons = part.figures.map((figure, i) => element("button", { type: "button", "aria-pressed": String(i === 0), onclick: () => {
    buttons.forEach((button, at) => button.setAttribute("aria-pressed", String(at === i)));
    chart.choose(i);
  } }, figure.title));
  return element("div", { class: "choices", role: "group", "aria-label": "What is shown" }, ...buttons);
}

function plot_nodes(part) {
  const kind = kPlots[part.kind];
  const height = kind.height ? `height: ${kind.height(part)}px` : null;
  const place = element("div", { class: "plot", style: height, role: "img", "aria-label": `${part.title}. ${part.note}`, "data-part": part.id });
  const chart = new Chart(part, place);
  charts.set(part.id, chart);
  in_view.observe(place);
  const nearer = far_limit(part, Math.max(...part.rows.map((row) => row[part.kind === "histogram" ? 2 : 1])));
  return [choices(part, chart), kind.controls?.(() => chart.chart) ?? null, place,
    nearer ? element("p", { class: "note" }, nearer) : null, folded_table(part, "Data")];
}

function tiles(part) {
  const unit = part.columns[1].unit;
  return [element("dl", { class: "tiles" }, ...records(part).map((row) => element("div", {},
    element("dt", {}, row.figure),
    element("dd", {}, format(row.value), typeof row.value === "number" ? element("span", { class: "unit" }, ` ${unit}`) : null),
    typeof row.lo === "number" ? element("dd", { class: "interval" }, `${format(row.lo)} … ${format(row.hi)}`) : null))), folded_table(part, "Data")];
}

function facts(part) {
  return [element("dl", { class: "facts" }, ...records(part).flatMap((row) => [element("dt", {}, row.what), element("dd", {}, row.is)]))];
}

function text_document(part) {
  return [element("div", { class: "behind" },
    element("details", { class: "data" }, element("summary", {}, "Show"), element("pre", { tabindex: "0" }, part.text)),
    element("button", { type: "button", class: "quiet", onclick: () => download(`${part.id}.json`, "application/json", part.text) }, "Download JSON"))];
}

function table_nodes(part) {
  if (part.folded) return [folded_table(part, "Show")];
  return [make_table(part), element("div", { class: "behind" }, element("span"), csv_button(part))];
}

function content_of(part) {
  if (part.kind === "document") return text_document(part);
  if (part.rows.length === 0) return [no_data(part)];
  if (part.kind === "figures") return tiles(part);
  if (part.kind === "facts") return facts(part);
  if (part.kind === "table") return table_nodes(part);
  return plot_nodes(part);
}

function part_node(part) {
  const half = kPlots[part.kind]?.half ? " half" : "";
  return element("figure", { class: `part${half}`, id: part.id },
    element("figcaption", {}, heading(4, part.id, part.title), part.note && (part.rows.length > 0 || part.kind === "document") ? element("p", { class: "note" }, part.note) : null),
    ...content_of(part));
}

// ---- the page ----

const kKinds = { result: "Prediction", sweep: "Sweep", validation: "Validation", calibration: "Calibration", sensitivity: "Sensitivity" };

function paragraphs(sentences) {
  return sentences.map((sentence) => element("p", {}, sentence));
}

function name_of(source) {
  return source.title || source.file;
}

/** The answer of one document. Of the only one the page's heading has the title. */
function card(source) {
  const only = model.sources.length === 1;
  return element("div", { class: "card" },
    element("header", {}, element("span", {}, element("span", { class: "kind" }, kKinds[source.kind]), only ? null : element("span", { class: "file" }, source.file)),
      source.verdict ? chip(source.verdict) : null),
    only ? null : element("h2", {}, element("a", { href: `#${source.id}` }, name_of(source))), ...paragraphs(source.answer));
}

function section_node(section) {
  return element("section", { id: section.id }, heading(3, section.id, section.title), ...paragraphs(section.text),
    element("div", { class: "parts" }, ...section.parts.map(part_node)));
}

function article(source) {
  const only = model.sources.length === 1;
  return element("article", { id: source.id, class: only ? "only" : null },
    only ? null : element("header", {}, element("span", { class: "kind" }, kKinds[source.kind]), heading(2, source.id, name_of(source)),
      source.verdict ? chip(source.verdict) : null, element("p", { class: "note" }, source.file)),
    ...source.sections.map(section_node));
}

function contents() {
  const item = (id, title, source) => element("li", {}, element("a", { href: `#${id}`, class: source ? "source" : null }, title));
  const list = element("ul", {}, item("answer", "The answer", true), ...model.sources.map((source) => {
    const entry = item(source.id, model.sources.length === 1 ? "In detail" : name_of(source), true);
    entry.append(element("ul", {}, ...source.sections.map((section) => item(section.id, section.title, false))));
    return entry;
  }));
  const details = element("details", {}, element("summary", {}, "Contents"), list);
  const wide = matchMedia("(min-width: 68rem)");
  const unfold = () => { details.open = wide.matches; };
  wide.addEventListener("change", unfold);
  unfold();
  return details;
}

/** The entry of the section that is being read is marked. */
function follow_reading() {
  const links = new Map([...document.querySelectorAll("nav a")].map((link) => [link.getAttribute("href").slice(1), link]));
  const observer = new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting) continue;
      links.forEach((link) => link.removeAttribute("aria-current"));
      links.get(target.id)?.setAttribute("aria-current", "true");
    }
  }, { rootMargin: "-20% 0px -70% 0px" });
  document.querySelectorAll("article > section, #answer").forEach((section) => observer.observe(section));
}

function name_theme_button() {
  document.getElementById("theme").textContent = theme_name() === "dark" ? "Light" : "Dark";
}

function set_theme(name) {
  if (name === null) delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = name;
  name_theme_button();
  for (const chart of charts.values()) chart.refresh();
}

/** On paper everything is drawn, in the light. */
function prepare_printing() {
  const theme = document.documentElement.dataset.theme ?? null;
  set_theme("light");
  draw_all();
  addEventListener("afterprint", () => set_theme(theme), { once: true });
}

function build() {
  document.title = model.title;
  document.getElementById("contents").append(contents());
  const count = model.sources.length;
  document.getElementById("top").append(
    element("h1", {}, model.title),
    element("p", { class: "muted" }, `${count === 1 ? model.sources[0].file : `${count} documents`} · vecusim ${model.version} · predictions, not evidence of safety`),
    element("div", { id: "answer", class: count === 1 ? "answers single" : "answers", tabindex: "-1", role: "region", "aria-label": "The answer" }, ...model.sources.map(card)),
    ...model.sources.map(article),
    element("footer", {}, `Made by vecusim ${model.version}. Charts: Apache ECharts ${echarts.version}, Apache License 2.0.`));
  document.getElementById("theme").addEventListener("click", () => set_theme(theme_name() === "dark" ? "light" : "dark"));
  document.getElementById("print").addEventListener("click", () => print());
  addEventListener("beforeprint", prepare_printing);
  kDarkness.addEventListener("change", () => set_theme(document.documentElement.dataset.theme ?? null));
  name_theme_button();
  follow_reading();
  if (location.hash) document.getElementById(decodeURIComponent(location.hash.slice(1)))?.scrollIntoView();
}

build();
window.vecusim = { charts, draw_all };
