"""Security headers of all responses: they limit what the page may load and forbid showing it in a frame."""

POLICY = "; ".join(
    (
        "default-src 'self'",
        "script-src 'self' 'wasm-unsafe-eval'",  # the engine on the visitor's device is WebAssembly
        "worker-src 'self'",
        "style-src 'self' 'unsafe-inline'",  # boards are drawn with lengths in style attributes
        "img-src 'self' data:",
        "connect-src 'self'",
        "object-src 'none'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    )
)

HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-embedder-policy": "require-corp",  # with the opener policy, it allows the engine several threads
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
}
"""Security headers by name; names are in lower case, as ASGI requires."""


def with_headers(headers: list[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
    """Return a response's headers with the security headers added or replaced."""
    ours = {name.encode(): value.encode() for name, value in HEADERS.items()}
    return [(name, value) for name, value in headers if name.lower() not in ours] + list(ours.items())
