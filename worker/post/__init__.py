"""Mails: taken in, known by their headers, judged, answered and sent."""
