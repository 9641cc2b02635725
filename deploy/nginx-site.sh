#!/usr/bin/env bash
# Write nginx.conf for your site to standard output:
#   nginx-site.sh NAME [SERVER...]     NAME as in https://NAME/; servers as ADDRESS:PORT (default 127.0.0.1:8484)
# The certificate is read from $CERTIFICATES (default: /etc/letsencrypt/live/NAME).
set -euo pipefail
name=${1:?usage: nginx-site.sh NAME [SERVER...]}
shift
[[ $name =~ ^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$ ]] || { echo "$name is not a host name in lower case" >&2; exit 1; }
certificates=${CERTIFICATES:-/etc/letsencrypt/live/$name}
for server in "${@:-127.0.0.1:8484}"; do
    [[ $server =~ ^[][A-Za-z0-9.:-]+:[0-9]+$ ]] || { echo "$server is not ADDRESS:PORT" >&2; exit 1; }
done
while IFS= read -r line; do
    case $line in
        *"server 127.0.0.1:8484"*) for server in "${@:-127.0.0.1:8484}"; do
            printf '%s\n' "${line/127.0.0.1:8484/"$server"}"
        done ;;
        *) line=${line//"/etc/letsencrypt/live/gramy.example.org"/"$certificates"}
           printf '%s\n' "${line//gramy.example.org/"$name"}" ;;
    esac
done < "$(dirname "$0")/nginx.conf"
