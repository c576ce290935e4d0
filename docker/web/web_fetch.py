"""Fetches one page of a host that this task grants, through the sandbox's only way out.

usage: web_fetch.py HOST/PATH [FILE]

The scheme may be left out; then it is https. Without FILE the content goes to standard output. Ends with 1 and the
reason on standard error when nothing was fetched or the server did not answer with success. Standard library only.
"""

import http.client
import sys
import urllib.parse

GATEWAY = ("127.0.0.1", 8080)
SAFE = "%/:=&?~#+!$,;'@()*[]"


def main(arguments):
    if len(arguments) not in (1, 2):
        sys.exit(__doc__)
    url = arguments[0] if "://" in arguments[0] else "https://" + arguments[0]
    # A gateway that is being replaced is waited for by the forwarder: no timeout of our own.
    connection = http.client.HTTPConnection(*GATEWAY)
    connection.request("GET", "/web/" + urllib.parse.quote(url, safe=SAFE))
    response = connection.getresponse()
    content = response.read()
    if not 200 <= response.status < 300:
        text = content[:2000].decode("utf-8", "replace")
        sys.exit(f"status {response.status}: {text}")
    if len(arguments) == 2:
        with open(arguments[1], "wb") as file:
            file.write(content)
        print(f"{len(content)} bytes, {response.getheader('content-type')}")
    else:
        sys.stdout.buffer.write(content)


if __name__ == "__main__":
    main(sys.argv[1:])
