"""Amazon SES by SNS: whose notifications are believed, what is fetched for that, and what their verdicts become."""

from __future__ import annotations

from typing import Any

import pytest

from services.mail.message import read_message
from tests.mail import hooked
from tests.mail.hooked import SERVER, SNS, TOPIC, Call, Door


@pytest.mark.parametrize(
    ("verdicts", "stamp"),
    [
        ({}, "spf=pass; dkim=pass; dmarc=pass"),
        ({"dmarc": "FAIL", "dkim": "FAIL", "spf": "GRAY"}, "spf=none; dkim=fail; dmarc=fail"),
        ({"dmarc": "GRAY"}, "spf=pass; dkim=neutral; dmarc=none"),
        ({"dmarc": "PROCESSING_FAILED", "dkim": "GRAY"}, "spf=pass; dkim=none; dmarc=temperror"),
    ],
)
def test_the_verdicts_of_ses_become_our_stamp(door: Door, verdicts: dict[str, str], stamp: str) -> None:
    door.post("ses", *hooked.sns(hooked.received(**verdicts)))
    assert read_message(door.spooled()[0]).first("authentication-results") == f"{SERVER}; {stamp}"


@pytest.mark.parametrize("version", ["1", "2"])
def test_both_signatures_of_sns_are_known(door: Door, version: str) -> None:
    assert door.post("ses", *hooked.sns(hooked.received(), version))[0] == 200


def test_sns_of_another_topic_is_refused_before_anything_is_fetched(door: Door) -> None:
    status, problem = door.post("ses", *hooked.sns(hooked.received(), TopicArn=TOPIC + "2"))
    assert (status, problem["code"]) == (403, "unknown-topic")
    assert door.net.fetched == []


@pytest.mark.parametrize(
    "host",
    [
        "sns.eu-west-1.amazonaws.com.evil.example",
        "evil.example/sns.eu-west-1.amazonaws.com",
        "sns.eu-west-1.amazonaws.com@evil.example",
        "sns.eu-west-1.amazonaws.com:8443",
        "s3.eu-west-1.amazonaws.com",
        "evil-sns.eu-west-1.amazonaws.com",
        "sns.evil.amazonaws.com",
        "169.254.169.254",
        "sns.eu-west-1.amazonaws.com\\@evil.example",
        "[",
    ],
)
def test_a_certificate_of_any_other_host_is_not_fetched(door: Door, host: str) -> None:
    door.net.serves = {f"https://{host}/SimpleNotificationService-1.pem": hooked.sns_certificate()}
    status, problem = door.post("ses", *hooked.sns(hooked.received(), host=host))
    assert (status, problem["code"]) == (401, "bad-signature")
    assert door.net.fetched == []


@pytest.mark.parametrize("url", [f"http://{SNS}/SimpleNotificationService-1.pem", f"https://{SNS}/?Action=x", f"ftp://{SNS}/a.pem"])
def test_a_certificate_comes_by_https_and_is_one(door: Door, url: str) -> None:
    assert door.post("ses", *hooked.sns(hooked.received(), SigningCertURL=url))[0] == 401
    assert door.net.fetched == []


def test_a_certificate_that_is_out_of_date_or_none_is_not_believed(door: Door) -> None:
    url = f"https://{SNS}/SimpleNotificationService-1.pem"
    for served in (hooked.sns_certificate(-1), b"-----BEGIN CERTIFICATE-----", b""):
        door.net.serves = {url: served}
        assert door.post("ses", *hooked.sns(hooked.received()))[0] == 401
    door.net.serves = {}
    assert door.post("ses", *hooked.sns(hooked.received()))[0] == 502
    assert door.spooled() == []


def confirmation(url: str, **more: Any) -> Call:
    told = "You have chosen to subscribe to the topic."
    return hooked.sns(told, Type="SubscriptionConfirmation", Token="2336412f37", SubscribeURL=url, **more)


def test_a_subscription_to_a_topic_of_ours_is_confirmed(door: Door) -> None:
    url = f"https://{SNS}/?Action=ConfirmSubscription&TopicArn={TOPIC}&Token=2336412f37"
    assert door.post("ses", *confirmation(url)) == (200, {"status": "confirmed"})
    assert door.net.fetched[-1] == url
    assert door.spooled() == []


def test_a_subscription_to_another_topic_or_at_another_host_is_not(door: Door) -> None:
    url = f"https://{SNS}/?Action=ConfirmSubscription&Token=2336412f37"
    assert door.post("ses", *confirmation(url, TopicArn="arn:aws:sns:eu-west-1:999999999999:theirs"))[0] == 403
    assert door.post("ses", *confirmation("https://evil.example/?Action=ConfirmSubscription"))[0] == 401
    assert [one for one in door.net.fetched if "Action" in one] == []


def test_an_unsubscription_is_taken_note_of_and_not_undone(door: Door) -> None:
    url = f"https://{SNS}/?Action=ConfirmSubscription&Token=2336412f37"
    call = hooked.sns("You have chosen to deactivate.", Type="UnsubscribeConfirmation", Token="2336412f37", SubscribeURL=url)
    assert door.post("ses", *call) == (200, {"status": "confirmed"})
    assert [one for one in door.net.fetched if "Action" in one] == []
