// Who follows a run live, over real WebSockets.
#include <gmock/gmock.h>

#include <boost/beast/websocket.hpp>
#include <cstring>

#include "gelenk/view/places.h"
#include "gelenk/view/server.h"
#include "gelenk/view/server_test_support.h"

namespace gelenk::view::server_live_test {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace websocket = beast::websocket;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr unsigned kNormal = 1000, kNoText = 1007, kPolicy = 1008, kTooLarge = 1009, kTryLater = 1013;

std::string hello(const std::string& token = kToken) { return R"({"type": "hello", "token": ")" + token + "\"}"; }

// The page's side of the connection.
class Page {
 public:
  // A small window lets the server notice soon that nobody reads.
  explicit Page(const ServerThread& server, const std::string& origin = {}, const std::string& target = "/api/live",
                std::size_t window_bytes = 0) {
    auto& socket = socket_.next_layer();
    socket.open(asio::ip::tcp::v4());
    if (window_bytes > 0) socket.set_option(asio::socket_base::receive_buffer_size(static_cast<int>(window_bytes)));
    socket.connect({asio::ip::address_v4::loopback(), server.port()});
    socket_.set_option(websocket::stream_base::decorator([=](websocket::request_type& request) {
      if (!origin.empty()) request.set(beast::http::field::origin, origin);
    }));
    boost::system::error_code problem;
    socket_.handshake(server.host(), target, problem);
    is_open_ = !problem;
  }

  bool is_open() const { return is_open_; }

  void say(const std::string& text) {
    boost::system::error_code ignored;
    socket_.write(asio::buffer(text), ignored);
  }

  // The next message; nothing when the server has closed.
  std::string hear() {
    beast::flat_buffer buffer;
    boost::system::error_code problem;
    socket_.read(buffer, problem);
    if (!problem) return beast::buffers_to_string(buffer.data());
    close_code_ = problem == websocket::error::closed ? socket_.reason().code : 0;
    return {};
  }
  bool was_text() const { return socket_.got_text(); }

  // What comes until the server closes.
  std::vector<std::string> hear_all() {
    std::vector<std::string> messages;
    for (std::string message = hear(); !message.empty(); message = hear()) messages.push_back(message);
    return messages;
  }
  unsigned close_code() const { return close_code_; }

  // Leaves without a word.
  void vanish() {
    boost::system::error_code ignored;
    socket_.next_layer().close(ignored);
  }

 private:
  asio::io_context context_;
  websocket::stream<asio::ip::tcp::socket> socket_{context_};
  bool is_open_ = false;
  unsigned close_code_ = 0;
};

class ServerLiveTest : public testing::Test {
 protected:
  void announce(const std::string& text) {
    server_.inside([&](Server& server) { server.announce(text); });
  }
  void show(const std::string& bytes) {
    server_.inside([&](Server& server) { server.show(bytes); });
  }
  void close_followers() {
    server_.inside([](Server& server) { server.close_followers(); });
  }
  std::vector<std::string> commands() {
    std::vector<std::string> words;
    server_.inside([&](Server&) { words = commands_; });
    return words;
  }
  void expect_refused(Page& page) {
    EXPECT_THAT(page.hear_all(), IsEmpty());
    EXPECT_EQ(page.close_code(), kPolicy);
    EXPECT_THAT(commands(), IsEmpty());
  }

  std::vector<std::string> commands_;  // of the thread of the server
  ServerThread server_{ServerParts{
      .page = {},
      .token = {},
      .get = {},
      .post = {},
      .greeting =
          [] {
            return std::vector<std::string>{"first", "second"};
          },
      .command = [this](std::string_view word) { commands_.emplace_back(word); },
  }};
};

TEST_F(ServerLiveTest, GreetingCommandsAndGoodBye) {
  Page page(server_, "http://" + server_.host());
  ASSERT_TRUE(page.is_open());
  page.say(hello());
  EXPECT_EQ(page.hear(), "first");
  EXPECT_TRUE(page.was_text());
  EXPECT_EQ(page.hear(), "second");
  for (const char* word : {"pause", "resume", "stop"}) page.say(std::string(R"({"type": ")") + word + "\"}");
  // What is none is no reason to hang up.
  for (const char* other : {"{", "[]", "{}", R"({"type": 7})"}) page.say(other);
  page.say(R"({"type": "dance"})");
  wait_until([this] { return commands().size() >= 4; });
  EXPECT_THAT(commands(), ElementsAre("pause", "resume", "stop", "dance"));
  show(std::string("\1\0\0\0", 4));
  EXPECT_EQ(page.hear(), std::string("\1\0\0\0", 4));
  EXPECT_FALSE(page.was_text());
  announce("last");
  close_followers();
  EXPECT_THAT(page.hear_all(), ElementsAre("last"));
  EXPECT_EQ(page.close_code(), kNormal);
}

TEST_F(ServerLiveTest, WithoutTheTokenNothingIsToldNorDone) {
  const std::string secret = kToken;
  for (const std::string& first :
       {hello(""), hello(secret + "0"), hello(secret.substr(1)), std::string(R"({"type": "hello"})"),
        std::string(R"({"type": "hello", "token": 7})"), std::string(R"({"type": "stop", "token": ")") + secret + "\"}",
        std::string(R"({"type": "pause"})"), std::string("hello"), std::string("{"), std::string("[]"),
        std::string(R"(["hello"])")}) {
    Page page(server_);
    announce("secret");
    show("secret");
    page.say(first);
    SCOPED_TRACE(first);
    expect_refused(page);
  }
}

TEST_F(ServerLiveTest, OthersAreRefused) {
  EXPECT_TRUE(Page(server_).is_open());
  EXPECT_FALSE(Page(server_, "http://example.org").is_open());
  EXPECT_FALSE(Page(server_, "null").is_open());
  EXPECT_FALSE(Page(server_, {}, "/api/scene").is_open());
  EXPECT_FALSE(Page(server_, {}, "/").is_open());
  const std::string upgrade =
      "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
      "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n";
  for (const std::string& host : {"Host: example.org\r\n" + upgrade, upgrade,
                                  "Host: " + server_.host() + "\r\nOrigin: http://example.org\r\n" + upgrade}) {
    EXPECT_EQ(Caller(server_.port()).ask("GET /api/live HTTP/1.1\r\n" + host + "\r\n").status, 403U) << host;
  }
}

// Texts must be UTF-8; the protocol of WebSockets itself says so.
TEST_F(ServerLiveTest, BytesThatAreNoTextClose) {
  Page page(server_);
  page.say("\xff");
  EXPECT_EQ(page.hear(), "");
  EXPECT_EQ(page.close_code(), kNoText);
}

TEST_F(ServerLiveTest, LongMessagesClose) {
  Page page(server_);
  page.say(hello());
  page.hear();
  page.hear();
  page.say(R"({"type": ")" + std::string(Server::kMostMessageBytes, 'x') + "\"}");
  EXPECT_EQ(page.hear(), "");
  EXPECT_EQ(page.close_code(), kTooLarge);
  EXPECT_THAT(commands(), IsEmpty());
}

TEST_F(ServerLiveTest, AllAreToldEverythingInOrder) {
  constexpr int kTexts = 300;
  std::vector<std::unique_ptr<Page>> pages;
  for (int i = 0; i < 3; ++i) {
    pages.push_back(std::make_unique<Page>(server_));
    pages.back()->say(hello());
    EXPECT_EQ(pages.back()->hear(), "first");
    EXPECT_EQ(pages.back()->hear(), "second");
  }
  EXPECT_EQ(server_.follower_count(), 3U);
  std::vector<std::string> announced;
  server_.inside([&](Server& server) {
    for (int i = 0; i < kTexts; ++i) {
      announced.push_back("text " + std::to_string(i));
      server.announce(announced.back());
    }
    server.close_followers();
  });
  for (const auto& page : pages) {
    EXPECT_EQ(page->hear_all(), announced);
    EXPECT_EQ(page->close_code(), kNormal);
  }
}

constexpr std::size_t kSmallWindow = 4096;

// Much more than the system keeps on the way, so that most of it must be left out.
TEST_F(ServerLiveTest, WhoReadsSlowlyMissesPosesButNoText) {
  constexpr std::uint32_t kFrames = 300;
  constexpr std::size_t kFrameBytes = std::size_t{1} << 18;
  constexpr std::uint32_t kTextEvery = 50;
  Page page(server_, {}, "/api/live", kSmallWindow);
  page.say(hello());
  page.hear();
  page.hear();
  std::vector<std::string> announced;
  for (std::uint32_t i = 0; i < kFrames; ++i) {
    std::string frame(kFrameBytes, 'f');
    std::memcpy(frame.data(), &i, sizeof i);
    show(frame);
    if (i % kTextEvery != 0) continue;
    announced.push_back("after " + std::to_string(i));
    announce(announced.back());
  }
  std::vector<std::string> texts;
  std::vector<std::uint32_t> frames;
  while (frames.empty() || frames.back() != kFrames - 1) {
    const std::string message = page.hear();
    if (message.empty()) break;
    if (page.was_text()) {
      texts.push_back(message);
      continue;
    }
    ASSERT_EQ(message.size(), kFrameBytes);
    std::uint32_t number = 0;
    std::memcpy(&number, message.data(), sizeof number);
    if (!frames.empty()) {
      EXPECT_GT(number, frames.back());
    }
    frames.push_back(number);
  }
  EXPECT_EQ(texts, announced);
  ASSERT_FALSE(frames.empty());
  EXPECT_EQ(frames.back(), kFrames - 1) << "the newest arrives";
  EXPECT_LT(frames.size(), kFrames / 2);
}

TEST_F(ServerLiveTest, WhoIsFarBehindIsLetGo) {
  const std::string text(100'000, 't');
  constexpr std::size_t kTexts = 1200;
  Page page(server_, {}, "/api/live", kSmallWindow);
  page.say(hello());
  page.hear();
  page.hear();
  server_.inside([&](Server& server) {
    for (std::size_t i = 0; i < kTexts; ++i) server.announce(text);
  });
  EXPECT_LT(page.hear_all().size(), kTexts);
  EXPECT_EQ(page.close_code(), kTryLater);
}

TEST_F(ServerLiveTest, WhoLeavesIsForgotten) {
  for (int i = 0; i < 3; ++i) {
    Page page(server_);
    page.say(hello());
    EXPECT_EQ(page.hear(), "first");
    if (i == 0) continue;  // its destructor leaves, too
    page.vanish();
  }
  EXPECT_TRUE(wait_until([this] { return server_.follower_count() == 0; }));
  announce("nobody");
  show("nobody");
}

TEST_F(ServerLiveTest, WhoNeverGreetsDoesNotLockTheOwnerOut) {
  Page before(server_);
  before.say(hello());
  EXPECT_EQ(before.hear(), "first");
  EXPECT_EQ(before.hear(), "second");
  std::vector<std::unique_ptr<Page>> silent;
  for (std::size_t i = 0; i < Places::kMost; ++i) {
    silent.push_back(std::make_unique<Page>(server_));
    ASSERT_TRUE(silent.back()->is_open()) << i;
  }
  Page owner(server_);
  owner.say(hello());
  EXPECT_EQ(owner.hear(), "first");
  announce("still here");
  EXPECT_EQ(before.hear(), "still here");
  EXPECT_TRUE(wait_until([this] { return server_.follower_count() <= Places::kMostStrangers + 2; }));
}

TEST(ServerLive, TheGreetingIsNotWaitedForLong) {
  constexpr double kSoon = 0.2;  // s
  ServerThread server(ServerParts{.page = {}, .token = {}, .get = {}, .greeting_seconds = kSoon});
  Page greeted(server), silent(server), deaf(server);
  greeted.say(hello());
  EXPECT_EQ(silent.hear(), "");
  EXPECT_EQ(silent.close_code(), kPolicy);
  // Who does not answer the good bye is forgotten, too.
  EXPECT_TRUE(wait_until([&] { return server.follower_count() == 1; }));
  server.inside([](Server& inside) { inside.announce("hello"); });
  EXPECT_EQ(greeted.hear(), "hello");
}

TEST(ServerLive, EndsWhileSomebodyFollows) {
  auto server = std::make_unique<ServerThread>(ServerParts{});
  Page idle(*server), unwelcome(*server);
  idle.say(hello());
  EXPECT_TRUE(wait_until([&] { return server->follower_count() == 2; }));
  server.reset();
  EXPECT_EQ(idle.hear(), "");
  EXPECT_EQ(unwelcome.hear(), "");
}

}  // namespace
}  // namespace gelenk::view::server_live_test
