// By default Vite makes classic workers, which cannot wait for a module to load.
export default { base: "./", worker: { format: "es" } };
