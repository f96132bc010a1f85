// Numbers as people read them, and elements made of text alone: whatever came from input is never parsed as HTML.
"use strict";

const kThin = "\u202f";
const kNothing = "–";

/** An element with attributes and children; strings become text. */
function element(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (value !== null && value !== undefined && value !== false) node.setAttribute(name, value);
  }
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
}

function grouped(digits) {
  const [whole, fraction] = digits.split(".");
  const apart = whole.replace("-", "").length > 4 ? whole.replace(/\B(?=(\d{3})+$)/g, kThin) : whole;
  return (fraction === undefined ? apart : `${apart}.${fraction}`).replace("-", "−");
}

/** Decimals that show a value to four digits, at most three; whole numbers need none. */
function decimals_for(value) {
  if (Number.isInteger(value) || value === 0) return 0;
  return Math.min(3, Math.max(0, 3 - Math.floor(Math.log10(Math.abs(value)))));
}

/** A number with as many decimals, or as it needs. Small ones keep their digits: 2.1·10⁻⁵. */
function format(value, decimals = decimals_for(value)) {
  if (typeof value !== "number") return kNothing;
  if (value !== 0 && Math.abs(value) < 0.0005) return value.toExponential(1).replace("e-", "·10⁻").replace(/\d+$/,
    (exponent) => [...exponent].map((digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[digit]).join(""));
  return grouped(value.toFixed(decimals));
}

function with_unit(value, unit) {
  return typeof value === "number" && unit ? `${format(value)}${kThin}${unit}` : format(value);
}

/** What a cell says. */
function cell_text(cell) {
  if (cell === null || cell === "") return "";
  if (typeof cell === "object") return cell.text;
  return typeof cell === "number" ? format(cell) : cell;
}

/** A column's title with its unit. */
function column_title(column) {
  return column.unit ? `${column.title} (${column.unit})` : column.title;
}

const kMarks = { good: "✓", bad: "✗", open: "○" };

/** A verdict as mark, colour and word: never as a colour alone. */
function chip(verdict) {
  return element("span", { class: `chip ${verdict.state}` },
    element("span", { "aria-hidden": "true" }, kMarks[verdict.state]), verdict.text);
}

/** The rows of a part as objects by the columns' keys. */
function records(part) {
  return part.rows.map((row) => Object.fromEntries(part.columns.map((column, i) => [column.key, row[i]])));
}

function column_of(part, key) {
  return part.columns.find((column) => column.key === key);
}
