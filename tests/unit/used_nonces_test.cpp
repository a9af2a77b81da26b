#include "protocol/input_requests/used_nonces.hpp"

#define BOOST_TEST_MODULE used_nonces_test
#include <boost/test/unit_test.hpp>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include <toolwire/system/file_descriptor.hpp>
#include "features/forgetting_clock.hpp"
#include "scratch_folder.hpp"

using namespace std::chrono_literals;
using namespace toolwire::protocol;
using toolwire::features::forgetting_time;

namespace {

const auto now = UsedNonces::Clock::time_point(1'000'000s);

struct Folder {
  toolwire_test::ScratchFolder folder;
  std::string path = folder.text() + "/spent-states";

  Folder() { UsedNonces(path).make(); }
};

}  // namespace

BOOST_TEST_DONT_PRINT_LOG_VALUE(Spending)

BOOST_FIXTURE_TEST_CASE(a_nonce_is_spent_once_whoever_asks, Folder) {
  BOOST_TEST(UsedNonces(path).spend("one", now + 5min, now) == Spending::spent_now);
  BOOST_TEST(UsedNonces(path).spend("one", now + 5min, now) == Spending::spent_before);
  BOOST_TEST(UsedNonces(path).spend("on", now + 5min, now) == Spending::spent_now);
  BOOST_TEST(UsedNonces(path).spend("two", now + 5min, now + 1min) == Spending::spent_now);
  BOOST_TEST(UsedNonces(path).spend("one", now + 5min, now + 2min) == Spending::spent_before);
}

BOOST_FIXTURE_TEST_CASE(what_has_expired_leaves_the_file, Folder) {
  UsedNonces spent(path);
  for (int i = 0; i < 100; ++i) spent.spend("nonce-" + std::to_string(i), now + 5min, now);
  const auto full = std::filesystem::file_size(path);
  BOOST_TEST(spent.spend("late", now + 20min, now + 10min) == Spending::spent_now);
  BOOST_TEST(std::filesystem::file_size(path) < full / 10);
  BOOST_TEST(spent.spend("late", now + 20min, now + 11min) == Spending::spent_before);
}

BOOST_FIXTURE_TEST_CASE(of_many_at_once_one_spends_it, Folder) {
  std::atomic<int> spent_now{0};
  std::vector<std::thread> threads;
  threads.reserve(8);
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&] {
      if (UsedNonces(path).spend("one", now + 5min, now) == Spending::spent_now) ++spent_now;
    });
  }
  for (std::thread& thread : threads) thread.join();
  BOOST_TEST(spent_now == 1);
}

BOOST_FIXTURE_TEST_CASE(a_file_that_cannot_be_used_spends_nothing, Folder) {
  BOOST_TEST(UsedNonces(path + "/in/a/file").spend("one", now + 5min, now) == Spending::impossible);
  BOOST_TEST(UsedNonces(folder.text()).spend("one", now + 5min, now) == Spending::impossible);
  std::ofstream(path) << "anything";
  std::filesystem::permissions(path, std::filesystem::perms(0644));
  BOOST_TEST(UsedNonces(path).spend("one", now + 5min, now) == Spending::impossible);
}

BOOST_FIXTURE_TEST_CASE(a_lock_that_is_not_let_go_spends_nothing, Folder) {
  BOOST_TEST(UsedNonces(path).spend("one", now + 5min, now) == Spending::spent_now);
  toolwire::system::FileDescriptor holder(open(path.c_str(), O_RDWR | O_CLOEXEC));
  BOOST_REQUIRE(flock(holder.get(), LOCK_EX) == 0);
  BOOST_TEST(UsedNonces(path).spend("two", now + 5min, now) == Spending::impossible);
  holder.reset();
  BOOST_TEST(UsedNonces(path).spend("two", now + 5min, now) == Spending::spent_now);
}

BOOST_FIXTURE_TEST_CASE(the_rest_of_a_write_that_was_cut_off_does_no_harm, Folder) {
  BOOST_TEST(UsedNonces(path).spend("one", now + 5min, now) == Spending::spent_now);
  std::ofstream(path, std::ios::app) << "half-a-li";
  BOOST_TEST(UsedNonces(path).spend("two", now + 5min, now) == Spending::spent_now);
  BOOST_TEST(UsedNonces(path).spend("one", now + 5min, now) == Spending::spent_before);
  BOOST_TEST(UsedNonces(path).spend("two", now + 5min, now) == Spending::spent_before);
}

BOOST_FIXTURE_TEST_CASE(a_file_that_is_gone_spends_nothing_and_is_not_made_anew, Folder) {
  BOOST_TEST(UsedNonces(path).spend("one", now + 5min, now) == Spending::spent_now);
  std::filesystem::remove(path);
  BOOST_TEST(UsedNonces(path).spend("one", now + 5min, now) == Spending::lost);
  BOOST_TEST(UsedNonces(path).spend("two", now + 5min, now) == Spending::lost);
  BOOST_TEST(!std::filesystem::exists(path));
}

BOOST_FIXTURE_TEST_CASE(a_file_that_was_cut_anywhere_spends_nothing, Folder) {
  for (const char* nonce : {"one", "two", "three"}) UsedNonces(path).spend(nonce, now + 5min, now);
  for (auto size = std::filesystem::file_size(path); size-- > 0;) {
    std::filesystem::resize_file(path, size);
    BOOST_TEST((UsedNonces(path).spend("one", now + 5min, now) == Spending::lost), "of size " << size);
  }
}

BOOST_FIXTURE_TEST_CASE(a_file_of_an_earlier_version_counts_and_is_taken_over, Folder) {
  std::ofstream(path) << "one " << 1'000'060'000 << '\n';
  BOOST_TEST(UsedNonces(path).spend("one", now + 5min, now) == Spending::spent_before);
  BOOST_TEST(UsedNonces(path).spend("two", now + 5min, now) == Spending::spent_now);
  BOOST_TEST(UsedNonces(path).spend("one", now + 5min, now) == Spending::spent_before);
  std::filesystem::resize_file(path, std::filesystem::file_size(path) - 1);
  BOOST_TEST(UsedNonces(path).spend("two", now + 5min, now) == Spending::lost);
}

BOOST_FIXTURE_TEST_CASE(nothing_is_forgotten_by_a_clock_that_is_set_forward_and_back, Folder) {
  BOOST_TEST((forgetting_time(now + 2min, now + 2min) == now + 2min));
  BOOST_TEST((forgetting_time(now - 1h, now + 2min) == now - 1h));
  BOOST_TEST((forgetting_time(now + 1h, now + 2min) == now + 2min));
  BOOST_TEST((forgetting_time(now + 100h, now + 2min) == now + 76h));
  const UsedNonces spent(path);
  BOOST_TEST(spent.spend("one", now + 5min, now) == Spending::spent_now);
  BOOST_TEST(spent.spend("ahead", now + 65min, forgetting_time(now + 1h, now + 1min)) == Spending::spent_now);
  BOOST_TEST(spent.spend("one", now + 5min, forgetting_time(now + 2min, now + 2min)) == Spending::spent_before);
}

BOOST_FIXTURE_TEST_CASE(what_is_there_is_not_made_anew, Folder) {
  BOOST_TEST(UsedNonces(path).spend("one", now + 5min, now) == Spending::spent_now);
  UsedNonces(path).make();
  BOOST_TEST(UsedNonces(path).spend("one", now + 5min, now) == Spending::spent_before);
}

BOOST_AUTO_TEST_CASE(what_this_process_has_used_stays_used_whatever_happens_to_the_file) {
  const toolwire_test::ScratchFolder folder;
  BOOST_REQUIRE(::setenv("XDG_STATE_HOME", folder.text().c_str(), 1) == 0);
  BOOST_REQUIRE(::unsetenv("TOOLWIRE_STATE_KEY") == 0);
  const auto store = shared_nonce_store();
  const auto use = [&](const char* nonce) {
    toolwire::Done<toolwire::NonceUse>::Result answer;
    store->use(nonce, UsedNonces::Clock::now() + 5min, toolwire::Done<toolwire::NonceUse>([&](auto&& given) {
                 answer = std::forward<decltype(given)>(given);
               }));
    if (answer.index() == 1) std::rethrow_exception(std::get<1>(answer));
    return std::get<0>(answer);
  };
  BOOST_TEST((use("one") == toolwire::NonceUse::first));
  const std::string path = folder.text() + "/toolwire/spent-states";
  std::filesystem::remove(path);
  BOOST_CHECK_EXCEPTION(use("two"), std::runtime_error, [](const std::runtime_error& error) {
    return std::string_view(error.what()).find("missing") != std::string_view::npos;
  });
  UsedNonces(path).make();
  BOOST_TEST((use("one") == toolwire::NonceUse::again));
  BOOST_TEST((use("three") == toolwire::NonceUse::first));
}
