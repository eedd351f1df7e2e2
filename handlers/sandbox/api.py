"""The Web API: ``/api/METHOD``. Finds who calls, what may go wrong, and answers as Slack does."""

import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response

from handlers.sandbox import chat, conversations, directory, files, modals, uploads
from handlers.sandbox.arguments import Arguments
from handlers.sandbox.call import Call, Method
from handlers.sandbox.cut import Cut
from handlers.sandbox.faults import Fault, Faults
from handlers.sandbox.limits import RateLimits
from handlers.sandbox.records import Called, Json, Refused, Token
from handlers.sandbox.workspace import Workspace

METHODS: dict[str, Method] = {
    **chat.METHODS,
    **conversations.METHODS,
    **directory.METHODS,
    **files.METHODS,
    **modals.METHODS,
    **uploads.METHODS,
}
TOKEN_ERRORS = {"revoked": "token_revoked", "inactive": "account_inactive"}
Wait = Callable[[float, Request], Awaitable[None]]


@dataclass(slots=True)
class WebApi:
    workspace: Workspace
    faults: Faults
    limits: RateLimits
    wait: Wait

    async def answer(self, request: Request) -> Response:
        name = request.path_params["method"]
        body = await request.body()
        fault = self.faults.take(name)
        if fault is not None and (broken := await before(fault, request, self.wait)) is not None:
            status = fault.status or 500
            self._log(name, Arguments({}), error=fault.error or fault.mode, status=status)
            return broken
        answer = self._answer(name, request, body)
        if fault is not None and fault.is_after:
            return await failure(fault, request, self.wait)
        if fault is not None and fault.mode == "poor":
            return lacking(answer, fault.without)
        return answer

    def _answer(self, name: str, request: Request, body: bytes) -> Response:
        args = Arguments({})
        headers = {"x-slack-req-id": self.workspace.new_id("")}
        try:
            args = Arguments.parse(
                query=request.url.query,
                body=body,
                content_type=request.headers.get("content-type", ""),
            )
            method = known_method(name)
            with self.workspace.lock:
                now = self.workspace.clock()
                wait = self.limits.wait(name, method, args.text("channel"), now)
                if wait:
                    self._log(name, args, error="ratelimited", status=429)
                    return too_many(wait)
                token = self._caller(request, args, method)
                headers["x-oauth-scopes"] = ",".join(sorted(token.scopes))
                headers["x-accepted-oauth-scopes"] = ",".join(method.scopes)
                call = Call(
                    workspace=self.workspace,
                    faults=self.faults,
                    token=token,
                    args=args,
                    origin=str(request.base_url).rstrip("/"),
                )
                if method.scopes:
                    call.needs(*method.scopes)
                answer: Json = {"ok": True, **method.answer(call)}
        except Refused as refused:
            self._log(name, args, error=refused.code)
            return JSONResponse(
                {"ok": False, "error": refused.code, **refused.extra}, headers=headers
            )
        self._log(name, args)
        return JSONResponse(answer, headers=headers)

    def _caller(self, request: Request, args: Arguments, method: Method) -> Token:
        if method.open_to_all:
            return Token(value="", kind="bot", scopes=frozenset())
        bearer = request.headers.get("authorization", "")
        word, _, value = bearer.partition(" ")
        given = value.strip() if word.lower() == "bearer" else args.text("token")
        if not given:
            raise Refused("not_authed")
        token = self.workspace.tokens.get(given)
        if token is None:
            raise Refused("invalid_auth")
        if token.state in TOKEN_ERRORS:
            raise Refused(TOKEN_ERRORS[token.state])
        if token.kind != method.token:
            raise Refused("not_allowed_token_type")
        return token

    def _log(
        self, name: str, args: Arguments, *, error: str | None = None, status: int = 200
    ) -> None:
        shown = {key: value for key, value in args.items() if key != "token"}
        self.workspace.note_call(
            Called(
                method=name,
                args=shown,
                at=self.workspace.clock(),
                ok=error is None,
                error=error,
                status=status,
            )
        )


def known_method(name: str) -> Method:
    if name not in METHODS:
        raise Refused("unknown_method", req_method=name)
    return METHODS[name]


async def before(fault: Fault, request: Request, wait: Wait) -> Response | None:
    """The answer of a call that fails before its work; None to go on with the work."""
    if fault.is_after:
        return None
    if fault.mode == "slow":
        await wait(fault.seconds, request)
    if fault.mode in {"slow", "poor"}:
        return None
    return await failure(fault, request, wait)


async def failure(fault: Fault, request: Request, wait: Wait) -> Response:
    """The answer of a call that fails."""
    if fault.mode.startswith("timeout"):
        await wait(fault.seconds, request)
        return Cut()
    if fault.mode.startswith("drop"):
        return Cut()
    if fault.status == 429:
        return too_many(fault.retry_after)
    if fault.error is not None:
        return JSONResponse({"ok": False, "error": fault.error}, status_code=fault.status or 200)
    return PlainTextResponse("upstream connect error", status_code=fault.status or 500)


def lacking(answer: Response, key: str) -> Response:
    """The answer without one key, as a server gives it that implements only a part of Slack."""
    told = json.loads(bytes(answer.body))
    leave_out(told, *key.split("."))
    return JSONResponse(told, status_code=answer.status_code)


def leave_out(part: Any, name: str, *names: str) -> None:
    """Take what these names lead to away, from each where there is a list."""
    for each in part if isinstance(part, list) else [part]:
        if names:
            leave_out(each[name], *names)
        else:
            each.pop(name, None)


def too_many(seconds: int) -> Response:
    return JSONResponse(
        {"ok": False, "error": "ratelimited"},
        status_code=429,
        headers={"Retry-After": str(seconds)},
    )
