import { refusalText } from "../gguf/error-texts.ts";
import type { Failure } from "../gguf/failure.ts";
import type { Notice } from "../summary/facts.ts";

/** The notice that the edited file cannot be saved, with the reason. */
export function obstacleNotice(failure: Failure): Notice {
  if (failure.code === "truncated") {
    return {
      title: "This file is truncated. Changes to it cannot be saved.",
      text: "The file ends before the data of its tensors. A saved copy would look complete although data is missing. You can still try changes and check them here.",
    };
  }
  return { title: "The changes cannot be saved at present.", text: refusalText(failure) };
}
