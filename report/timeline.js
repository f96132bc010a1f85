// The timeline of a window: a lane for each pCPU, vCPU and interrupt, with what it did when, and why.
"use strict";

/** What a state looks like; those that are not here are nothing to see. */
function state_style(state, colours) {
  const [blue, orange, green, purple, sky, vermilion, olive] = colours.series;
  return {
    user: { fill: blue }, kernel: { fill: green }, softirq: { fill: purple }, irq: { fill: orange },
    hypervisor: { fill: vermilion }, guest: { fill: sky }, running: { fill: sky }, runnable: { fill: orange, waits: true },
    work: { fill: olive }, waits: { fill: orange, waits: true }, stalled: { fill: vermilion, waits: true },
  }[state];
}

const kStateOrder = ["user", "kernel", "softirq", "irq", "hypervisor", "guest", "running", "runnable", "stalled", "work", "waits"];

function timeline_item(params, api, row, lane, colours) {
  const style = state_style(row.state, colours);
  const [from, y] = api.coord([row.from, lane]);
  const [to] = api.coord([row.to ?? row.from, lane]);
  const half = 0.32 * api.size([0, 1])[1];
  const { x, width } = params.coordSys;
  if (row.to === null) {  // a moment
    if (from < x || from > x + width) return null;
    return { type: "line", shape: { x1: from, y1: y - half - 3, x2: from, y2: y + half + 3 }, style: { stroke: colours.text, lineWidth: 1.25 } };
  }
  const left = Math.max(from, x);
  const right = Math.min(Math.max(to, from + 1), x + width);
  if (style === undefined || right <= left) return null;
  const shape = { x: left, y: y - half, width: right - left, height: 2 * half };
  const children = [{ type: "rect", shape, style: { fill: style.fill, stroke: colours.surface, lineWidth: 0.5, opacity: style.waits ? 0.4 : 1 } }];
  if (style.waits) children.push({ type: "rect", shape, style: { fill: "none", stroke: style.fill, lineWidth: 1 } });
  if (right - left > 46) {
    children.push({ type: "text", silent: true, style: { text: row.what || row.why || row.state, x: left + 5, y, verticalAlign: "middle", fill: style.waits ? colours.text : colours.surface,
      font: `11px ${kFont}`, width: right - left - 10, overflow: "truncate", ellipsis: "…" } });
  }
  return { type: "group", children };
}

function draw_timeline(part, colours, width) {
  const rows = records(part);
  const lanes = new Map(part.lanes.map((name, i) => [name, i]));
  const states = kStateOrder.filter((state) => rows.some((row) => row.state === state));
  const kFrom = 3;
  return {
    ...base_options(colours),
    grid: { left: 8, right: 20, top: 40, bottom: 74, containLabel: true },
    legend: { ...legend(colours, states), selectedMode: false },
    tooltip: { ...base_options(colours).tooltip, trigger: "item", formatter: (item) => {
      const row = rows[item.data[2]];
      const lasts = row.to === null ? "" : with_unit(row.to - row.from, "µs");
      return tip(`${row.lane}: ${row.state}`, [["who", row.what], ["why", row.why], ["from", with_unit(row.from, "µs")], ["lasts", lasts]]);
    } },
    dataZoom: [
      { type: "inside", xAxisIndex: 0, filterMode: "none", zoomOnMouseWheel: "ctrl", moveOnMouseWheel: false },
      { type: "slider", xAxisIndex: 0, filterMode: "none", bottom: 6, height: 18, showDetail: false, brushSelect: false, borderColor: colours.line, fillerColor: `${colours.axis}44`, showDataShadow: false, handleStyle: { color: colours.surface, borderColor: colours.muted }, moveHandleSize: 0 },
    ],
    xAxis: value_axis(colours, "µs since the stimulus", { min: part.from, max: part.to, axisLabel: { showMinLabel: false, showMaxLabel: false } }),
    yAxis: axis(colours, { type: "category", inverse: true, data: part.lanes, axisTick: { show: false }, splitLine: { show: false },
      axisLabel: { color: colours.text, fontSize: 12, interval: 0, width: width < kNarrow ? 78 : 150, overflow: "truncate" } }),
    series: [
      { type: "custom", clip: true, data: rows.map((row, i) => [row.from, lanes.get(row.lane), i]), encode: { x: 0, y: 1 },
        renderItem: (params, api) => timeline_item(params, api, rows[api.value(2)], api.value(1), colours),
        markArea: { silent: true, itemStyle: { color: colours.simulated, opacity: 0.06 }, data: [[{ xAxis: 0 }, { xAxis: part.latency }]] } },
      // For the legend alone: a custom series has one colour.
      ...states.map((state) => ({ type: "bar", name: state, data: [], itemStyle: { color: state_style(state, colours).fill, opacity: state_style(state, colours).waits ? 0.4 : 1 } })),
    ],
  };
}

kPlots.timeline = { draw: draw_timeline, height: (part) => 130 + 30 * Math.max(1, part.lanes.length), controls: zoom_buttons };

/** Zoom and pan without a mouse. */
function zoom_buttons(chart_of) {
  const change = (zoom) => () => {
    const chart = chart_of();
    const { start, end } = chart.getOption().dataZoom[0];
    const [from, to] = zoom(start, end);
    const wide = Math.min(100, to - from);
    const begin = Math.min(Math.max(0, from), 100 - wide);
    chart.dispatchAction({ type: "dataZoom", dataZoomIndex: 0, start: begin, end: begin + wide });
  };
  const by = (factor) => (start, end) => {
    const half = Math.max(0.01, factor * (end - start)) / 2;
    return [(start + end) / 2 - half, (start + end) / 2 + half];
  };
  const along = (share) => (start, end) => [start + share * (end - start), end + share * (end - start)];
  const button = (text, label, zoom) => element("button", { type: "button", "aria-label": label, title: label, onclick: change(zoom) }, text);
  return element("div", { class: "choices zoom" }, button("−", "Zoom out", by(2)), button("+", "Zoom in", by(0.5)),
    button("←", "Earlier", along(-0.5)), button("→", "Later", along(0.5)), button("All", "The whole window", () => [0, 100]));
}
