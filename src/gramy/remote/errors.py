"""What a client can be told instead of an answer."""

from __future__ import annotations

from gramy import text
from gramy.errors import GramyError
from gramy.messages import Message


class RemoteError(GramyError):
    """The server refused, or cannot be reached. `key` is that of the server's message, empty without one."""

    def __init__(self, message: Message, key: str = "", status: int = 0) -> None:
        super().__init__(message)
        self.key, self.status = key, status


class RemoteBotFailed(RemoteError):
    """The bot itself failed, so that it cannot go on at this table. A note has its traceback."""


def report_line(key: str, **values: object) -> Message:
    """Return a line of a running bot's report; its text is in the catalogue `remote`."""
    return Message(key, values, "remote")


def problem(key: str, **values: object) -> RemoteError:
    """Return an error of this client; its text is in the catalogue `remote`."""
    return RemoteError(report_line(key, **values))


def refused(message: Message, status: int = 0) -> RemoteError:
    """Return the error for a message of the server."""
    return RemoteError(Message("server_says", {"why": known(message)}, "remote"), message.key, status)


def known(message: Message) -> Message:
    """Return the message; if this version has no text for it, because the server is newer, its key as a text."""
    try:
        text.say(message)
    except (KeyError, OSError, GramyError):
        return Message("unknown_message", {"key": message.key}, "remote")
    return message
