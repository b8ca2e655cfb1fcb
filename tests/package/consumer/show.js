/**
 * Shows the results of the page and of a worker in the title of the page.
 *
 * @param {Promise<string>} seen
 * @param {Worker} [worker]
 */
export async function show(seen, worker) {
  const answer =
    worker &&
    new Promise((resolve, reject) => {
      worker.onmessage = ({ data }) => resolve(data);
      worker.onerror = ({ message }) => reject(new Error(`in the worker: ${message}`));
    });
  document.title = await Promise.all([seen, answer]).then((all) => all.join(" ").trim(), String);
}
