#include "listening/response_text.hpp"

#include <array>
#include <boost/beast/http/status.hpp>
#include <charconv>

namespace toolwire::http {
namespace {

constexpr std::string_view line_end = "\r\n";

void append_field(std::string& to, std::string_view name, std::string_view value) {
  to.append(name).append(": ").append(value).append(line_end);
}

std::string two_digits(unsigned number) {
  return {static_cast<char>('0' + number / 10), static_cast<char>('0' + number % 10)};
}

std::string_view reason_of(int status) {
  const auto reason =
      boost::beast::http::obsolete_reason(boost::beast::http::int_to_status(static_cast<unsigned>(status)));
  return {reason.data(), reason.size()};
}

bool may_have_body(int status) { return status >= 200 && status != 204 && status != 304; }

}  // namespace

Framing framing_of(const Head& head, bool is_for_head_request, bool is_for_old_client) {
  if (is_for_head_request || !may_have_body(head.status)) return Framing::none;
  if (head.length) return Framing::length;
  return is_for_old_client ? Framing::close : Framing::chunks;
}

std::string head_text(const Head& head, Framing framing, Persistence persistence,
                      std::chrono::system_clock::time_point now) {
  std::string text = "HTTP/1.1 " + std::to_string(head.status) + " ";
  text.append(reason_of(head.status)).append(line_end);
  append_field(text, "Date", date_text(now));
  for (const Field& field : head.fields) append_field(text, field.name, field.value);
  if (head.length && may_have_body(head.status)) append_field(text, "Content-Length", std::to_string(*head.length));
  if (framing == Framing::chunks) append_field(text, "Transfer-Encoding", "chunked");
  if (persistence != Persistence::usual)
    append_field(text, "Connection", persistence == Persistence::closes ? "close" : "keep-alive");
  return text.append(line_end);
}

void append_piece(std::string& to, Framing framing, std::string_view bytes) {
  if (framing == Framing::none || bytes.empty()) return;
  if (framing != Framing::chunks) return void(to.append(bytes));
  std::array<char, 16> digits{};
  const auto written = std::to_chars(digits.data(), digits.data() + digits.size(), bytes.size(), 16);
  to.append(digits.data(), written.ptr).append(line_end).append(bytes).append(line_end);
}

void append_end(std::string& to, Framing framing) {
  if (framing == Framing::chunks) to.append("0\r\n\r\n");
}

std::string date_text(std::chrono::system_clock::time_point time) {
  using namespace std::chrono;
  constexpr std::array days{"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
  constexpr std::array months{"Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  const auto day = floor<std::chrono::days>(time);
  const year_month_day date(day);
  const hh_mm_ss clock(floor<seconds>(time - day));
  const auto in_clock = [](auto part) { return two_digits(static_cast<unsigned>(part.count())); };
  return std::string(days[weekday(day).c_encoding()]) + ", " + two_digits(static_cast<unsigned>(date.day())) + " " +
         months[static_cast<unsigned>(date.month()) - 1] + " " + std::to_string(static_cast<int>(date.year())) + " " +
         in_clock(clock.hours()) + ":" + in_clock(clock.minutes()) + ":" + in_clock(clock.seconds()) + " GMT";
}

}  // namespace toolwire::http
