// A library of somebody else, as wrapped_library.cpp finds it: it knows nothing of tools, JSON or toolwire.
#pragma once

#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace warehouse {

enum class Storage { dry, cold };

struct Dimensions {
  int width = 0, height = 0;  // centimetres
};

struct Article {
  std::string name;
  Storage storage = Storage::dry;
  Dimensions size;
};

/// An amount of money; has no members that anybody could name.
class Price {
 public:
  Price() = default;
  static Price of_cents(long cents) {
    if (cents < 0) throw std::invalid_argument("a price of at least 0 cents");
    Price made;
    made.cents_ = cents;
    return made;
  }
  long cents() const { return cents_; }
  Price operator*(int count) const { return of_cents(cents_ * count); }

 private:
  long cents_ = 0;
};

class Warehouse {
 public:
  void add(const Article& article, Price price) { stock_.insert_or_assign(article.name, std::pair(article, price)); }
  const Article& find(const std::string& name) const { return at(name).first; }
  Price price_of(const std::string& name, int count) const { return at(name).second * count; }
  std::vector<Article> kept(Storage storage) const {
    std::vector<Article> found;
    for (const auto& [name, article] : stock_)
      if (article.first.storage == storage) found.push_back(article.first);
    return found;
  }

 private:
  const std::pair<Article, Price>& at(const std::string& name) const {
    if (const auto found = stock_.find(name); found != stock_.end()) return found->second;
    throw std::out_of_range("no article is called " + name);
  }
  std::map<std::string, std::pair<Article, Price>> stock_ = {};
};

}  // namespace warehouse
