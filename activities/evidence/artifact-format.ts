import { type ArtifactFormat } from '../../core/evidence-view';

/** Extensions of each format; what a file is, its content tells. */
const EXTENSIONS: Readonly<Partial<Record<ArtifactFormat, string>>> = {
  xlsx: 'xlsx xlsm xltx xltm xlsb xls xlt et ett ods ots fods',
  docx: 'docx docm dotx dotm doc dot wps wpt odt ott fodt rtf',
  pptx: 'pptx pptm ppsx ppsm potx potm ppt pps pot dps odp otp fodp',
  pdf: 'pdf',
  csv: 'csv tsv tab',
  markdown: 'md markdown mdown mkd',
  html: 'html htm xhtml mht mhtml',
  notebook: 'ipynb',
  json: 'json jsonl ndjson geojson',
  yaml: 'yaml yml',
  xml: 'xml xsd xsl xslt kml gpx rss atom',
  email: 'eml msg',
  image:
    'png jpg jpeg jpe jfif gif webp bmp dib tif tiff svg svgz avif heic heif emf wmf psd ico cur',
  archive: 'zip tar gz tgz bz2 tbz2 xz txz zst tzst 7z rar jar whl',
  text: 'txt text log out nfo',
};

/** Languages of code by the extension of its files. */
const LANGUAGES: Readonly<Record<string, string>> = {
  Python: 'py pyw',
  JavaScript: 'js mjs cjs jsx',
  TypeScript: 'ts mts cts tsx',
  SQL: 'sql',
  R: 'r rmd',
  Shell: 'sh bash zsh',
  PowerShell: 'ps1',
  Batch: 'bat cmd',
  LaTeX: 'tex bib sty',
  Java: 'java',
  Kotlin: 'kt kts',
  C: 'c h',
  'C++': 'cpp cc cxx hpp hh',
  'C#': 'cs',
  Go: 'go',
  Rust: 'rs',
  Ruby: 'rb',
  PHP: 'php',
  Perl: 'pl pm',
  Swift: 'swift',
  Scala: 'scala',
  Lua: 'lua',
  Julia: 'jl',
  MATLAB: 'm',
  Stata: 'do',
  SAS: 'sas',
  'Visual Basic': 'vb vba bas cls',
  CSS: 'css scss less',
  TOML: 'toml',
  INI: 'ini cfg conf properties env',
  DOT: 'gv',
  Mermaid: 'mmd',
  Verilog: 'v sv',
  VHDL: 'vhd vhdl',
  HCL: 'tf',
  'Protocol Buffers': 'proto',
  GraphQL: 'graphql',
  Vue: 'vue',
};

const BY_EXTENSION = byExtension(EXTENSIONS) as ReadonlyMap<string, ArtifactFormat>;
const LANGUAGE_BY_EXTENSION = byExtension(LANGUAGES);
/** Code files that have no extension. */
const LANGUAGE_BY_NAME: ReadonlyMap<string, string> = new Map([
  ['makefile', 'Make'],
  ['dockerfile', 'Dockerfile'],
]);

function byExtension(table: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(table).flatMap(([name, extensions]) =>
      extensions.split(' ').map((extension) => [extension, name] as const),
    ),
  );
}

function extensionOf(path: string): string {
  return /\.([^./]+)$/u.exec(path)?.[1]?.toLowerCase() ?? '';
}

/** The language that a code file's name promises; `undefined` for other files. */
export function languageOfName(path: string): string | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  return LANGUAGE_BY_NAME.get(name) ?? LANGUAGE_BY_EXTENSION.get(extensionOf(path));
}

/** The format that a file's name promises; what the file is, the renderer finds out. */
export function formatOfName(path: string): ArtifactFormat {
  return (
    BY_EXTENSION.get(extensionOf(path)) ?? (languageOfName(path) === undefined ? 'other' : 'code')
  );
}
