#!/usr/bin/env bash
# Packs how this machine fetches packages (apt, pip, proxies, certificates) into OUT.tar.gz.
# A build gets that file as the secret "hostcfg" and with-hostcfg uses it, so no address,
# credential or certificate of the building machine is in a file here or in an image.
# usage: hostcfg.sh OUT.tar.gz
set -euo pipefail

out=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work"/apt/{sources.list.d,auth.conf.d,apt.conf.d,keyrings}

# The sources only where this machine is what the images are; else the image's own are used.
# Debian's own alone: another party's source whose key the image lacks would fail apt-get update.
if grep -qs '^VERSION_CODENAME=bookworm' /etc/os-release && grep -qs '^ID=debian' /etc/os-release; then
  if [ -f /etc/apt/sources.list ]; then cp /etc/apt/sources.list "$work/apt/"; fi
  for file in /etc/apt/sources.list.d/debian*.list /etc/apt/sources.list.d/debian*.sources; do
    if [ -f "$file" ]; then cp "$file" "$work/apt/sources.list.d/"; fi
  done
  for file in /etc/apt/keyrings/*; do
    if [ -f "$file" ]; then cp "$file" "$work/apt/keyrings/"; fi
  done
fi
if [ -f /etc/apt/auth.conf ]; then cp /etc/apt/auth.conf "$work/apt/auth.conf.d/main.conf"; fi
for file in /etc/apt/auth.conf.d/*; do
  if [ -f "$file" ]; then cp "$file" "$work/apt/auth.conf.d/"; fi
done
# Of apt's settings those about fetching; paths of this machine mean nothing in a build.
if command -v apt-config >/dev/null; then
  apt-config dump | grep -E '^Acquire::(http|https|ftp|Check-|Retries|ForceIPv4)' |
    grep -vE 'CaInfo|CaPath' >"$work/apt/apt.conf.d/acquire" || true
fi

certificates=${SSL_CERT_FILE:-/etc/ssl/certs/ca-certificates.crt}
if [ -f "$certificates" ]; then cp "$certificates" "$work/ca.crt"; fi

# pip's effective settings, from files and PIP_* variables, the first of each name.
{
  echo '[global]'
  python3 -m pip config list 2>/dev/null |
    sed -nE "s/^(:env:|global|user|site)\.(index-url|extra-index-url|trusted-host|proxy|default-timeout|timeout|retries)='(.*)'$/\2 = \3/p" |
    awk -F ' = ' '!seen[$1]++'
} >"$work/pip.conf" || true

env | grep -iE '^(https?|no|all|ftp)_proxy=' | sed "s/'/'\\\\''/g; s/=\(.*\)/='\1'/" >"$work/proxy.env" || true
tar -C "$work" -czf "$out" .
