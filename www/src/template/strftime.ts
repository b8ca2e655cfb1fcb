/** Formats times as Python's `strftime` does in the C locale, for the function `strftime_now` of chat templates. */

const MONTHS = "January February March April May June July August September October November December".split(" ");
const DAYS = "Sunday Monday Tuesday Wednesday Thursday Friday Saturday".split(" ");

const two = (value: number) => String(value).padStart(2, "0");
const dayOfYear = (time: Date) =>
  Math.round(
    (Date.UTC(time.getFullYear(), time.getMonth(), time.getDate()) - Date.UTC(time.getFullYear(), 0, 1)) / 864e5,
  ) + 1;

const FIELDS: Readonly<Record<string, (time: Date) => string>> = {
  a: (time) => (DAYS[time.getDay()] ?? "").slice(0, 3),
  A: (time) => DAYS[time.getDay()] ?? "",
  b: (time) => (MONTHS[time.getMonth()] ?? "").slice(0, 3),
  B: (time) => MONTHS[time.getMonth()] ?? "",
  d: (time) => two(time.getDate()),
  e: (time) => String(time.getDate()).padStart(2, " "),
  D: (time) => strftime(time, "%m/%d/%y"),
  F: (time) => strftime(time, "%Y-%m-%d"),
  H: (time) => two(time.getHours()),
  I: (time) => two(time.getHours() % 12 || 12),
  j: (time) => String(dayOfYear(time)).padStart(3, "0"),
  m: (time) => two(time.getMonth() + 1),
  M: (time) => two(time.getMinutes()),
  p: (time) => (time.getHours() < 12 ? "AM" : "PM"),
  S: (time) => two(time.getSeconds()),
  T: (time) => strftime(time, "%H:%M:%S"),
  w: (time) => String(time.getDay()),
  y: (time) => two(time.getFullYear() % 100),
  Y: (time) => String(time.getFullYear()),
  "%": () => "%",
};

/** A format with unknown fields keeps them. `%-d` leaves out the padding. */
export function strftime(time: Date, format: string): string {
  return format.replace(/%(-?)(.)/gs, (whole, bare: string, field: string) => {
    const text = Object.hasOwn(FIELDS, field) ? FIELDS[field]?.(time) : undefined;
    if (text === undefined) return whole;
    return bare === "" ? text : text.replace(/^[0 ]+(?=.)/, "");
  });
}
