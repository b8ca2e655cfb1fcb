// Vite's workers are classic scripts otherwise, which cannot wait for a module.
export default { base: "./", worker: { format: "es" } };
