// MCP over HTTP behind Qt's HTTP server, as Qt 6.4 to 6.7 have it: all connections on Qt's loop. What the handler
// writes on other threads is posted to it.
#include <QCoreApplication>
#include <QHostAddress>
#include <QMetaEnum>
#include <QPointer>
#include <QTcpSocket>
#include <QUrl>
#include <QtHttpServer/QAbstractHttpServer>
#include <QtHttpServer/QHttpServerRequest>
#include <cstdio>
#include <toolwire/http/handler.hpp>

#include "example_server.hpp"

namespace http = toolwire::http;

// The adapter.

struct Answer final : http::Exchange, std::enable_shared_from_this<Answer> {
  explicit Answer(QTcpSocket* socket) : socket_(socket) {}
  void start(const http::Head& head) override {
    std::string text = "HTTP/1.1 " + std::to_string(head.status) + " \r\nConnection: close\r\n";
    for (const auto& field : head.fields) text += field.name + ": " + field.value + "\r\n";
    if (head.length) text += "Content-Length: " + std::to_string(*head.length) + "\r\n";
    write(text + "\r\n");
  }
  void write(std::string_view bytes) override {
    post([text = QByteArray(bytes.data(), static_cast<qsizetype>(bytes.size()))](QTcpSocket& to) { to.write(text); });
  }
  void finish() override {
    post([](QTcpSocket& to) { to.disconnectFromHost(); });
  }
  void post(std::function<void(QTcpSocket&)> work) {
    const auto now = [self = shared_from_this(), work = std::move(work)] {
      if (self->socket_) work(*self->socket_);
    };
    QMetaObject::invokeMethod(QCoreApplication::instance(), now, Qt::QueuedConnection);
  }
  QPointer<QTcpSocket> socket_;  // of the thread of the loop
};

struct HttpServer final : QAbstractHttpServer {
  explicit HttpServer(http::Handler& to) : handler(to) {}
  bool handleRequest(const QHttpServerRequest& in, QTcpSocket* socket) override {
    http::Request request{.target = in.url().path().toStdString(), .body = in.body().toStdString()};
    const char* const method = QMetaEnum::fromType<QHttpServerRequest::Method>().valueToKey(int(in.method()));
    request.method = QByteArray(method).toUpper().toStdString();
    for (const auto& [name, value] : in.headers()) request.fields.push_back({name.toStdString(), value.toStdString()});
    const auto answer = std::make_shared<Answer>(socket);
    connect(socket, &QTcpSocket::disconnected, [answer] { answer->closed(); });
    handler.handle(std::move(request), answer);
    return true;
  }
  void missingHandler(const QHttpServerRequest&, QTcpSocket*) override {}
  http::Handler& handler;
};

// The program: `http_qt_http_server [PORT]`, which says on which port it is.

int main(int argc, char** argv) {
  QCoreApplication application(argc, argv);
  toolwire::Server server({"qt_http_server", "1.0.0"});
  add_tools(server);
  http::Handler handler(server);
  HttpServer listening(handler);
  const int port = listening.listen(QHostAddress::LocalHost, argc > 1 ? static_cast<quint16>(std::stoi(argv[1])) : 0);
  if (port == 0) return std::fputs("cannot listen\n", stderr), 1;
  std::printf("http://127.0.0.1:%d/mcp\n", port);
  std::fflush(stdout);
  return QCoreApplication::exec();
}
