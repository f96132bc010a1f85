// How each kind of part is drawn: from its rows to the options of a chart.
"use strict";

const kNarrow = 560;

/** What all charts have in common. */
function base_options(colours) {
  return {
    animation: false,
    aria: { enabled: true },
    color: colours.series,
    textStyle: { fontFamily: kFont, color: colours.muted },
    grid: { left: 8, right: 20, top: 24, bottom: 8, containLabel: true },
    tooltip: {
      confine: true, backgroundColor: colours.surface, borderColor: colours.line, padding: [8, 12],
      textStyle: { color: colours.text, fontFamily: kFont, fontSize: 13 }, extraCssText: "box-shadow: 0 4px 16px rgb(0 0 0 / 14%); border-radius: 8px;",
    },
  };
}

function axis(colours, options) {
  return {
    nameLocation: "middle", nameGap: 30, nameTextStyle: { color: colours.muted, fontSize: 12 },
    axisLabel: { color: colours.muted, fontSize: 12, hideOverlap: true }, axisLine: { lineStyle: { color: colours.axis } },
    axisTick: { lineStyle: { color: colours.axis } }, splitLine: { lineStyle: { color: colours.line } }, ...options,
  };
}

function value_axis(colours, name, options = {}) {
  const { axisLabel, ...rest } = options;
  return axis(colours, { type: "value", name, ...rest,
    axisLabel: { color: colours.muted, fontSize: 12, hideOverlap: true, formatter: (value) => format(value), ...axisLabel } });
}

/** Above the axis, where a rotated name would take width away. */
function top_name(name) {
  return { name, nameLocation: "end", nameGap: 10, nameTextStyle: { align: "left", padding: [0, 0, 0, -30], fontSize: 12 } };
}

function power_label(value) {
  const exponent = Math.round(Math.log10(value));
  return Math.abs(Math.log10(value) - exponent) < 1e-6 ? format(10 ** exponent) : "";
}

/** A legend above the plot. */
function legend(colours, data, extra = {}) {
  return { top: 0, left: 0, itemWidth: 14, itemHeight: 10, itemGap: 14, icon: "roundRect", type: "scroll", data,
    textStyle: { color: colours.text, fontSize: 12 }, pageTextStyle: { color: colours.muted }, ...extra };
}

/** A hover text, of text alone: a heading, and pairs. */
function tip(heading, pairs) {
  return element("div", { class: "tip" }, element("strong", {}, heading),
    ...pairs.filter(([, value]) => value !== "" && value !== null && value !== undefined)
      .map(([name, value]) => element("div", {}, element("span", {}, name), element("span", {}, value))));
}

/** Every cell of a row, as the table has it. */
function row_tip(part, heading, row) {
  return tip(heading, part.columns.map((column, i) => {
    const cell = row[i];
    return [column.title, typeof cell === "number" ? with_unit(cell, column.unit) : cell_text(cell)];
  }).filter(([, text]) => text !== heading));
}

function by_series(part) {
  const groups = new Map();
  for (const row of records(part)) {
    if (!groups.has(row.series)) groups.set(row.series, []);
    groups.get(row.series).push(row);
  }
  return groups;
}

/** A vertical line at the requirement's limit; an axis that reaches there, if that is not too far. */
function limit_line(part, colours, greatest) {
  if (typeof part.limit !== "number") return { max: null, line: undefined };
  const near = part.limit <= 3 * greatest;
  return {
    max: near && part.limit > greatest ? part.limit * 1.06 : null,
    line: !near ? undefined : {
      silent: true, symbol: "none", data: [{ xAxis: part.limit }],
      lineStyle: { color: colours.limit, width: 1.5, type: [6, 4] },
      label: { formatter: `limit ${with_unit(part.limit, "µs")}`, color: colours.limit, fontSize: 12, fontWeight: 600, position: "insideEndTop", rotate: 0, align: part.limit > 0.6 * greatest ? "right" : "left", distance: [6, 4], padding: [0, 6] },
    },
  };
}

function far_limit(part, greatest) {
  return typeof part.limit === "number" && part.limit > 3 * greatest
    ? `The limit of ${with_unit(part.limit, "µs")} lies far to the right of all this.` : "";
}

// ---- one function for each kind: (part, colours, width) to options ----

function draw_histogram(part, colours) {
  const groups = [...by_series(part)];
  const greatest = Math.max(...part.rows.map((row) => row[2]));
  const most = Math.max(...part.rows.map((row) => row[3]));
  const limit = limit_line(part, colours, greatest);
  const kGround = 0.6;  // below one sample, where an empty bin is drawn
  return {
    ...base_options(colours),
    grid: { left: 8, right: 24, top: groups.length > 1 ? 54 : 34, bottom: 28, containLabel: true },
    legend: groups.length > 1 ? legend(colours, groups.map(([name]) => name)) : undefined,
    tooltip: { ...base_options(colours).tooltip, trigger: "axis", axisPointer: { type: "line", lineStyle: { color: colours.axis } },
      formatter: (items) => {
        const [, from, below] = items[0].data.bin;
        return tip(`${format(from)} to ${with_unit(below, "µs")}`, items.map((item) => [item.seriesName, `${format(item.data.bin[3])} ${item.data.bin[3] === 1 ? "sample" : "samples"}`]));
      } },
    xAxis: value_axis(colours, "latency (µs)", { type: part.logarithmic ? "log" : "value", scale: true, max: limit.max ?? undefined, splitLine: { show: false },
      min: "dataMin", ...(part.logarithmic && limit.max === null ? { max: "dataMax" } : {}) }),
    yAxis: axis(colours, { type: "log", min: kGround, max: 10 ** Math.max(1, Math.ceil(Math.log10(most * 1.05))), ...top_name("samples"),
      axisLabel: { color: colours.muted, fontSize: 12, formatter: power_label } }),
    series: groups.map(([name, rows], i) => {
      const colour = i === 0 ? colours.simulated : colours.measured;
      const points = rows.map((row) => ({ value: [row.from, Math.max(row.n, kGround)], bin: [name, row.from, row.below, row.n] }));
      const last = rows.at(-1);
      points.push({ value: [last.below, kGround], bin: [name, last.from, last.below, last.n] });
      return { type: "line", name, step: "end", data: points, showSymbol: false, symbolSize: 5, lineStyle: { color: colour, width: 1.5 },
        itemStyle: { color: colour }, areaStyle: i === 0 ? { color: colour, opacity: 0.16, origin: "start" } : undefined, markLine: i === 0 ? limit.line : undefined };
    }),
  };
}

function draw_curve(beyond) {
  return (part, colours) => {
    const groups = [...by_series(part)];
    const greatest = Math.max(...part.rows.map((row) => row[1]));
    const limit = limit_line(part, colours, greatest);
    const least = Math.min(...part.rows.map((row) => row[2]).filter((share) => share > 0), 1);
    const share = (value) => beyond && value < 0.00099 ? `${format(1e6 * value)}${kThin}ppm` : `${Number((100 * value).toPrecision(4))}${kThin}%`;
    return {
      ...base_options(colours),
      grid: { left: 8, right: 24, top: groups.length > 1 ? 54 : 34, bottom: 28, containLabel: true },
      legend: groups.length > 1 ? legend(colours, groups.map(([name]) => name)) : undefined,
      tooltip: { ...base_options(colours).tooltip, trigger: "axis", axisPointer: { type: "line", lineStyle: { color: colours.axis } },
        formatter: (items) => tip(with_unit(items[0].data[0], "µs"), items.map((item) => [`${item.seriesName}: ${beyond ? "beyond" : "within"}`, share(item.data[2])])) },
      xAxis: value_axis(colours, "latency (µs)", { scale: true, max: limit.max ?? undefined, splitLine: { show: false } }),
      yAxis: beyond
        ? axis(colours, { type: "log", min: 10 ** Math.floor(Math.log10(least)), max: 1, ...top_name("share beyond"), axisLabel: { color: colours.muted, fontSize: 12, formatter: (value) => power_label(value) && share(value) } })
        : value_axis(colours, undefined, { ...top_name("share within"), min: 0, max: 1, axisLabel: { formatter: (value) => `${Math.round(100 * value)}${kThin}%` } }),
      series: groups.map(([name, rows], i) => {
        const colour = i === 0 ? colours.simulated : colours.measured;
        return { type: "line", name, step: "end", showSymbol: false, symbolSize: 5, lineStyle: { color: colour, width: 1.75 }, itemStyle: { color: colour },
          data: rows.map((row) => [row.value, beyond && row.share <= 0 ? least / 2 : row.share, row.share]), markLine: i === 0 ? limit.line : undefined };
      }),
    };
  };
}

const kNamedStages = 8;
/** No pattern; without one a series would get one of the library's own. */
const kPlain = { symbol: "rect", color: "transparent", dashArrayX: 1, dashArrayY: 1 };

function draw_stages(part, colours, width) {
  const rows = records(part);
  const bars = ["mean", "tail", "worst"].filter((key) => column_of(part, key));
  const size = (row) => Math.max(...bars.map((key) => row[key] ?? 0));
  const largest = [...rows].sort((a, b) => size(b) - size(a)).slice(0, kNamedStages).filter((row) => size(row) > 0);
  let small = 0;
  const named = [];
  const series = rows.filter((row) => size(row) > 0).map((row) => {
    const name = row.part === "work" ? row.stage : `${row.stage}: waits, ${row.part}`;
    const place = largest.indexOf(row);
    if (place >= 0) named.push(name);
    const colour = place >= 0 ? colours.series[named.length - 1] : colours.neutral[small++ % colours.neutral.length];
    return { type: "bar", name, stack: "time", barMaxWidth: 46, data: bars.map((key) => ({ value: row[key], row })), itemStyle: { color: colour, borderColor: colours.surface, borderWidth: place >= 0 ? 0.5 : 0,
      decal: row.part === "work" ? kPlain : hatch(colours) }, emphasis: { focus: "none", itemStyle: { opacity: 0.85 } } };
  });
  return {
    ...base_options(colours),
    aria: { enabled: true, decal: { show: true } },
    grid: { left: 8, right: 28, top: width < kNarrow ? 34 : 60, bottom: 28, containLabel: true },
    legend: legend(colours, named, width < kNarrow ? {} : { type: "plain", right: 0 }),
    tooltip: { ...base_options(colours).tooltip, trigger: "item", formatter: (item) => {
      const { row } = item.data;
      return tip(item.seriesName, [...bars.map((key) => [column_of(part, key).title, with_unit(row[key], "µs")]), ["longest for", row.blamed ?? ""]]);
    } },
    xAxis: value_axis(colours, "µs"),
    yAxis: axis(colours, { type: "category", inverse: true, data: bars.map((key) => column_of(part, key).title), axisTick: { show: false },
      axisLabel: { color: colours.text, fontSize: 13, width: width < kNarrow ? 82 : 170, overflow: "break" }, splitLine: { show: false } }),
    series,
  };
}

function draw_stacks(part, colours, width) {
  const rows = records(part);
  const name = part.columns[0].key;
  const titles = rows.map((row) => row[name]);
  return {
    ...base_options(colours),
    grid: { left: 8, right: 28, top: 34, bottom: 28, containLabel: true },
    legend: legend(colours, part.stack.map((key) => column_of(part, key).title)),
    tooltip: { ...base_options(colours).tooltip, trigger: "axis", axisPointer: { type: "shadow", shadowStyle: { opacity: 0.06 } },
      formatter: (items) => row_tip(part, titles[items[0].dataIndex], part.rows[items[0].dataIndex]) },
    xAxis: value_axis(colours, part.axis),
    yAxis: axis(colours, { type: "category", inverse: true, data: titles, axisTick: { show: false }, splitLine: { show: false },
      axisLabel: { color: colours.text, fontSize: 13, width: width < kNarrow ? 82 : 170, overflow: "truncate" } }),
    series: part.stack.map((key, i) => ({ type: "bar", stack: "all", name: column_of(part, key).title, barMaxWidth: 28, data: rows.map((row) => row[key]),
      itemStyle: { color: colours.series[i], borderColor: colours.surface, borderWidth: 0.5 } })),
  };
}

/** A band between two lines, as one shape. */
function band_series(rows, key, position, colour) {
  const held = rows.map((row, i) => [position(row, i), row[`${key}lo`], row[`${key}hi`]]).filter(([, lo, hi]) => lo !== null && hi !== null);
  if (held.length < 2) return [];
  return [{ type: "custom", silent: true, z: 1, data: [[held[0][0], held[0][1]]], tooltip: { show: false }, renderItem: (_, api) => ({
    type: "polygon", shape: { points: [...held.map(([x, , hi]) => api.coord([x, hi])), ...held.map(([x, lo]) => api.coord([x, lo])).reverse()] },
    style: { fill: colour, opacity: 0.15 } }) }];
}

/** From far apart on, a logarithmic axis. */
function spread_axis(values) {
  const least = Math.min(...values);
  const logarithmic = least > 0 && Math.max(...values) / least > 30;
  return logarithmic ? { type: "log" } : { type: "value", scale: least > 0.5 * Math.max(...values) };
}

function draw_lines(part, colours) {
  const rows = records(part);
  const numeric = part.axis.numeric && rows.length > 1;
  const values = part.lines.flatMap(({ key }) => rows.flatMap((row) => [row[key], row[`${key}lo`], row[`${key}hi`]])).filter((value) => typeof value === "number");
  const position = (row, i) => (numeric ? row.x : i);
  const many = rows.length > 60;
  const name = part.axis.unit ? `${part.axis.title} (${part.axis.unit})` : part.axis.title;
  return {
    ...base_options(colours),
    grid: { left: 8, right: 28, top: 58, bottom: 28, containLabel: true },
    legend: legend(colours, part.lines.map((line) => line.title)),
    tooltip: { ...base_options(colours).tooltip, trigger: "axis", axisPointer: { type: "line", lineStyle: { color: colours.axis } }, formatter: (items) => {
      const row = rows[items.find((item) => item.data?.row !== undefined)?.data.row ?? items[0].dataIndex];
      const range = (key) => typeof row[`${key}lo`] === "number" ? `  (${format(row[`${key}lo`])} … ${format(row[`${key}hi`])})` : "";
      return tip(`${part.axis.title} ${typeof row.x === "number" ? with_unit(row.x, part.axis.unit) : row.x}`,
        part.lines.map((line) => [line.title, `${with_unit(row[line.key], part.unit)}${range(line.key)}`]));
    } },
    xAxis: numeric ? value_axis(colours, name, { min: "dataMin", max: "dataMax", splitLine: { show: false } })
      : axis(colours, { type: "category", name, data: rows.map((row) => typeof row.x === "number" ? format(row.x) : row.x), splitLine: { show: false } }),
    yAxis: { ...value_axis(colours, undefined, top_name(part.unit)), ...(part.unit === "µs" ? spread_axis(values) : {}) },
    series: part.lines.flatMap(({ key, title }, i) => {
      const colour = colours.series[i % colours.series.length];
      return [...band_series(rows, key, position, colour),
        { type: "line", name: title, z: 3, data: rows.map((row, at) => ({ value: [position(row, at), row[key]], row: at })), showSymbol: !many, symbolSize: 7,
          symbol: ["circle", "rect", "triangle", "diamond", "roundRect", "pin"][i % 6], lineStyle: { color: colour, width: many ? 1.25 : 2 }, itemStyle: { color: colour } }];
    }),
  };
}

function draw_boxes(part, colours) {
  const rows = records(part);
  const name = part.axis.unit ? `${part.axis.title} (${part.axis.unit})` : part.axis.title;
  return {
    ...base_options(colours),
    grid: { left: 8, right: 24, top: 34, bottom: 28, containLabel: true },
    tooltip: { ...base_options(colours).tooltip, trigger: "item", formatter: (item) => row_tip(part, `${part.axis.title} ${cell_text(rows[item.dataIndex].x)}`, part.rows[item.dataIndex]) },
    xAxis: axis(colours, { type: "category", name, data: rows.map((row) => typeof row.x === "number" ? format(row.x) : row.x), splitLine: { show: false } }),
    yAxis: { ...value_axis(colours, undefined, top_name("µs")), ...spread_axis(rows.flatMap((row) => [row.min, row.max])) },
    series: [{ type: "boxplot", boxWidth: [6, 44], data: rows.map((row) => [row.min, row.lower, row.median, row.upper, row.max]),
      itemStyle: { color: `${colours.simulated}33`, borderColor: colours.simulated, borderWidth: 1.5 } }],
  };
}

function draw_map(part, colours, width, choice) {
  const figure = part.figures[choice] ?? part.figures[0];
  const rows = records(part);
  const values = rows.map((row) => row[figure.key]).filter((value) => typeof value === "number");
  const around = part.around !== undefined;
  const reach = Math.max(...values.map(Math.abs));
  const label = (column) => column_title(column_of(part, column));
  const cells = rows.length <= (width < kNarrow ? 25 : 120);
  return {
    ...base_options(colours),
    grid: { left: 8, right: 24, top: around ? 12 : 36, bottom: 76, containLabel: true },
    tooltip: { ...base_options(colours).tooltip, trigger: "item", formatter: (item) => row_tip(part, figure.title, part.rows[item.dataIndex]) },
    xAxis: axis(colours, { type: "category", name: around ? undefined : label("x"), data: part.xs, splitLine: { show: false }, axisTick: { show: false }, axisLabel: { color: colours.muted, width: 110, overflow: "truncate", hideOverlap: true } }),
    yAxis: axis(colours, { type: "category", ...(around ? {} : top_name(label("y"))), data: part.ys, splitLine: { show: false }, axisTick: { show: false }, axisLabel: { color: colours.muted, width: width < kNarrow ? 80 : 170, overflow: "truncate" } }),
    visualMap: { min: around ? -1 : Math.min(...values), max: around ? 1 : reach, calculable: false, orient: "horizontal", left: "center", bottom: 0, itemHeight: 160, itemWidth: 10,
      text: [with_unit(around ? 1 : Math.max(...values), part.unit), with_unit(around ? -1 : Math.min(...values), part.unit)], textStyle: { color: colours.muted }, inRange: { color: around ? colours.around : colours.ramp } },
    series: [{ type: "heatmap", data: rows.map((row) => [row.x, row.y, row[figure.key]]),
      label: { show: cells, formatter: (item) => format(item.data[2]), fontSize: 11 }, itemStyle: { borderColor: colours.surface, borderWidth: 1 }, emphasis: { itemStyle: { borderColor: colours.text } } }],
  };
}

function draw_front(part, colours) {
  const rows = part.rows.map((row, at) => ({ ...records({ ...part, rows: [row] })[0], at }));
  const known = rows.filter((row) => typeof row.x === "number" && typeof row.y === "number");
  const front = known.filter((row) => row.front === "yes").sort((a, b) => a.x - b.x);
  const point = (row) => ({ value: [row.x, row.y], at: row.at });
  return {
    ...base_options(colours),
    grid: { left: 8, right: 28, top: 58, bottom: 28, containLabel: true },
    legend: legend(colours, ["on the front", "beaten"], { icon: undefined }),
    tooltip: { ...base_options(colours).tooltip, trigger: "item", formatter: (item) => row_tip(part, item.seriesName, part.rows[item.data.at]) },
    xAxis: value_axis(colours, column_title(column_of(part, "x")), { scale: true, splitLine: { show: false } }),
    yAxis: { ...value_axis(colours, undefined, top_name(column_title(column_of(part, "y")))), ...spread_axis(known.map((row) => row.y)) },
    series: [
      { type: "scatter", name: "beaten", symbol: "circle", symbolSize: 7, itemStyle: { color: "transparent", borderColor: colours.axis, borderWidth: 1.5 }, data: known.filter((row) => row.front !== "yes").map(point) },
      { type: "line", name: "on the front", symbol: "diamond", symbolSize: 11, lineStyle: { color: colours.measured, width: 1.25, type: [4, 4] }, itemStyle: { color: colours.measured }, data: front.map(point) },
    ],
  };
}

const kTornadoRows = 15;

function draw_tornado(part, colours, width) {
  const rows = part.rows.slice(0, kTornadoRows);
  const key = (name) => part.columns.findIndex((column) => column.key === name);
  const bars = [["lo", "at its least", colours.series[1]], ["hi", "at its greatest", colours.series[0]]];
  return {
    ...base_options(colours),
    grid: { left: 8, right: 28, top: 34, bottom: 28, containLabel: true },
    legend: legend(colours, bars.map(([, title]) => title)),
    tooltip: { ...base_options(colours).tooltip, trigger: "axis", axisPointer: { type: "shadow", shadowStyle: { opacity: 0.06 } }, formatter: (items) => row_tip(part, rows[items[0].dataIndex][0], rows[items[0].dataIndex]) },
    xAxis: value_axis(colours, "change (µs)"),
    yAxis: axis(colours, { type: "category", inverse: true, data: rows.map((row) => row[0]), axisTick: { show: false }, axisLine: { show: false }, splitLine: { show: false },
      axisLabel: { color: colours.text, fontSize: 12, width: width < kNarrow ? 110 : 230, overflow: "truncate" } }),
    series: bars.map(([name, title, colour], i) => ({ type: "bar", name: title, stack: "swing", barMaxWidth: 16, itemStyle: { color: colour }, data: rows.map((row) => row[key(name)]),
      markLine: i > 0 ? undefined : { silent: true, symbol: "none", label: { show: false }, lineStyle: { color: colours.muted, type: "solid", width: 1 }, data: [{ xAxis: 0 }] } })),
  };
}

const kShownRatios = 24;

function draw_ratios(part, colours, width) {
  const rows = records(part);
  const ends = rows.flatMap((row) => [row.ratio, row.lo, row.hi]).filter((value) => typeof value === "number" && value > 0);
  const far = Math.min(20, Math.max(1.25, ...ends, ...ends.map((value) => 1 / value)));
  const logarithmic = far > 3;
  const [least, most] = logarithmic ? [1 / (far * 1.08), far * 1.08] : [Math.floor(10 * Math.min(...ends, 0.9)) / 10, Math.ceil(10 * Math.max(...ends, 1.1)) / 10];
  const colour = (row) => (row.inside.state === "good" ? colours.simulated : row.inside.state === "bad" ? colours.bad : colours.axis);
  const zoom = rows.length > kShownRatios;
  return {
    ...base_options(colours),
    grid: { left: 8, right: zoom ? 44 : 24, top: 12, bottom: 34, containLabel: true },
    tooltip: { ...base_options(colours).tooltip, trigger: "item", formatter: (item) => row_tip(part, rows[item.dataIndex].row, part.rows[item.dataIndex]) },
    xAxis: axis(colours, { type: logarithmic ? "log" : "value", name: "simulated / measured", min: least, max: most, axisLabel: { color: colours.muted, fontSize: 12, hideOverlap: true,
      formatter: logarithmic ? power_label : (value) => format(value) } }),
    yAxis: axis(colours, { type: "category", inverse: true, data: rows.map((row) => `${row.row} · ${row.figure}`), axisTick: { show: false }, splitLine: { show: false },
      axisLabel: { color: colours.text, fontSize: 12, width: width < kNarrow ? 120 : 290, overflow: "truncate", ellipsis: "…" } }),
    dataZoom: zoom ? [{ type: "slider", yAxisIndex: 0, right: 6, width: 14, startValue: 0, endValue: kShownRatios - 1, showDetail: false, brushSelect: false, borderColor: colours.line, fillerColor: `${colours.axis}55`, handleSize: 0, moveHandleSize: 0, showDataShadow: false }] : [],
    series: [
      { type: "custom", z: 2, data: rows.map((row, i) => [row.ratio, i]), encode: { x: 0, y: 1 }, renderItem: (_, api) => {
        const i = api.value(1);
        const row = rows[i];
        const [x, y] = api.coord([Math.min(Math.max(row.ratio, least), most), i]);
        const children = [];
        if (typeof row.lo === "number" && typeof row.hi === "number" && row.lo > 0) {
          const from = api.coord([Math.max(row.lo, least), i])[0];
          const to = api.coord([Math.min(row.hi, most), i])[0];
          children.push({ type: "line", shape: { x1: from, y1: y, x2: to, y2: y }, style: { stroke: colour(row), lineWidth: 5, opacity: 0.35, lineCap: "round" } });
        }
        const style = { fill: row.role === "fitted" ? colours.surface : colour(row), stroke: colour(row), lineWidth: 1.75 };
        children.push(row.inside.state === "bad"
          ? { type: "rect", x, y, rotation: Math.PI / 4, shape: { x: -4.5, y: -4.5, width: 9, height: 9 }, style }
          : { type: "circle", shape: { cx: x, cy: y, r: 4.5 }, style });
        return { type: "group", children };
      } },
      { type: "line", data: [], markLine: { silent: true, symbol: "none", label: { show: false }, lineStyle: { color: colours.muted, type: "solid", width: 1 }, data: [{ xAxis: 1 }] } },
    ],
  };
}

function draw_agreement(part, colours) {
  const rows = records(part);
  const ends = rows.flatMap((row) => [row.measured, row.predicted]);
  const least = 10 ** Math.floor(Math.log10(Math.min(...ends)));
  const most = 10 ** Math.ceil(Math.log10(Math.max(...ends)));
  const groups = [["inside", "good", "circle", colours.simulated], ["outside", "bad", "diamond", colours.bad], ["not judged", "open", "triangle", colours.muted]];
  const log_axis = (name, extra) => axis(colours, { type: "log", min: least, max: most, ...(name ? { name } : {}), axisLabel: { color: colours.muted, fontSize: 12, formatter: power_label, hideOverlap: true }, ...extra });
  return {
    ...base_options(colours),
    grid: { left: 8, right: 28, top: 58, bottom: 28, containLabel: true },
    legend: legend(colours, groups.map(([name]) => name), { icon: undefined }),
    tooltip: { ...base_options(colours).tooltip, trigger: "item", formatter: (item) => row_tip(part, rows[item.data.at].row, part.rows[item.data.at]) },
    xAxis: log_axis("measured (µs)"),
    yAxis: log_axis(undefined, top_name("simulated (µs)")),
    series: [
      ...groups.map(([name, state, symbol, colour]) => ({ type: "scatter", name, symbol, symbolSize: state === "bad" ? 11 : 9, itemStyle: { color: colour },
        data: rows.map((row, at) => ({ value: [row.measured, row.predicted], at, row })).filter(({ row }) => row.inside.state === state)
          .map(({ value, at, row }) => ({ value, at, itemStyle: row.role === "fitted" ? { color: "transparent", borderColor: colour, borderWidth: 1.75 } : { opacity: 0.85 } })) })),
      { type: "line", silent: true, symbol: "none", data: [[least, least], [most, most]], lineStyle: { color: colours.axis, width: 1, type: [4, 4] }, tooltip: { show: false } },
    ],
  };
}

/** Each cost's bounds from 0 to 1, in the logarithm where they are far apart. */
function draw_bounds(part, colours, width) {
  const rows = records(part);
  const place = (row, value) => {
    if (typeof value !== "number") return null;
    const far = row.lo > 0 && row.hi / row.lo > 10;
    const share = far ? Math.log(value / row.lo) / Math.log(row.hi / row.lo) : (value - row.lo) / (row.hi - row.lo);
    return Math.min(1, Math.max(0, share));
  };
  return {
    ...base_options(colours),
    grid: { left: 8, right: 28, top: 12, bottom: 28, containLabel: true },
    tooltip: { ...base_options(colours).tooltip, trigger: "item", formatter: (item) => row_tip(part, rows[item.dataIndex].name, part.rows[item.dataIndex]) },
    xAxis: value_axis(colours, "from the lower bound to the upper", { min: 0, max: 1, axisLabel: { formatter: (value) => (value === 0 ? "lower" : value === 1 ? "upper" : "") } }),
    yAxis: axis(colours, { type: "category", inverse: true, data: rows.map((row) => row.name), axisTick: { show: false }, splitLine: { show: false },
      axisLabel: { color: colours.text, fontSize: 12, width: width < kNarrow ? 110 : 230, overflow: "truncate" } }),
    series: [{ type: "custom", data: rows.map((row, i) => [place(row, row.value) ?? 0, i]), encode: { x: 0, y: 1 }, renderItem: (_, api) => {
      const i = api.value(1);
      const row = rows[i];
      const at = (value) => api.coord([value, i]);
      const [from, to] = [place(row, row.from), place(row, row.to)];
      const y = at(0)[1];
      const line = (a, b, style) => ({ type: "line", shape: { x1: at(a)[0], y1: y, x2: at(b)[0], y2: y }, style });
      const dot = (value, fill) => ({ type: "circle", shape: { cx: at(value)[0], cy: y, r: 5 }, style: { fill, stroke: colours.simulated, lineWidth: 1.75 } });
      return { type: "group", children: [
        line(0, 1, { stroke: colours.axis, lineWidth: 1.5 }),
        ...(from === null || to === null ? [] : [line(from, to, { stroke: colours.simulated, lineWidth: 9, opacity: 0.3 })]),
        ...(typeof row.before === "number" ? [dot(place(row, row.before), colours.surface)] : []),
        ...(typeof row.value === "number" ? [dot(place(row, row.value), colours.simulated)] : [])] };
    } }],
  };
}

/** Height in pixels; `half`: two of them side by side. */
const kPlots = {
  histogram: { draw: draw_histogram, height: () => 380 },
  cdf: { draw: draw_curve(false), half: true },
  ccdf: { draw: draw_curve(true), half: true },
  stages: { draw: draw_stages, height: (part) => 150 + 64 * ["mean", "tail", "worst"].filter((key) => column_of(part, key)).length },
  stacks: { draw: draw_stacks, height: (part) => 96 + 42 * Math.max(1, part.rows.length) },
  lines: { draw: draw_lines, height: () => 360 },
  boxes: { draw: draw_boxes },
  map: { draw: draw_map, height: (part) => Math.min(620, 190 + 34 * part.ys.length) },
  front: { draw: draw_front, height: () => 380 },
  tornado: { draw: draw_tornado, height: (part) => 96 + 30 * Math.min(kTornadoRows, Math.max(1, part.rows.length)) },
  ratios: { draw: draw_ratios, height: (part) => 90 + 25 * Math.min(kShownRatios, Math.max(1, part.rows.length)) },
  agreement: { draw: draw_agreement, height: () => 460 },
  bounds: { draw: draw_bounds, height: (part) => 80 + 40 * Math.max(1, part.rows.length) },
};
