const find = (id) => document.getElementById(id);
const show = (message) => (find("message").value = message);

find("export").addEventListener("click", async () => {
  show(await window.notes.export(find("text").value));
});
find("license").addEventListener("submit", (event) => { // licet
  event.preventDefault(); // licet
  window.notes.useKey(event.target.elements.key.value); // licet
});
window.notes.onLicense(show); // licet
