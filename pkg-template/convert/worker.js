// A worker of a page that converts rows of tensors.

import { answerTo } from "./worker-jobs.js";

addEventListener("message", ({ data }) => {
  const { message, transfer } = answerTo(data);
  postMessage(message, { transfer });
});
