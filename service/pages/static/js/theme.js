// Dark or light: as the device says, until somebody chooses. Loaded before the page is drawn.
(() => {
  const root = document.documentElement;
  const light = window.matchMedia("(prefers-color-scheme: light)");
  const stored = () => {
    try {
      return localStorage.getItem("foursight-theme");
    } catch {
      return null; // storage may be switched off
    }
  };
  const apply = () => {
    root.dataset.theme = stored() ?? (light.matches ? "light" : "dark");
  };
  apply();
  light.addEventListener("change", apply);
  document.addEventListener("click", (event) => {
    if (!event.target.closest("[data-toggle-theme]")) return;
    try {
      localStorage.setItem("foursight-theme", root.dataset.theme === "dark" ? "light" : "dark");
    } catch {
      root.dataset.theme = root.dataset.theme === "dark" ? "light" : "dark";
      return;
    }
    apply();
  });
})();
