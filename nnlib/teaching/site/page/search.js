// The search of the site: headings and words of all lessons, fetched when somebody types.
const box = document.getElementById("search"), found = document.getElementById("found");
let entries = null;

box.addEventListener("input", async () => {
  const words = box.value.toLowerCase().split(/\s+/).filter(Boolean);
  entries ??= await (await fetch(new URL("search.json", import.meta.url))).json();
  const hits = words.length ? entries.filter(({ text }) => words.every((word) => text.toLowerCase().includes(word))) : [];
  const rank = ({ heading }) => Number(!words.every((word) => heading.toLowerCase().includes(word)));
  found.replaceChildren(...hits.sort((a, b) => rank(a) - rank(b)).slice(0, 12).map(({ page, anchor, heading, lesson }) => {
    const link = Object.assign(document.createElement("a"), { textContent: `${lesson}: ${heading}` });
    link.href = new URL(`${page}#${anchor}`, import.meta.url);
    const item = document.createElement("li");
    item.append(link);
    return item;
  }));
  document.getElementById("hits").textContent = words.length ? `${hits.length} places` : "";
});
