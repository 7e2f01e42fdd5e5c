/** Byte offsets of C's `struct tm` as the Lua binary has it; each field is an i32. */
const SEC = 0;
const MIN = 4;
const HOUR = 8;
const MDAY = 12;
const MON = 16;
const YEAR = 20;
const WDAY = 24;
const YDAY = 28;
const ISDST = 32;

const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const MONTHS = 'January February March April May June July August September October November December'.split(' ');
const DAY_MS = 86_400_000;

/** Seconds since the epoch into a `struct tm`, in UTC: a guest has no time zone. */
export function writeTime(view: DataView, at: number, seconds: number): void {
  const date = new Date(seconds * 1000);
  const year = date.getUTCFullYear();
  view.setInt32(at + SEC, date.getUTCSeconds(), true);
  view.setInt32(at + MIN, date.getUTCMinutes(), true);
  view.setInt32(at + HOUR, date.getUTCHours(), true);
  view.setInt32(at + MDAY, date.getUTCDate(), true);
  view.setInt32(at + MON, date.getUTCMonth(), true);
  view.setInt32(at + YEAR, year - 1900, true);
  view.setInt32(at + WDAY, date.getUTCDay(), true);
  view.setInt32(at + YDAY, Math.floor((date.getTime() - Date.UTC(year, 0, 1)) / DAY_MS), true);
  view.setInt32(at + ISDST, 0, true);
}

/** The reverse, for `os.time{…}`; fields out of range are carried over, as C's mktime does. */
export function readTime(view: DataView, at: number): number {
  const field = (offset: number) => view.getInt32(at + offset, true);
  const date = new Date(0);
  date.setUTCFullYear(field(YEAR) + 1900, field(MON), field(MDAY));
  date.setUTCHours(field(HOUR), field(MIN), field(SEC));
  const seconds = Math.floor(date.getTime() / 1000);
  if (Number.isFinite(seconds)) writeTime(view, at, seconds);
  return Number.isFinite(seconds) ? seconds : -1;
}

/** C's strftime in the C locale and UTC, for the conversions `os.date` lets through. */
export function formatTime(view: DataView, at: number, format: string): string {
  const field = (offset: number) => view.getInt32(at + offset, true);
  const two = (value: number) => String(value).padStart(2, '0');
  const year = field(YEAR) + 1900;
  const hour = field(HOUR);
  const twelve = hour % 12 || 12;
  const [day, month] = [DAYS[field(WDAY)] ?? '?', MONTHS[field(MON)] ?? '?'];
  const week = (first: number) => Math.floor((field(YDAY) + 7 - ((field(WDAY) - first + 7) % 7)) / 7);
  const iso = isoWeek(year, field(MON), field(MDAY));
  const convert = (letter: string): string => {
    switch (letter) {
      case 'a':
        return day.slice(0, 3);
      case 'A':
        return day;
      case 'b':
      case 'h':
        return month.slice(0, 3);
      case 'B':
        return month;
      case 'c':
        return `${convert('a')} ${convert('b')} ${String(field(MDAY)).padStart(2)} ${convert('T')} ${year}`;
      case 'C':
        return two(Math.floor(year / 100));
      case 'd':
        return two(field(MDAY));
      case 'D':
      case 'x':
        return `${convert('m')}/${convert('d')}/${convert('y')}`;
      case 'e':
        return String(field(MDAY)).padStart(2);
      case 'F':
        return `${year}-${convert('m')}-${convert('d')}`;
      case 'g':
        return two(iso.year % 100);
      case 'G':
        return String(iso.year);
      case 'H':
        return two(hour);
      case 'I':
        return two(twelve);
      case 'j':
        return String(field(YDAY) + 1).padStart(3, '0');
      case 'm':
        return two(field(MON) + 1);
      case 'M':
        return two(field(MIN));
      case 'n':
        return '\n';
      case 'p':
        return hour < 12 ? 'AM' : 'PM';
      case 'r':
        return `${convert('I')}:${convert('M')}:${convert('S')} ${convert('p')}`;
      case 'R':
        return `${convert('H')}:${convert('M')}`;
      case 's':
        return String(readTime(view, at));
      case 'S':
        return two(field(SEC));
      case 't':
        return '\t';
      case 'T':
      case 'X':
        return `${convert('R')}:${convert('S')}`;
      case 'u':
        return String(field(WDAY) || 7);
      case 'U':
        return two(week(0));
      case 'V':
        return two(iso.week);
      case 'w':
        return String(field(WDAY));
      case 'W':
        return two(week(1));
      case 'y':
        return two(((year % 100) + 100) % 100);
      case 'Y':
        return String(year);
      case 'z':
        return '+0000';
      case 'Z':
        return 'UTC';
      default:
        return '%';
    }
  };
  return format.replace(/%[EO]?(.)/gs, (_, letter: string) => convert(letter));
}

function isoWeek(year: number, month: number, day: number): { year: number; week: number } {
  const date = new Date(Date.UTC(year, month, day));
  date.setUTCDate(date.getUTCDate() + 4 - (date.getUTCDay() || 7));
  const first = Date.UTC(date.getUTCFullYear(), 0, 1);
  return { year: date.getUTCFullYear(), week: Math.ceil(((date.getTime() - first) / DAY_MS + 1) / 7) };
}
