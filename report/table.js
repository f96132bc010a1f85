// Tables: the rows of a part, sortable, and as a CSV file.
"use strict";

function is_numeric(part, index) {
  let some = false;
  for (const row of part.rows) {
    if (typeof row[index] === "number") some = true;
    else if (row[index] !== null) return false;
  }
  return some;
}

/** Decimals that all of a column's numbers have, so that their points stand below each other. */
function column_decimals(part, index) {
  let decimals = 0;
  for (const row of part.rows) {
    const value = row[index];
    if (typeof value === "number" && Math.abs(value) >= 0.0005) decimals = Math.max(decimals, decimals_for(value));
  }
  return decimals;
}

function cell_node(part, index, decimals) {
  return (row) => {
    const cell = row[index];
    if (cell === null) return kNothing;
    if (typeof cell === "object") return chip(cell);
    return typeof cell === "number" ? format(cell, decimals) : cell;
  };
}

/** What cells are sorted by: numbers as numbers, and before words; nothing last, in either direction. */
function compare_cells(a, b, direction) {
  const empty = (cell) => cell === null || cell === "";
  if (empty(a) || empty(b)) return empty(a) - empty(b);
  if (typeof a === "number" && typeof b === "number") return direction * (a - b);
  return direction * String(cell_text(a)).localeCompare(String(cell_text(b)), "en", { numeric: true });
}

function make_table(part) {
  const numeric = part.columns.map((_, i) => is_numeric(part, i));
  const printers = part.columns.map((_, i) => cell_node(part, i, numeric[i] ? column_decimals(part, i) : 0));
  const long = part.columns.map((_, i) => !numeric[i] && part.rows.some((row) => String(cell_text(row[i])).length > 28));
  const body = element("tbody");
  const line = (row) => element("tr", {}, ...part.columns.map((_, i) =>
    element("td", { class: numeric[i] ? "number" : long[i] ? "long" : null }, printers[i](row))));
  const fill = (rows) => body.replaceChildren(...rows.map(line));
  const headers = part.columns.map((column, i) => {
    const header = element("th", { scope: "col", "aria-sort": "none", class: numeric[i] ? "number" : null },
      element("button", { type: "button", onclick: () => sort(i) }, column_title(column)));
    return header;
  });
  // Ascending, descending, and as it came.
  let sorted = { by: -1, direction: 0 };
  const sort = (by) => {
    const direction = sorted.by !== by ? 1 : sorted.direction === 1 ? -1 : 0;
    sorted = { by: direction === 0 ? -1 : by, direction };
    headers.forEach((header, i) => header.setAttribute("aria-sort",
      i !== sorted.by ? "none" : direction > 0 ? "ascending" : "descending"));
    fill(direction === 0 ? part.rows : [...part.rows].sort((a, b) => compare_cells(a[by], b[by], direction)));
  };
  fill(part.rows);
  return element("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": part.title },
    element("table", {}, element("caption", {}, part.title), element("thead", {}, element("tr", {}, ...headers)), body));
}

function csv_field(cell) {
  const text = cell === null ? "" : typeof cell === "object" ? cell.text : String(cell);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** RFC 4180, with line feeds. */
function to_csv(part) {
  const lines = [part.columns.map(column_title), ...part.rows];
  return lines.map((line) => line.map(csv_field).join(",") + "\n").join("");
}

function download(name, type, text) {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = element("a", { href: url, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
}

function csv_button(part) {
  return element("button", { type: "button", class: "quiet", onclick: () =>
    download(`${part.id}.csv`, "text/csv;charset=utf-8", to_csv(part)) }, "Download CSV");
}

/** The rows behind a plot, made when they are asked for. */
function folded_table(part, word) {
  const details = element("details", { class: "data" },
    element("summary", {}, `${word} (${format(part.rows.length)} ${part.rows.length === 1 ? "row" : "rows"})`));
  details.addEventListener("toggle", () => {
    if (details.open && details.childElementCount === 1) details.append(make_table(part));
  });
  return element("div", { class: "behind" }, details, csv_button(part));
}
