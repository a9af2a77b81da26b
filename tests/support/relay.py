"""A port of 127.0.0.1 in front of another one: with TLS, or as a proxy that leads every name there. Says its port."""
import socket
import ssl
import sys
import threading


def pass_on(source, target):
    try:
        while some := source.recv(65536):
            target.sendall(some)
    except OSError:
        pass  # one of the two has left
    for one in (source, target):
        try:
            one.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass


def head_of(client):
    """Until the empty line: who has asked for a connection says nothing more before there is one."""
    head = b""
    while b"\r\n\r\n" not in head and (some := client.recv(65536)):
        head += some
    return head


def serve(client, behind, context, is_proxy):
    try:
        if context:
            client = context.wrap_socket(client, server_side=True)
        server = socket.create_connection(("127.0.0.1", behind))
        if is_proxy:
            head = head_of(client)
            print(head.split(b"\r\n")[0].decode(), flush=True)
            if head.startswith(b"CONNECT "):
                client.sendall(b"HTTP/1.1 200 Connected\r\n\r\n")
            else:
                server.sendall(head)
        threading.Thread(target=pass_on, args=(client, server), daemon=True).start()
        pass_on(server, client)
    except OSError:
        client.close()  # it did not trust the certificate, or has left


def main(kind, behind, certificate=None, key=None):
    context = None
    if kind == "tls":
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, key)
    listener = socket.create_server(("127.0.0.1", 0))
    print(listener.getsockname()[1], flush=True)
    while True:
        client, _ = listener.accept()
        threading.Thread(target=serve, args=(client, int(behind), context, kind == "proxy"), daemon=True).start()


main(*sys.argv[1:])
