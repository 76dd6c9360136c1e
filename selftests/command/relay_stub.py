#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""A collector that answers wrongly, for a limited time.

usage: relay_stub.py PORT HOW

HOW is MAJOR.MINOR of the protocol; or "garbage"; "refuse", the session; "close", after the
session; "silent", no packet is ever written, and each question whether it is prints a line;
"full", of a disk with room for 6 MB: no packet is written when it is first asked for;
"info", which never writes files of that folder.
"""

import socket
import struct
import sys
import threading

HEADER = struct.Struct('>QQII')
ROOM = 6 << 20


def take(connection, size):
    """Return the next bytes."""
    data = b''
    while len(data) < size:
        more = connection.recv(size - len(data))
        if not more:
            raise EOFError
        data += more
    return data


def answer(connection, how):
    """Answer the requests of a connection."""
    asked = set()
    streams = []
    with connection:
        while True:
            _, size, request, _ = HEADER.unpack(take(connection, HEADER.size))
            payload = take(connection, size)
            if how == 'garbage':
                connection.sendall(b'HTTP/1.1 400 Bad Request\r\n')
                return
            if request == 5:
                major, minor = how.split('.') if '.' in how else (2, 13)
                connection.sendall(struct.pack('>II', int(major), int(minor)))
            elif request == 2:
                connection.sendall(struct.pack('>QII', 1, 153 if how == 'refuse' else 10, 0))
                if how == 'close':
                    return
            elif request == 1:
                streams.append(payload)
                connection.sendall(struct.pack('>QI', len(streams), 10))
            elif request == 8:
                if how == 'silent':
                    print('asked', flush=True)
                number = struct.unpack_from('>Q', payload)[0]
                pending = (how == 'silent' or (how == 'full' and payload not in asked) or
                           (how == 'info' and b'/info' in streams[number - 1]))
                asked.add(payload)
                connection.sendall(struct.pack('>I', pending))
            elif request != 6:
                connection.sendall(struct.pack('>I', 10))


def serve(connection, how):
    """Answer until the other side has gone."""
    try:
        answer(connection, how)
    except (EOFError, OSError):
        pass


def swallow(connection, how):
    """Read packets, and leave if there is no more room for them."""
    room = ROOM if how == 'full' else sys.maxsize
    try:
        with connection:
            while room > 0 and (data := connection.recv(65536)):
                room -= len(data)
    except OSError:
        pass


def listen(port, function, args):
    """Accept connections."""
    server = socket.create_server(('127.0.0.1', port))
    while True:
        connection, _ = server.accept()
        threading.Thread(target=function, args=(connection, *args), daemon=True).start()


def main():
    """Serve for a minute."""
    port, how = int(sys.argv[1]), sys.argv[2]
    data = threading.Thread(target=listen, args=(port + 1, swallow, (how,)), daemon=True)
    data.start()
    control = threading.Thread(target=listen, args=(port, serve, (how,)), daemon=True)
    control.start()
    control.join(60)


main()
