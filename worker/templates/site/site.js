"use strict";
// The slider through all game-turns, and the map that comes nearer. Without this the pages have links and whole pictures.
(function () {
  var strip = document.querySelector(".strip");
  var links = strip ? Array.prototype.slice.call(strip.querySelectorAll("a")) : [];
  if (links.length > 1) {
    var now = links.findIndex(function (a) { return a.getAttribute("aria-current") === "page"; });
    var box = document.createElement("div"), label = document.createElement("label"), input = document.createElement("input");
    var said = document.createElement("output"), go = document.createElement("a");
    box.className = "slider"; label.textContent = "Game-turn"; label.htmlFor = "turn"; input.id = "turn"; input.type = "range";
    input.min = 0; input.max = links.length - 1; input.value = now < 0 ? links.length - 1 : now;
    // Arrow keys choose, and Enter goes: each step by a page would take the focus away. A pointer that is let go goes at once.
    var tell = function () {
      said.textContent = links[input.value].title; input.setAttribute("aria-valuetext", links[input.value].title);
      go.href = links[input.value].getAttribute("href"); go.hidden = Number(input.value) === now;
    };
    var leave = function () { if (Number(input.value) !== now) { location.href = go.href; } };
    input.addEventListener("input", tell);
    input.addEventListener("pointerup", function () { setTimeout(leave, 0); });
    input.addEventListener("keydown", function (event) { if (event.key === "Enter") { leave(); } });
    go.textContent = "Open"; go.className = "go"; tell();
    box.append(label, input, said, go); strip.append(box);
  }
  document.querySelectorAll("figure.zoom").forEach(function (figure) {
    var link = figure.querySelector("a"), image = figure.querySelector("img");
    var pane = document.createElement("div"), tools = document.createElement("div");
    var scale = 1, x = 0, y = 0, from = null;
    tools.className = "tools"; pane.className = "pane"; pane.tabIndex = 0; pane.setAttribute("role", "group");
    pane.setAttribute("aria-label", "Map: plus and minus bring it nearer and farther, arrows move it");
    figure.insertBefore(tools, link); figure.insertBefore(pane, link);
    pane.append(image.closest("picture") || image); link.textContent = "The picture alone"; figure.querySelector("figcaption").append(" ", link, ".");
    function show() {
      var wide = pane.clientWidth, high = pane.clientHeight;
      x = Math.min(0, Math.max(wide - wide * scale, x)); y = Math.min(0, Math.max(high - high * scale, y));
      image.style.transform = "translate(" + x + "px," + y + "px) scale(" + scale + ")";
      pane.classList.toggle("near", scale > 1);
    }
    function nearer(by, px, py) {
      var next = Math.min(8, Math.max(1, scale * by)); by = next / scale;
      x = px - (px - x) * by; y = py - (py - y) * by; scale = next; show();
    }
    function middle(by) { nearer(by, pane.clientWidth / 2, pane.clientHeight / 2); }
    [["+", "Nearer", function () { middle(1.5); }], ["−", "Farther", function () { middle(1 / 1.5); }],
      ["All", "All of the map", function () { scale = 1; show(); }]].forEach(function (one) {
      var button = document.createElement("button");
      button.type = "button"; button.textContent = one[0]; button.setAttribute("aria-label", one[1]); button.addEventListener("click", one[2]);
      tools.append(button);
    });
    pane.addEventListener("wheel", function (event) {
      if (!event.ctrlKey && scale === 1) { return; }
      event.preventDefault();
      var at = pane.getBoundingClientRect();
      nearer(event.deltaY < 0 ? 1.2 : 1 / 1.2, event.clientX - at.left, event.clientY - at.top);
    }, { passive: false });
    pane.addEventListener("dblclick", function (event) {
      var at = pane.getBoundingClientRect();
      nearer(2, event.clientX - at.left, event.clientY - at.top);
    });
    pane.addEventListener("pointerdown", function (event) {
      if (scale > 1) { from = [event.clientX - x, event.clientY - y]; pane.setPointerCapture(event.pointerId); event.preventDefault(); }
    });
    pane.addEventListener("pointermove", function (event) { if (from) { x = event.clientX - from[0]; y = event.clientY - from[1]; show(); } });
    pane.addEventListener("pointerup", function () { from = null; });
    pane.addEventListener("pointercancel", function () { from = null; });
    pane.addEventListener("keydown", function (event) {
      var by = { ArrowLeft: [60, 0], ArrowRight: [-60, 0], ArrowUp: [0, 60], ArrowDown: [0, -60] }[event.key];
      if (event.key === "+" || event.key === "=") { middle(1.5); } else if (event.key === "-") { middle(1 / 1.5); }
      else if (event.key === "0" || event.key === "Escape") { scale = 1; show(); }
      else if (by && scale > 1) { x += by[0]; y += by[1]; show(); } else { return; }
      event.preventDefault();
    });
    window.addEventListener("resize", show);
  });
})();
