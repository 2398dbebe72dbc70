// Shades of a color: three for everybody, and ten with the feature "shades".
import { openLicense } from "./licensing.js"; // licet

const find = (id) => document.getElementById(id);

function showShades(count) {
  const shares = Array.from({ length: count }, (_, number) => (number + 1) / (count + 1));
  const color = find("color").value;
  find("shades").value = shares
    .map((share) => `color-mix(in srgb, ${color} ${Math.round(share * 100)}%, white)`)
    .join("\n");
}

function showLicense(message, shades) { // licet
  find("more").disabled = !shades; // licet
  find("message").value = message; // licet
} // licet

find("color").addEventListener("input", () => showShades(3));
find("more").addEventListener("click", () => showShades(10));
find("license").addEventListener("submit", (event) => { // licet
  event.preventDefault(); // licet
  void openLicense(event.target.elements.key.value, showLicense); // licet
}); // licet

showShades(3);
void openLicense(null, showLicense); // licet
