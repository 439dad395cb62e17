"""Amazon SES, a receipt rule with an SNS action: JSON of SNS around JSON of SES, whose ``content`` is the raw message.

A notification is believed if its topic is one of ours and its signature is that of a certificate that SNS itself serves: the URL's host is
looked at before anything is fetched. A subscription to a topic of ours is confirmed by itself, with the same care.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlsplit

from cryptography import x509
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric import padding, rsa
from cryptography.hazmat.primitives.hashes import SHA1, SHA256, HashAlgorithm

from services.http import Problem
from services.mail.hooks.common import Call, Delivery, check_age, json_object, refused, texts, unusable

Fetch = Callable[[str], bytes]
"""Gets an https URL, without following it elsewhere. OSError if it cannot be had."""
_HOST = re.compile(r"sns\.[a-z]{2,4}(?:-[a-z]{2,12}){1,3}-[0-9]\.amazonaws\.com(?:\.cn)?\Z")
_HASHES: dict[str, Callable[[], HashAlgorithm]] = {"1": SHA1, "2": SHA256}
_SIGNED = {
    "Notification": ("Message", "MessageId", "Subject", "Timestamp", "TopicArn", "Type"),
    "SubscriptionConfirmation": ("Message", "MessageId", "SubscribeURL", "Timestamp", "Token", "TopicArn", "Type"),
    "UnsubscribeConfirmation": ("Message", "MessageId", "SubscribeURL", "Timestamp", "Token", "TopicArn", "Type"),
}
_VERDICTS = {"PASS": "pass", "FAIL": "fail", "GRAY": "none", "PROCESSING_FAILED": "temperror"}


def read(call: Call, topics: str, fetch: Fetch) -> Delivery | None:
    """The message of a call, or None where it was a subscription's. ``topics``: the ARNs of our topics, with commas between.

    Problem 401 if it is not SNS's, 403 if it is of another topic, 422 without a raw message, 502 where SNS cannot be asked.
    """
    outer = json_object(call.body)
    kind, topic, stamp = texts(outer, "Type", "TopicArn", "Timestamp")
    if topic not in [one.strip() for one in topics.split(",")]:
        raise Problem(403, "unknown-topic", "This topic is not among those of the setting hook_ses.")
    _check_signature(outer, kind, fetch, call.now)
    check_age(_seconds(stamp), call.now)
    if kind == "SubscriptionConfirmation":
        (url,) = texts(outer, "SubscribeURL")
        _get(_sns_url(url), fetch)
        return None
    if kind != "Notification":
        return None
    return _message(outer)


def _check_signature(outer: dict[str, Any], kind: str, fetch: Fetch, now: float) -> None:
    url, signature, version = texts(outer, "SigningCertURL", "Signature", "SignatureVersion")
    if kind not in _SIGNED or version not in _HASHES:
        raise unusable("Type or SignatureVersion is none that is known.")
    if not urlsplit(_sns_url(url)).path.endswith(".pem"):
        raise refused("SigningCertURL names no certificate of SNS.")
    signed = "".join(f"{name}\n{texts(outer, name)[0]}\n" for name in _SIGNED[kind] if name != "Subject" or outer.get(name) is not None)
    try:
        certificate = x509.load_pem_x509_certificate(_get(url, fetch))
        key = certificate.public_key()
        if not isinstance(key, rsa.RSAPublicKey) or certificate.not_valid_after_utc.timestamp() < now:
            raise ValueError("not RSA, or out of date")
        key.verify(base64.b64decode(signature, validate=True), signed.encode(), padding.PKCS1v15(), _HASHES[version]())
    except (InvalidSignature, binascii.Error, ValueError):
        raise refused("The signature is not that of SNS over this notification.") from None


def _sns_url(url: str) -> str:
    """``url`` if SNS itself serves it. Problem 401 if not: nothing is fetched from anywhere else."""
    try:
        parts = urlsplit(url)
        good = parts.scheme == "https" and parts.netloc == parts.hostname and bool(_HOST.match(parts.netloc))
    except ValueError:
        good = False
    if not good or not url.isascii() or not url.isprintable() or "\\" in url:
        raise refused("A URL in the notification is not one of SNS.")
    return url


def _get(url: str, fetch: Fetch) -> bytes:
    try:
        return fetch(url)
    except OSError:
        raise Problem(502, "sns-away", "SNS does not serve what the notification names; it will be delivered again.") from None


def _seconds(stamp: str) -> float:
    try:
        return datetime.fromisoformat(stamp).astimezone(UTC).timestamp()
    except ValueError:
        raise refused("The time of the signature is missing or no time.") from None


def _message(outer: dict[str, Any]) -> Delivery:
    number, message = texts(outer, "MessageId", "Message")
    inner = json_object(message.encode())
    if inner.get("notificationType") == "Received" and _action(inner).get("type") == "S3":
        raise unusable("The message lies in S3, which is not read from here: let the receipt rule have an SNS action (encoding BASE64).")
    if inner.get("notificationType") != "Received" or "content" not in inner:
        raise unusable("There is no content: let the receipt rule have an SNS action, which brings the message itself (encoding BASE64).")
    (content,) = texts(inner, "content")
    receipt = inner.get("receipt") if isinstance(inner.get("receipt"), dict) else {}
    assert isinstance(receipt, dict)
    try:
        packed = _action(inner).get("encoding") == "BASE64"
        raw = base64.b64decode(content, validate=True) if packed else content.encode()
    except binascii.Error:
        raise unusable("content is not the base64 that its action says.") from None
    recipients = receipt.get("recipients")
    named = tuple(one for one in recipients if isinstance(one, str)) if isinstance(recipients, list) else ()
    return Delivery(number.encode(), raw, named, _results(receipt))


def _action(inner: dict[str, Any]) -> dict[str, Any]:
    receipt = inner.get("receipt")
    action = receipt.get("action") if isinstance(receipt, dict) else None
    return action if isinstance(action, dict) else {}


def _results(receipt: dict[str, Any]) -> str:
    """The verdicts of SES. Its DKIM may be that of any domain: it proves the sender only where DMARC passed."""
    found = {name: _VERDICTS.get(_status(receipt.get(f"{name}Verdict")), "none") for name in ("spf", "dkim", "dmarc")}
    if found["dkim"] == "pass" and found["dmarc"] != "pass":
        found["dkim"] = "neutral"
    return "; ".join(f"{name}={result}" for name, result in found.items())


def _status(verdict: Any) -> str:
    return str(verdict.get("status")) if isinstance(verdict, dict) else ""
