"""Calls of the webhooks as the providers make them, signed with keys that are made here."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any

from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa
from cryptography.hazmat.primitives.hashes import SHA1, SHA256
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from cryptography.x509.oid import NameOID
from flask.testing import FlaskClient

from services.mail.app import create_hooks_app
from services.mail.config import Config
from services.mail.spool import Spool

SERVER, ADDRESS = "mx.hexpost.example", "orders@hexpost.example"
TO = "orders+g1-t01-abcd@hexpost.example"
RAW = (
    f"Received: by provider\r\nFrom: Ann <ann@mail.example.org>\r\nTo: {TO}\r\nSubject: orders\r\nMessage-ID: <1@mail.example.org>\r\n"
    "Content-Type: text/plain; charset=iso-8859-1\r\nContent-Transfer-Encoding: 8bit\r\n\r\nMOVE 21PZ 0310\r\n# f\xfcr Ann\r\n"
).encode("latin-1")
NOW = 1_780_000_000.0
MAILGUN_KEY = "key-0123456789abcdef"
POSTMARK_LOGIN = "hexpost:a long password"
TOPIC = "arn:aws:sns:eu-west-1:123456789012:orders"
SNS = "sns.eu-west-1.amazonaws.com"
SECRET = "whsec_" + base64.b64encode(bytes(range(24))).decode()
BOUNDARY = "xYzZY"


@cache
def sendgrid_key() -> ec.EllipticCurvePrivateKey:
    return ec.generate_private_key(ec.SECP256R1())


@cache
def sns_key() -> rsa.RSAPrivateKey:
    return rsa.generate_private_key(65537, 2048)


@cache
def sns_certificate(days: int = 30) -> bytes:
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "sns.amazonaws.com")])
    made = datetime.fromtimestamp(NOW, UTC)
    built = x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(sns_key().public_key()).serial_number(1)
    built = built.not_valid_before(made - timedelta(100)).not_valid_after(made + timedelta(days))
    return built.sign(sns_key(), SHA256()).public_bytes(Encoding.PEM)


class Net:
    """The net as SNS's hosts: what was fetched, and what they serve."""

    def __init__(self) -> None:
        self.fetched: list[str] = []
        self.serves = {f"https://{SNS}/SimpleNotificationService-1.pem": sns_certificate()}

    def __call__(self, url: str) -> bytes:
        self.fetched.append(url)
        if url.startswith(f"https://{SNS}/?Action=ConfirmSubscription"):
            return b"<ConfirmSubscriptionResponse/>"
        try:
            return self.serves[url]
        except KeyError:
            raise OSError("404") from None


class Door:
    """The webhooks, every one open. ``now`` can be set."""

    def __init__(self, folder: Path) -> None:
        self.net = Net()
        self.now = NOW
        key = sendgrid_key().public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
        env = {"HEXPOST_SPOOL": str(folder), "HEXPOST_SERVER": SERVER, "HEXPOST_ADDRESS": ADDRESS, "HEXPOST_SERVICE_TOKEN": "t"}
        env |= {"HEXPOST_HOOK_MAILGUN": MAILGUN_KEY, "HEXPOST_HOOK_POSTMARK": POSTMARK_LOGIN, "HEXPOST_HOOK_SES": TOPIC}
        env |= {"HEXPOST_HOOK_SENDGRID": base64.b64encode(key).decode(), "HEXPOST_HOOK_ORDERS": SECRET}
        self.config = Config.from_env(env)
        self.spool = Spool(folder)
        self.client: FlaskClient = create_hooks_app(self.config, self.net, lambda: self.now).test_client()

    def post(self, hook: str, body: bytes, headers: dict[str, str]) -> tuple[int, Any]:
        answer = self.client.post(f"/v1/hooks/{hook}", data=body, headers=headers)
        return answer.status_code, answer.get_json(force=True)

    def forget(self) -> None:
        """As at the first call."""
        self.now, self.net.fetched, self.net.serves = NOW, [], Net().serves
        for one in self.spool.waiting(50, 10**9):
            self.spool.remove(one.id)

    def spooled(self) -> list[bytes]:
        return [one.raw for one in self.spool.waiting(50, 10**9)]


Call = tuple[bytes, dict[str, str]]


def form(fields: dict[str, bytes | str]) -> Call:
    """A multipart form."""
    body = b""
    for name, value in fields.items():
        data = value.encode() if isinstance(value, str) else value
        body += f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n'.encode() + data + b"\r\n"
    return body + f"--{BOUNDARY}--\r\n".encode(), {"Content-Type": f"multipart/form-data; boundary={BOUNDARY}"}


def mailgun(raw: bytes = RAW, token: str = "2b90a03befc0b98ae2b641b0080850cada918a2d2f670e0141", stamp: float = NOW, **more: str) -> Call:
    """A route's forward to a URL that ends in ``mime``."""
    signature = hmac.new(MAILGUN_KEY.encode(), f"{stamp:.0f}{token}".encode(), hashlib.sha256).hexdigest()
    fields: dict[str, bytes | str] = {"recipient": TO, "sender": "bounce@mail.example.org", "from": "Ann <ann@mail.example.org>"}
    fields |= {"subject": "orders", "body-mime": raw, "timestamp": f"{stamp:.0f}", "token": token, "signature": signature}
    return form(fields | more)


def postmark(raw: bytes = RAW, login: str = POSTMARK_LOGIN, number: str = "22c74902-a0c1-4511-804f-341342852c90", **more: Any) -> Call:
    """The inbound webhook, with the raw message."""
    full = {"Email": "ann@mail.example.org", "Name": "Ann", "MailboxHash": ""}
    body: dict[str, Any] = {"FromName": "Ann", "MessageStream": "inbound", "From": "ann@mail.example.org", "FromFull": full, "To": TO}
    body |= {
        "Cc": "",
        "Bcc": "",
        "ToFull": [{"Email": TO, "Name": "", "MailboxHash": "g1-t01-abcd"}],
        "OriginalRecipient": TO,
        "Subject": "orders",
    }
    body |= {"MessageID": number, "ReplyTo": "", "MailboxHash": "g1-t01-abcd", "Date": "Fri, 27 Mar 2026 21:14:09 +0100"}
    body |= {"TextBody": "MOVE 21PZ 0310", "HtmlBody": "", "StrippedTextReply": "", "Tag": "", "Headers": [], "Attachments": []}
    body |= {"RawEmail": raw.decode("latin-1")} | more
    headers = {"Authorization": "Basic " + base64.b64encode(login.encode()).decode(), "Content-Type": "application/json"}
    return json.dumps({key: value for key, value in body.items() if value is not None}).encode(), headers


def sendgrid(raw: bytes = RAW, stamp: float = NOW, dkim: str = "{@mail.example.org : pass}", **more: bytes | str) -> Call:
    """Inbound Parse with the raw message, under a security policy with signature."""
    fields: dict[str, bytes | str] = {"email": raw, "to": TO, "from": "Ann <ann@mail.example.org>", "sender_ip": "192.0.2.1"}
    fields |= {"subject": "orders", "dkim": dkim, "SPF": "pass", "charsets": '{"to":"UTF-8"}', "spam_score": "0.1"}
    fields |= {"envelope": json.dumps({"to": [TO], "from": "bounce@mail.example.org"})}
    body, headers = form({key: value for key, value in (fields | more).items() if value != ""})
    return body, headers | sendgrid_signature(body, f"{stamp:.0f}")


def sendgrid_signature(body: bytes, stamp: str) -> dict[str, str]:
    signature = sendgrid_key().sign(stamp.encode() + body, ec.ECDSA(SHA256()))
    words = base64.b64encode(signature).decode()
    return {"X-Twilio-Email-Event-Webhook-Signature": words, "X-Twilio-Email-Event-Webhook-Timestamp": stamp}


def received(raw: bytes = RAW, encoding: str = "BASE64", **verdicts: str) -> str:
    """What SES says of a mail, as JSON."""
    content = base64.b64encode(raw).decode() if encoding == "BASE64" else raw.decode()
    found = {"spf": "PASS", "dkim": "PASS", "dmarc": "PASS", "spam": "PASS", "virus": "PASS"} | verdicts
    receipt: dict[str, Any] = {"timestamp": "2026-05-28T20:26:40.000Z", "processingTimeMillis": 222, "recipients": [TO]}
    receipt |= {f"{name}Verdict": {"status": status} for name, status in found.items()}
    receipt |= {"action": {"type": "SNS", "topicArn": TOPIC, "encoding": encoding}}
    mail = {"timestamp": "2026-05-28T20:26:40.000Z", "source": "bounce@mail.example.org", "messageId": "d6iitobk75ur44p8kdnnp7g2n800"}
    mail |= {"destination": [TO], "headersTruncated": False, "headers": [], "commonHeaders": {"subject": "orders"}}
    return json.dumps({"notificationType": "Received", "mail": mail, "receipt": receipt, "content": content})


def sns(message: str, version: str = "2", host: str = SNS, **more: Any) -> Call:
    """A notification of SNS, signed."""
    body: dict[str, Any] = {"Type": "Notification", "MessageId": "22b80b92-fdea-4c2c-8f9d-bdfb0c7bf324", "TopicArn": TOPIC}
    body |= {"Subject": "Amazon SES Email Receipt Notification", "Message": message, "Timestamp": "2026-05-28T20:26:40.123Z"}
    body |= {"SignatureVersion": version, "SigningCertURL": f"https://{host}/SimpleNotificationService-1.pem"} | more
    names = ["Message", "MessageId", "Subject", "SubscribeURL", "Timestamp", "Token", "TopicArn", "Type"]
    signed = "".join(f"{name}\n{body[name]}\n" for name in names if name in body and not (name == "Subject" and "Token" in body))
    signature = sns_key().sign(signed.encode(), padding.PKCS1v15(), SHA1() if version == "1" else SHA256())
    body["Signature"] = base64.b64encode(signature).decode()
    return json.dumps(body).encode(), {"Content-Type": "text/plain; charset=UTF-8", "x-amz-sns-message-type": body["Type"]}


def signed(body: bytes, number: str = "msg_1", stamp: float = NOW, secret: str = SECRET) -> Call:
    """A call after Standard Webhooks."""
    key = base64.b64decode(secret.removeprefix("whsec_"))
    words = base64.b64encode(hmac.new(key, f"{number}.{stamp:.0f}.".encode() + body, hashlib.sha256).digest()).decode()
    headers = {"webhook-id": number, "webhook-timestamp": f"{stamp:.0f}", "webhook-signature": f"v1a,AAAA v1,{words}"}
    return body, headers | {"Content-Type": "application/json"}


def orders(text: str = "MOVE 21PZ 0310\nDONE", number: str = "msg_1", stamp: float = NOW, **data: str) -> Call:
    """Orders of a player by the generic hook."""
    told = {"from": "ann@mail.example.org", "to": TO, "text": text} | data
    return signed(json.dumps({"type": "orders", "timestamp": "2026-05-28T20:26:40Z", "data": told}).encode(), number, stamp)
