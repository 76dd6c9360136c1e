#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""A collector that answers wrongly, for a limited time.

usage: relay_stub.py PORT HOW

HOW is MAJOR.MINOR of the protocol; or "garbage"; "refuse", the session; "close", after the
session; "silent", no packet is ever written, and each question whether it is prints a line.
"""

import socket
import struct
import sys
import threading

HEADER = struct.Struct('>QQII')


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
    with connection:
        while True:
            _, size, request, _ = HEADER.unpack(take(connection, HEADER.size))
            take(connection, size)
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
                connection.sendall(struct.pack('>QI', 1, 10))
            elif request == 8:
                if how == 'silent':
                    print('asked', flush=True)
                connection.sendall(struct.pack('>I', how == 'silent'))
            elif request != 6:
                connection.sendall(struct.pack('>I', 10))


def serve(connection, how):
    """Answer until the other side has gone."""
    try:
        answer(connection, how)
    except (EOFError, OSError):
        pass


def swallow(connection):
    """Read packets."""
    try:
        while connection.recv(65536):
            pass
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
    data = threading.Thread(target=listen, args=(port + 1, swallow, ()), daemon=True)
    data.start()
    control = threading.Thread(target=listen, args=(port, serve, (how,)), daemon=True)
    control.start()
    control.join(60)


main()
