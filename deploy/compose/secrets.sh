#!/bin/sh
# Draws the secrets of compose.yaml that are not there yet, into secrets/. Those of your mail server you write in yourself.
# With the word "trial": also a certificate authority and a certificate for the trial mail server, and a password for its mailbox.
set -eu
cd "$(dirname "$0")"
mkdir -p secrets
chmod 700 secrets
for name in token database_password broker_password smtp_password; do
    # Readable by all inside the containers, whose user is another; the folder keeps everybody else on this machine out.
    [ -s "secrets/$name" ] || openssl rand -hex 24 >"secrets/$name"
done
printf 'requirepass %s\nsave ""\n' "$(cat secrets/broker_password)" >secrets/broker_settings
[ -s secrets/hook ] || printf 'whsec_%s\n' "$(openssl rand -base64 24)" >secrets/hook
if [ "${1:-}" = trial ] && [ ! -s secrets/trial_key ]; then
    openssl req -x509 -newkey rsa:2048 -nodes -days 365 -subj "/CN=hexpost trial" -keyout secrets/trial_ca_key -out secrets/smtp_ca
    openssl req -newkey rsa:2048 -nodes -subj "/CN=mail.club.example" -keyout secrets/trial_key -out secrets/trial_request
    printf 'subjectAltName=DNS:mail.club.example\nextendedKeyUsage=serverAuth\n' >secrets/trial_extensions
    openssl x509 -req -in secrets/trial_request -CA secrets/smtp_ca -CAkey secrets/trial_ca_key -CAcreateserial -days 365 \
        -extfile secrets/trial_extensions -out secrets/trial_certificate
fi
for name in smtp_ca trial_certificate trial_key; do
    [ -e "secrets/$name" ] || : >"secrets/$name"
done
chmod 644 secrets/*
echo "The secrets are in $PWD/secrets."
