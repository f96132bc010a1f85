// Colours of both themes. Series take those of Okabe and Ito, which people who see red and green alike can tell apart;
// in the dark they are lighter. Source: M. Okabe, K. Ito, Color Universal Design (2008).
"use strict";

const kThemes = {
  light: {
    text: "#1b1f24", muted: "#5c6570", line: "#e4e6ea", axis: "#b9bfc7", surface: "#ffffff",
    series: ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#8a6d00", "#6a51a3"],
    good: "#00795a", bad: "#c44e00", neutral: ["#c9ced6", "#dde1e6"], simulated: "#0072b2", measured: "#d55e00",
    limit: "#c44e00", hatch: "rgba(255,255,255,0.75)",
    ramp: ["#fdf3c4", "#e5c35c", "#8a8678", "#4a5a7b", "#00204d"], around: ["#b35806", "#f7f7f5", "#2b6ca3"],
  },
  dark: {
    text: "#e7e9ec", muted: "#9ba5b1", line: "#2a3038", axis: "#4a535e", surface: "#181c22",
    series: ["#4aa8e0", "#f0b43c", "#2fbf97", "#e09ac4", "#93d1f5", "#f2814a", "#c9ab3d", "#a894dc"],
    good: "#43c9a3", bad: "#ff9460", neutral: ["#4b5460", "#3a424c"], simulated: "#4aa8e0", measured: "#f2814a",
    limit: "#ff9460", hatch: "rgba(10,12,15,0.7)",
    ramp: ["#0c2550", "#4a5a7b", "#8a8678", "#d9b84f", "#fdeea0"], around: ["#e08a3c", "#2a3038", "#5aa6dd"],
  },
};

const kFont = 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif';
const kDarkness = matchMedia("(prefers-color-scheme: dark)");

function theme_name() {
  return document.documentElement.dataset.theme ?? (kDarkness.matches ? "dark" : "light");
}

function palette() {
  return kThemes[theme_name()];
}

/** Waiting is hatched. */
function hatch(colours) {
  return { symbol: "rect", dashArrayX: [1, 0], dashArrayY: [2, 3], rotation: -Math.PI / 4, color: colours.hatch };
}
