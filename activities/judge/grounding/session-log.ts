/** A `search_text` call of this session and what it found. */
export interface LoggedSearch {
  /** `undefined`: every artifact. */
  readonly artifact?: string;
  readonly query: string;
  /** Artifacts whose visible text was searched. */
  readonly searched: readonly string[];
  /** Artifacts whose visible text has the query. */
  readonly found: readonly string[];
}

/** A page whose image went to the judge. */
export interface OpenedPage {
  readonly artifact: string;
  readonly page: number;
  readonly sha256: string;
}

/** What a session did, as far as the grounding check needs it. */
export interface SessionLog {
  readonly searches: readonly LoggedSearch[];
  readonly pages: readonly OpenedPage[];
}
