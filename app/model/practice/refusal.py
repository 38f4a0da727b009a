"""How does the Messages API say no? One error, with the API's own kind, status and body."""

from pydantic import JsonValue

KINDS = {
    400: "invalid_request_error",
    401: "authentication_error",
    402: "billing_error",
    403: "permission_error",
    404: "not_found_error",
    413: "request_too_large",
    429: "rate_limit_error",
    500: "api_error",
    504: "timeout_error",
    529: "overloaded_error",
}


class Refusal(Exception):
    """The request is not answered; `status` and `message` are what the caller reads."""

    def __init__(self, message: str, status: int = 400) -> None:
        super().__init__(message)
        self.message = message
        self.status = status


def error_body(status: int, message: str, request_id: str) -> JsonValue:
    """The body that the SDK turns into the error class of this status."""
    kind = KINDS.get(status, "api_error" if status >= 500 else "invalid_request_error")
    return {"type": "error", "error": {"type": kind, "message": message}, "request_id": request_id}
