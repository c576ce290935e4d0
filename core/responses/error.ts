/** HTTP statuses that errors inside a reply or a stream would have had. */
const STATUSES: ReadonlyMap<string, number> = new Map(
  Object.entries({
    server_error: 500,
    rate_limit_exceeded: 429,
    vector_store_timeout: 504,
    insufficient_quota: 429,
    context_length_exceeded: 400,
    invalid_prompt: 400,
    data_residency_mismatch: 400,
    bio_policy: 400,
    invalid_image: 400,
    invalid_image_format: 400,
    invalid_base64_image: 400,
    invalid_image_url: 400,
    image_too_large: 400,
    image_too_small: 400,
    image_parse_error: 400,
    image_content_policy_violation: 400,
    invalid_image_mode: 400,
    image_file_too_large: 400,
    unsupported_image_media_type: 400,
    empty_image_file: 400,
    failed_to_download_image: 400,
    image_file_not_found: 400,
  }),
);

/** The status for an error code of the Responses API; undefined for a code that is not known. */
export function statusOfResponseError(code: unknown): number | undefined {
  return typeof code === 'string' ? STATUSES.get(code) : undefined;
}
