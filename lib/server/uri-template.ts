/** Templates longer than this are not matched. */
const MAX_TEMPLATE_CHARS = 2000;

/** Whether a URI can come from a URI template (RFC 6570): each expression stands for anything its operator allows. */
export function matchesTemplate(template: string, uri: string): boolean {
  if (template.length > MAX_TEMPLATE_CHARS) return false;
  const parts = template.split(/(\{[^}]*\})/);
  const pattern = parts.map((part) => (part.startsWith('{') ? expression(part[1] ?? '') : literal(part))).join('');
  return new RegExp(`^${pattern}$`, 's').test(uri);
}

/** `+` and `#` values may hold slashes; the others end where reserved characters begin. */
function expression(operator: string): string {
  switch (operator) {
    case '+':
      return '.+?';
    case '#':
      return '(?:#.*?)?';
    case '/':
      return '(?:/[^?#]*?)?';
    case '?':
      return '(?:\\?[^#]*?)?';
    case '&':
      return '(?:&[^#]*?)?';
    case '.':
      return '(?:\\.[^/?#]*?)?';
    case ';':
      return '(?:;[^/?#]*?)?';
    default:
      return '[^/?#]+?';
  }
}

function literal(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
}
