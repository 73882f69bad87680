// The only place that knows Boost.Beast.
#include "gelenk/view/server.h"

#include <algorithm>
#include <boost/asio.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket.hpp>
#include <chrono>
#include <deque>
#include <limits>
#include <optional>

#include "gelenk/base/json_reader.h"
#include "gelenk/view/content_policy.h"
#include "gelenk/view/places.h"

namespace gelenk::view {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
namespace websocket = beast::websocket;
using Tcp = asio::ip::tcp;
using ErrorCode = boost::system::error_code;
using Request = http::request<http::string_body>;
using Response = http::response<http::string_body>;

constexpr auto kPatience = std::chrono::seconds(30);  // with who says nothing
constexpr std::size_t kMostWaitingTexts = 1000;       // for one follower; who is slower is let go
// Requests carry nothing but their head, unless something is posted.
constexpr std::size_t kGetBodyBytes = 0;

std::string_view view_of(beast::string_view text) { return {text.data(), text.size()}; }

// In a time that does not reveal how many letters are right.
bool is_same_secret(std::string_view given, std::string_view wanted) {
  unsigned difference = given.size() == wanted.size() ? 0 : 1;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const char letter = i < given.size() ? given[i] : '\0';
    difference |= static_cast<unsigned char>(letter ^ wanted[i]);
  }
  return difference == 0;
}

// What all connections see of the server.
struct Common {
  ServerParts parts;
  std::string policy;
  std::uint16_t port = 0;
  std::shared_ptr<Places> places = std::make_shared<Places>();

  // A name that a stranger's page made point here is not ours.
  bool is_own_host(std::string_view host) const {
    const std::string suffix = ":" + std::to_string(port);
    return host == "127.0.0.1" + suffix || host == "localhost" + suffix;
  }
  bool is_own_origin(const Request& request) const {
    const auto origin = request.find(http::field::origin);
    if (origin == request.end()) return true;
    constexpr std::string_view kScheme = "http://";
    const std::string_view text = view_of(origin->value());
    return text.starts_with(kScheme) && is_own_host(text.substr(kScheme.size()));
  }
  bool has_token(const Request& request) const {
    constexpr std::string_view kBearer = "Bearer ";
    const std::string_view text = view_of(request[http::field::authorization]);
    return text.starts_with(kBearer) && is_same_secret(text.substr(kBearer.size()), parts.token);
  }

  Answer answer(const Request& request, const std::optional<HttpTarget>& target, std::string body) const {
    if (!is_own_host(view_of(request[http::field::host])) || !is_own_origin(request)) {
      return error_answer(403, "requests of other pages are not answered");
    }
    if (!target) return error_answer(400, "the address cannot be read");
    const bool is_post = request.method() == http::verb::post;
    if (!is_post && request.method() != http::verb::get) return error_answer(405, "only GET is answered");
    if (target->path == "/" && !is_post) return {200, "text/html; charset=utf-8", std::string(parts.page)};
    if (!target->path.starts_with("/api/")) return error_answer(404, "there is nothing at this address");
    if (!has_token(request)) return error_answer(401, "the token is missing or wrong");
    if (!is_post) return parts.get(*target);
    if (!parts.post) return error_answer(405, "only GET is answered");
    return parts.post(*target, std::move(body));
  }
};

std::chrono::steady_clock::duration duration_of(double seconds) {
  return std::chrono::duration_cast<std::chrono::steady_clock::duration>(std::chrono::duration<double>(seconds));
}

// One who follows live.
class Follower : public Guest, public std::enable_shared_from_this<Follower> {
 public:
  Follower(beast::tcp_stream stream, std::shared_ptr<Common> common)
      : Guest(common->places), socket_(std::move(stream)), common_(std::move(common)) {}

  void start(const Request& request) {
    const auto patience = duration_of(common_->parts.greeting_seconds);
    beast::get_lowest_layer(socket_).expires_never();
    auto timeouts = websocket::stream_base::timeout::suggested(beast::role_type::server);
    timeouts.handshake_timeout = patience;  // also of the good bye
    socket_.set_option(timeouts);
    socket_.read_message_max(Server::kMostMessageBytes);
    greeting_.expires_after(patience);
    greeting_.async_wait([self = weak_from_this()](ErrorCode problem) {
      const std::shared_ptr<Follower> follower = problem ? nullptr : self.lock();
      if (follower && !follower->is_known() && !follower->is_closing_ && !follower->is_gone_) {
        follower->close(websocket::close_code::policy_error);
      }
    });
    socket_.async_accept(request, [self = shared_from_this()](ErrorCode problem) {
      if (problem) {
        self->is_gone_ = true;
      } else {
        self->read();
      }
    });
  }

  bool is_welcome() const { return is_known() && !is_closing_; }
  bool is_gone() const { return is_gone_; }
  void let_go() override {
    is_gone_ = true;
    beast::get_lowest_layer(socket_).close();
  }

  void announce(const std::string& text) {
    if (!is_welcome()) return;
    if (texts_.size() >= kMostWaitingTexts) return close(websocket::close_code::try_again_later);
    texts_.push_back(text);
    write();
  }

  void show(const std::string& bytes) {
    if (!is_welcome()) return;
    newest_ = bytes;
    write();
  }

  // After what is still to be said.
  void finish() {
    if (!is_welcome()) return;
    is_finishing_ = true;
    newest_.clear();
    write();
  }

 private:
  void read() {
    socket_.async_read(buffer_, [self = shared_from_this()](ErrorCode problem, std::size_t) {
      if (problem) {
        self->is_gone_ = true;
        return;
      }
      const std::string text = beast::buffers_to_string(self->buffer_.data());
      self->buffer_.consume(self->buffer_.size());
      self->understand(text);
      if (!self->is_closing_) self->read();
    });
  }

  void understand(const std::string& text) {
    std::string error;
    const std::optional<JsonValue> message = read_json(text, error);
    const std::string type = message ? message->text_or("type", "") : std::string();
    if (!is_known()) {
      if (type != "hello" || !is_same_secret(message->text_or("token", ""), common_->parts.token)) {
        return close(websocket::close_code::policy_error);
      }
      set_known();
      greeting_.cancel();
      if (common_->parts.greeting) {
        for (const std::string& line : common_->parts.greeting()) announce(line);
      }
      return;
    }
    if (common_->parts.command && !type.empty()) common_->parts.command(type);
  }

  void write() {
    if (is_writing_ || is_closing_) return;
    if (!texts_.empty()) {
      outgoing_ = std::move(texts_.front());
      texts_.pop_front();
      return send(true);
    }
    if (!newest_.empty()) {
      outgoing_ = std::exchange(newest_, {});
      return send(false);
    }
    if (is_finishing_) close(websocket::close_code::normal);
  }

  void send(bool is_text) {
    is_writing_ = true;
    socket_.text(is_text);
    socket_.async_write(asio::buffer(outgoing_), [self = shared_from_this()](ErrorCode problem, std::size_t) {
      self->is_writing_ = false;
      if (problem) {
        self->is_gone_ = true;
      } else {
        self->write();
      }
    });
  }

  void close(websocket::close_code code) {
    is_closing_ = true;
    socket_.async_close(code, [self = shared_from_this()](ErrorCode) { self->is_gone_ = true; });
  }

  websocket::stream<beast::tcp_stream> socket_;
  asio::steady_timer greeting_{socket_.get_executor()};
  std::shared_ptr<Common> common_;
  beast::flat_buffer buffer_;
  std::deque<std::string> texts_;
  std::string newest_, outgoing_;
  bool is_writing_ = false;
  bool is_finishing_ = false;
  bool is_closing_ = false;
  bool is_gone_ = false;
};

using Followers = std::vector<std::shared_ptr<Follower>>;

// One connection: requests, one after the other.
class Connection : public Guest, public std::enable_shared_from_this<Connection> {
 public:
  Connection(Tcp::socket socket, std::shared_ptr<Common> common, std::shared_ptr<Followers> followers)
      : Guest(common->places),
        stream_(std::move(socket)),
        common_(std::move(common)),
        followers_(std::move(followers)) {}

  void start() { read_head(); }
  void let_go() override { stream_.close(); }

 private:
  void read_head() {
    parser_.emplace();
    parser_->header_limit(Server::kMostHeadBytes);
    // Any until the head is known: nothing of a body is read before.
    parser_->body_limit(std::numeric_limits<std::uint64_t>::max());
    stream_.expires_after(kPatience);
    http::async_read_header(stream_, buffer_, *parser_, [self = shared_from_this()](ErrorCode problem, std::size_t) {
      if (problem == http::error::header_limit) return self->refuse(431, "the request is too large");
      if (!problem) self->read_body();
    });
  }

  // Nothing is read that would be refused anyway.
  void read_body() {
    const Request& head = parser_->get();
    if (websocket::is_upgrade(head)) return follow();
    const bool is_owner = common_->has_token(head) && common_->is_own_origin(head) &&
                          common_->is_own_host(view_of(head[http::field::host]));
    if (is_owner) set_known();
    const bool is_wanted = head.method() == http::verb::post && common_->parts.post && is_owner;
    const std::size_t most = is_wanted ? common_->parts.most_post_bytes : kGetBodyBytes;
    const auto length = parser_->content_length();
    if (length && *length > most) return refuse(413, "the request is too large");
    parser_->body_limit(most);
    http::async_read(stream_, buffer_, *parser_, [self = shared_from_this()](ErrorCode problem, std::size_t) {
      if (problem == http::error::body_limit) return self->refuse(413, "the request is too large");
      if (!problem) self->reply();
    });
  }

  void follow() {
    const Request& head = parser_->get();
    const std::optional<HttpTarget> target = parse_target(view_of(head.target()));
    if (!target || target->path != "/api/live" || !common_->is_own_host(view_of(head[http::field::host])) ||
        !common_->is_own_origin(head)) {
      return refuse(403, "requests of other pages are not answered");
    }
    const auto follower = std::make_shared<Follower>(std::move(stream_), common_);
    followers_->push_back(follower);
    follower->start(head);
  }

  void reply() {
    Request request = parser_->release();
    const std::optional<HttpTarget> target = parse_target(view_of(request.target()));
    std::string body = std::move(request.body());
    send(common_->answer(request, target, std::move(body)), request.keep_alive());
  }

  void refuse(unsigned status, std::string_view text) { send(error_answer(status, text), false); }

  void send(Answer answer, bool keep_alive) {
    response_ = Response();
    response_.result(answer.status);
    response_.set(http::field::content_type, answer.type);
    response_.set(http::field::cache_control, "no-store");
    response_.set("X-Content-Type-Options", "nosniff");
    response_.set("Referrer-Policy", "no-referrer");
    response_.set("Content-Security-Policy", common_->policy);
    response_.keep_alive(keep_alive);
    response_.body() = std::move(answer.body);
    response_.prepare_payload();
    stream_.expires_after(kPatience);
    http::async_write(stream_, response_, [self = shared_from_this(), keep_alive](ErrorCode problem, std::size_t) {
      if (problem) return;
      if (keep_alive) return self->read_head();
      ErrorCode ignored;
      self->stream_.socket().shutdown(Tcp::socket::shutdown_send, ignored);
    });
  }

  beast::tcp_stream stream_;
  std::shared_ptr<Common> common_;
  std::shared_ptr<Followers> followers_;
  beast::flat_buffer buffer_{Server::kMostHeadBytes * 8};
  std::optional<http::request_parser<http::string_body>> parser_;
  Response response_;
};

}  // namespace

class Server::Impl {
 public:
  explicit Impl(ServerParts parts) {
    common_->policy = content_policy(parts.page);
    common_->parts = std::move(parts);
  }
  // Sockets must not outlive the context: those of the followers would.
  ~Impl() { followers_->clear(); }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  std::string listen() {
    ErrorCode problem;
    const Tcp::endpoint any_port(asio::ip::address_v4::loopback(), 0);
    acceptor_.open(any_port.protocol(), problem);
    if (!problem) acceptor_.bind(any_port, problem);
    if (!problem) acceptor_.listen(asio::socket_base::max_listen_connections, problem);
    if (!problem) common_->port = acceptor_.local_endpoint(problem).port();
    return problem ? "no port of this computer can be opened: " + problem.message() : std::string();
  }

  const Common& common() const { return *common_; }

  void run(const std::function<bool()>& is_over, double tick_seconds) {
    accept();
    const auto tick = duration_of(tick_seconds);
    while (!is_over()) {
      context_.restart();
      context_.run_for(tick);
      std::erase_if(*followers_, [](const std::shared_ptr<Follower>& follower) { return follower->is_gone(); });
    }
  }

  Followers& followers() { return *followers_; }

 private:
  void accept() {
    acceptor_.async_accept([this](ErrorCode problem, Tcp::socket socket) {
      // Who comes when there is no room is let go at once.
      if (!problem && common_->places->make_room()) {
        std::make_shared<Connection>(std::move(socket), common_, followers_)->start();
      }
      if (problem != asio::error::operation_aborted) accept();
    });
  }

  std::shared_ptr<Common> common_ = std::make_shared<Common>();
  std::shared_ptr<Followers> followers_ = std::make_shared<Followers>();
  asio::io_context context_{1};
  Tcp::acceptor acceptor_{context_};
};

Server::Server(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Server::~Server() = default;

std::unique_ptr<Server> Server::open(ServerParts parts, std::string& error) {
  auto impl = std::make_unique<Impl>(std::move(parts));
  error = impl->listen();
  if (!error.empty()) return nullptr;
  return std::unique_ptr<Server>(new Server(std::move(impl)));
}

std::uint16_t Server::port() const { return impl_->common().port; }

std::string Server::address() const {
  return "http://127.0.0.1:" + std::to_string(port()) + "/?token=" + impl_->common().parts.token;
}

void Server::run(const std::function<bool()>& is_over, double tick_seconds) { impl_->run(is_over, tick_seconds); }

void Server::announce(const std::string& text) {
  for (const auto& follower : impl_->followers()) follower->announce(text);
}

void Server::show(const std::string& bytes) {
  for (const auto& follower : impl_->followers()) follower->show(bytes);
}

void Server::close_followers() {
  for (const auto& follower : impl_->followers()) follower->finish();
}

std::size_t Server::follower_count() const { return impl_->followers().size(); }

}  // namespace gelenk::view
