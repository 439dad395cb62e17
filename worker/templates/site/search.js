"use strict";
// Finds the parts of the campaign in which all words stand. Without this the page is a list of all parts.
(function () {
  var index = window.hexpostIndex || [], box = document.getElementById("search"), input = document.getElementById("words");
  var list = document.getElementById("list"), found = document.getElementById("found"), title = document.getElementById("all");
  var all = Array.prototype.slice.call(list.children), most = 100;
  var texts = index.map(function (one) { return (one[1] + " " + one[2] + " " + one[3]).toLowerCase(); });
  function around(text, word) {
    var at = Math.max(0, text.toLowerCase().indexOf(word) - 70);
    return (at ? "… " : "") + text.slice(at, at + 200) + (text.length > at + 200 ? " …" : "");
  }
  function look() {
    var words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    list.textContent = "";
    if (!words.length) { list.append.apply(list, all); found.textContent = ""; title.textContent = "All game-turns"; return; }
    var hits = index.filter(function (_, n) { return words.every(function (word) { return texts[n].indexOf(word) >= 0; }); });
    title.textContent = "Found";
    found.textContent = hits.length + (hits.length === 1 ? " part" : " parts") + (hits.length > most ? ", the first " + most + " of them" : "");
    hits.slice(0, most).forEach(function (one) {
      var item = document.createElement("li"), link = document.createElement("a"), text = document.createElement("p");
      link.href = one[0]; link.textContent = one[1] + (one[2] ? " · " + one[2] : ""); text.textContent = around(one[3], words[0]);
      item.append(link, text); list.append(item);
    });
  }
  input.addEventListener("input", look);
  box.hidden = false;
})();
