// Requests over real sockets. Who follows a run live is tested in server_live_test.cc.
#include "gelenk/view/server.h"

#include <gmock/gmock.h>

#include "gelenk/view/places.h"
#include "gelenk/view/server_test_support.h"

namespace gelenk::view::server_test {
namespace {

using testing::HasSubstr;

class ServerTest : public testing::Test {
 protected:
  std::string own_host() const { return "Host: " + server_.host() + "\r\n"; }
  static std::string token(const std::string& text = kToken) { return "Authorization: Bearer " + text + "\r\n"; }

  // A request with these lines in its head, on a connection of its own.
  Caller::Reply ask(const std::string& first_line, const std::string& lines, const std::string& body = {}) {
    return Caller(server_.port()).ask(first_line + " HTTP/1.1\r\n" + lines + "\r\n" + body);
  }
  Caller::Reply ask_as_page(const std::string& first_line, const std::string& lines = {},
                            const std::string& body = {}) {
    return ask(first_line, own_host() + token() + lines, body);
  }
  void expect_alive() { EXPECT_EQ(ask_as_page("GET /api/scene").status, 200U); }

  ServerThread server_{ServerParts{}};
};

TEST_F(ServerTest, ThePageNeedsNoToken) {
  for (const char* target : {"/", "/?token=whatever"}) {
    const Caller::Reply reply = ask(std::string("GET ") + target, own_host());
    EXPECT_EQ(reply.status, 200U);
    EXPECT_EQ(reply.body, kPage);
    EXPECT_EQ(reply.head["Content-Type"], "text/html; charset=utf-8");
    EXPECT_EQ(reply.head["Cache-Control"], "no-store");
    EXPECT_EQ(reply.head["X-Content-Type-Options"], "nosniff");
    EXPECT_EQ(reply.head["Referrer-Policy"], "no-referrer");
    EXPECT_EQ(reply.head["Content-Security-Policy"], "default-src 'none'; frame-ancestors 'none'");
  }
  EXPECT_EQ(server_.address(), "http://" + server_.host() + "/?token=" + kToken);
}

TEST_F(ServerTest, DataNeedTheToken) {
  const Caller::Reply right = ask_as_page("GET /api/scene");
  EXPECT_EQ(right.status, 200U);
  EXPECT_EQ(right.body, "{}");
  EXPECT_EQ(right.head["Content-Type"], "application/json");
  const std::string secret = kToken;
  for (const std::string& wrong :
       {std::string(), token(""), token("x"), token(secret.substr(1)), token(secret.substr(0, secret.size() - 1)),
        token(secret + "0"), token("Bearer " + secret), "Authorization: " + secret + "\r\n",
        "Authorization: Basic " + secret + "\r\n", "Cookie: token=" + secret + "\r\n"}) {
    const Caller::Reply reply = ask("GET /api/scene", own_host() + wrong);
    EXPECT_EQ(reply.status, 401U) << wrong;
    EXPECT_THAT(reply.body, HasSubstr("\"error\"")) << wrong;
  }
  EXPECT_EQ(ask("GET /api/scene?token=" + secret, own_host()).status, 401U);
}

TEST_F(ServerTest, OtherNamesOfThisComputerAreRefused) {
  const std::string port = std::to_string(server_.port());
  for (const std::string& host : {"example.org:" + port, std::string("127.0.0.1"), std::string("127.0.0.1:1"),
                                  "127.0.0.1:" + port + "0", "127.0.0.1.example.org:" + port, std::string()}) {
    EXPECT_EQ(ask("GET /", "Host: " + host + "\r\n").status, 403U) << host;
    EXPECT_EQ(ask("GET /api/scene", "Host: " + host + "\r\n" + token()).status, 403U) << host;
  }
  EXPECT_EQ(ask("GET /api/scene", token()).status, 403U) << "no host at all";
  EXPECT_EQ(ask("GET /api/scene", "Host: localhost:" + port + "\r\n" + token()).status, 200U);
}

TEST_F(ServerTest, OtherPagesAreRefused) {
  const std::string own = "Origin: http://" + server_.host() + "\r\n";
  EXPECT_EQ(ask_as_page("GET /api/scene", own).status, 200U);
  const std::string port = std::to_string(server_.port());
  for (const std::string& origin :
       {std::string("http://example.org"), std::string("null"), std::string("http://127.0.0.1:1"),
        "https://" + server_.host(), "http://" + server_.host() + ".example.org", std::string()}) {
    EXPECT_EQ(ask_as_page("GET /api/scene", "Origin: " + origin + "\r\n").status, 403U) << origin;
    EXPECT_EQ(ask_as_page("GET /", "Origin: " + origin + "\r\n").status, 403U) << origin;
  }
}

TEST_F(ServerTest, ThereAreNoFiles) {
  for (const char* target : {"/../etc/passwd", "/api/../x", "/%2e%2e/etc/passwd", "/api/%2e%2e/%2e%2e/etc/passwd",
                             "/index.html", "//", "/api", "/api/", "/api/scene/", "/API/scene", "/api/scene%00"}) {
    EXPECT_EQ(ask_as_page(std::string("GET ") + target).status, 404U) << target;
  }
  for (const char* target : {"*", "http://127.0.0.1/api/scene", "/%zz", "/api/scene?%"}) {
    EXPECT_EQ(ask_as_page(std::string("GET ") + target).status, 400U) << target;
  }
}

TEST_F(ServerTest, LargeHeadsAreRefused) {
  const std::string fill(Server::kMostHeadBytes / 2, 'x');
  EXPECT_EQ(ask_as_page("GET /api/scene", "X-Fill: " + fill + "\r\n").status, 200U);
  EXPECT_EQ(ask_as_page("GET /api/scene", "X-Fill: " + fill + fill + "\r\n").status, 431U);
  EXPECT_EQ(ask_as_page("GET /api/scene?x=" + fill + fill).status, 431U);
  expect_alive();
}

TEST_F(ServerTest, NothingIsPostedWhereNobodyWantsIt) {
  EXPECT_EQ(ask_as_page("GET /api/scene", "Content-Length: 0\r\n").status, 200U);
  EXPECT_EQ(ask_as_page("GET /api/scene", "Content-Length: 3\r\n", "abc").status, 413U);
  EXPECT_EQ(ask_as_page("GET /api/scene", "Transfer-Encoding: chunked\r\n", "3\r\nabc\r\n0\r\n\r\n").status, 413U);
  EXPECT_EQ(ask_as_page("POST /api/recording", "Content-Length: 0\r\n").status, 405U);
  EXPECT_EQ(ask_as_page("POST /api/recording", "Content-Length: 3\r\n", "abc").status, 413U);
}

TEST_F(ServerTest, OtherMethods) {
  for (const char* method : {"PUT", "DELETE", "OPTIONS", "TRACE", "PATCH", "BREW"}) {
    EXPECT_EQ(ask_as_page(std::string(method) + " /api/scene").status, 405U) << method;
    EXPECT_EQ(ask_as_page(std::string(method) + " /").status, 405U) << method;
  }
}

TEST_F(ServerTest, OneConnectionForManyRequests) {
  const std::string request = "GET /api/scene HTTP/1.1\r\n" + own_host() + token() + "\r\n";
  Caller caller(server_.port());
  EXPECT_EQ(caller.ask(request).status, 200U);
  EXPECT_EQ(caller.ask("GET /none HTTP/1.1\r\n" + own_host() + "\r\n").status, 404U);
  // Two at once, and one that comes in two pieces
  caller.say(request + request + request.substr(0, request.size() / 2));
  EXPECT_EQ(caller.hear().status, 200U);
  EXPECT_EQ(caller.hear().status, 200U);
  EXPECT_EQ(caller.ask(request.substr(request.size() / 2)).status, 200U);
  const Caller::Reply last =
      caller.ask("GET /api/scene HTTP/1.1\r\nConnection: close\r\n" + own_host() + token() + "\r\n");
  EXPECT_EQ(last.status, 200U);
  EXPECT_EQ(caller.hear().status, 0U) << "the server hangs up";
}

TEST_F(ServerTest, RubbishDoesNoHarm) {
  std::string bytes;
  for (int i = 0; i < 1000; ++i) bytes += static_cast<char>(i * 37 + i / 7);
  for (const std::string& rubbish :
       {bytes, std::string("\r\n\r\n"), std::string("GET\r\n\r\n"), std::string("GET / HTTP/9.9\r\n\r\n"),
        std::string("\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", 11), std::string(4, '\0') + "\r\n\r\n",
        "GET / HTTP/1.1\r\n" + own_host() + "Content-Length: -1\r\n\r\n",
        "GET / HTTP/1.1\r\n" + own_host() + "Content-Length: 1\r\nContent-Length: 2\r\n\r\n",
        "GET / HTTP/1.1\r\n" + own_host() + "No colon here\r\n\r\n", std::string(100'000, 'x')}) {
    Caller caller(server_.port());
    caller.say(rubbish);
    boost::system::error_code ignored;
    caller.socket().shutdown(boost::asio::ip::tcp::socket::shutdown_send, ignored);
    EXPECT_THAT(caller.hear().status, testing::AnyOf(0U, 431U));
  }
  // Who says nothing, half of something, or leaves in the middle of an answer
  const Caller silent(server_.port());
  Caller(server_.port()).say("GET / HT");
  for (int i = 0; i < 20; ++i) Caller(server_.port()).say("GET / HTTP/1.1\r\n" + own_host() + "\r\n");
  expect_alive();
}

// That somebody has left is not noticed at once.
bool is_answered_soon(std::uint16_t port, const std::string& request) {
  return wait_until([&] { return Caller(port).ask(request).status == 200; });
}

TEST_F(ServerTest, OnlySoManyAtOnce) {
  const std::string request = "GET /api/scene HTTP/1.1\r\n" + own_host() + token() + "\r\n";
  std::vector<std::unique_ptr<Caller>> callers;
  for (std::size_t i = 0; i < Places::kMost; ++i) {
    callers.push_back(std::make_unique<Caller>(server_.port()));
    ASSERT_EQ(callers.back()->ask(request).status, 200U) << i;
  }
  EXPECT_EQ(Caller(server_.port()).ask(request).status, 0U);
  EXPECT_EQ(callers.front()->ask(request).status, 200U) << "who was there stays";
  callers.pop_back();
  EXPECT_TRUE(is_answered_soon(server_.port(), request));
}

TEST_F(ServerTest, StrangersDoNotLockTheOwnerOut) {
  const std::string request = "GET /api/scene HTTP/1.1\r\n" + own_host() + token() + "\r\n";
  Caller owner(server_.port());
  ASSERT_EQ(owner.ask(request).status, 200U);
  std::vector<std::unique_ptr<Caller>> strangers;
  for (std::size_t i = 0; i < 2 * Places::kMost; ++i) {
    strangers.push_back(std::make_unique<Caller>(server_.port()));
    // Silent ones, and those who ask for the page again and again
    if (i % 2 == 0) strangers.back()->ask("GET / HTTP/1.1\r\n" + own_host() + "\r\n");
  }
  EXPECT_EQ(Caller(server_.port()).ask(request).status, 200U);
  EXPECT_EQ(owner.ask(request).status, 200U);
  EXPECT_EQ(strangers.front()->hear().status, 0U) << "the oldest was let go";
}

// As a page that asks for the WebSocket without knowing how.
TEST_F(ServerTest, UpgradesThatFailTakeNoPlaces) {
  const std::string lines = own_host() + "Connection: Upgrade\r\nUpgrade: websocket\r\n";
  for (std::size_t i = 0; i < Places::kMost + 1; ++i) {
    EXPECT_THAT(ask("GET /api/live", lines).status, testing::AnyOf(400U, 426U)) << i;
    if (testing::Test::HasFailure()) break;
  }
  EXPECT_TRUE(is_answered_soon(server_.port(), "GET / HTTP/1.1\r\n" + own_host() + "\r\n"));
  EXPECT_EQ(server_.follower_count(), 0U);
}

class PostTest : public testing::Test {
 protected:
  std::string head(const std::string& lines, const std::string& token = kToken) const {
    return "POST /api/recording?done=1 HTTP/1.1\r\nHost: " + server_.host() + "\r\nAuthorization: Bearer " + token +
           "\r\n" + lines + "\r\n";
  }
  Caller::Reply ask(const std::string& bytes) { return Caller(server_.port()).ask(bytes); }
  std::string posted() {
    std::string text;
    server_.inside([&](Server&) { text = posted_; });
    return text;
  }

  std::string posted_;  // of the thread of the server
  ServerThread server_{ServerParts{
      .page = {}, .token = {}, .get = {}, .post = [this](const HttpTarget& target, std::string body) -> Answer {
        posted_ = target.path + "|" + std::move(body);
        return {200, "application/json", "{}"};
      }}};
};

TEST_F(PostTest, TheBodyArrives) {
  const std::string large(3'000'000, 'b');
  EXPECT_EQ(ask(head("Content-Length: 3000000\r\n") + large).status, 200U);
  EXPECT_EQ(posted(), "/api/recording|" + large);
  EXPECT_EQ(ask(head("Transfer-Encoding: chunked\r\n") + "2\r\nab\r\n1\r\nc\r\n0\r\n\r\n").status, 200U);
  EXPECT_EQ(posted(), "/api/recording|abc");
}

// Nothing but the head is sent: the answer must not wait for the body.
TEST_F(PostTest, RefusedBeforeTheBodyIsRead) {
  const std::string too_long = "Content-Length: " + std::to_string(ServerParts{}.most_post_bytes + 1) + "\r\n";
  EXPECT_EQ(ask(head(too_long)).status, 413U);
  EXPECT_EQ(ask(head("Content-Length: 18446744073709551615\r\n")).status, 413U);
  EXPECT_EQ(ask(head("Content-Length: 5\r\n", "wrong")).status, 413U);
  EXPECT_EQ(ask(head("Content-Length: 5\r\nOrigin: http://example.org\r\n")).status, 413U);
  EXPECT_EQ(ask(head("Transfer-Encoding: chunked\r\n") + "ffffffff\r\n").status, 413U);
  EXPECT_EQ(ask(head("Content-Length: 0\r\n", "wrong")).status, 401U);
  EXPECT_EQ(posted(), "");
}

}  // namespace
}  // namespace gelenk::view::server_test
