/** Templates and URIs longer than these are not matched. */
const MAX_TEMPLATE_CHARS = 2000;
const MAX_URI_CHARS = 8192;

/** What an expression stands for: characters but these, behind a mark with which it may be absent, else at least one. */
interface Expression {
  mark?: string;
  stops: string;
}

/** By operator (RFC 6570, 2.2): `+` and `#` values may hold slashes; the others end where reserved characters begin. */
const EXPRESSIONS: Record<string, Expression> = {
  '+': { stops: '' },
  '#': { mark: '#', stops: '' },
  '/': { mark: '/', stops: '?#' },
  '?': { mark: '?', stops: '#' },
  '&': { mark: '&', stops: '#' },
  '.': { mark: '.', stops: '/?#' },
  ';': { mark: ';', stops: '/?#' },
};
const PLAIN: Expression = { stops: '/?#' };

/**
 * Whether a URI can come from a URI template (RFC 6570): each expression stands for anything its operator allows. All ways
 * are followed at once, place by place: a regular expression would try them one after another, and a client chooses the URI.
 */
export function matchesTemplate(template: string, uri: string): boolean {
  if (template.length > MAX_TEMPLATE_CHARS || uri.length > MAX_URI_CHARS) return false;
  // By place in the URI: whether what is before it can come from the parts so far.
  let reached = new Uint8Array(uri.length + 1);
  reached[0] = 1;
  for (const [index, part] of template.split(/\{([^}]*)\}/).entries()) {
    if (part === '' && index % 2 === 0) continue;
    const operator = part[0] ?? '';
    const expression = Object.hasOwn(EXPRESSIONS, operator) ? EXPRESSIONS[operator]! : PLAIN;
    reached = index % 2 === 0 ? afterLiteral(part, uri, reached) : afterExpression(expression, uri, reached);
  }
  return reached[uri.length] === 1;
}

function afterLiteral(text: string, uri: string, from: Uint8Array): Uint8Array<ArrayBuffer> {
  const after = new Uint8Array(from.length);
  for (let at = 0; at < from.length; at++) if (from[at] && uri.startsWith(text, at)) after[at + text.length] = 1;
  return after;
}

function afterExpression({ mark, stops }: Expression, uri: string, from: Uint8Array): Uint8Array<ArrayBuffer> {
  const after = mark === undefined ? new Uint8Array(from.length) : Uint8Array.from(from);
  let inside = false;
  for (let at = 0; at < uri.length; at++) {
    const letter = uri[at]!;
    const goesOn: boolean = !stops.includes(letter) && (inside || (mark === undefined && from[at] === 1));
    inside = goesOn || (letter === mark && from[at] === 1);
    if (inside) after[at + 1] = 1;
  }
  return after;
}
