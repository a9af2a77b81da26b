// Names, descriptions and bounds for the parameters of a function that takes no struct: `args("a", "b")`. tool.hpp
// includes this; nobody else needs to.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include "toolwire/context.hpp"
#include "toolwire/convert.hpp"
#include "toolwire/describe.hpp"
#include "toolwire/detail/handler_checks.hpp"
#include "toolwire/detail/reply_traits.hpp"
#include "toolwire/detail/signature.hpp"
#include "toolwire/error.hpp"

namespace toolwire {
namespace detail {

/// What the bounds of a parameter are for.
enum class Bounded { nothing, number, text, list };

}  // namespace detail

/// The description of one parameter; a value, made by `arg("a", "First number")`. Each function returns a changed copy.
template <detail::Bounded What>
struct NamedArgument : FieldInfo {
  /// A name for people, shown by hosts instead of the name on the wire.
  constexpr NamedArgument title(std::string_view text) const {
    NamedArgument changed = *this;
    changed.FieldInfo::title = text;
    return changed;
  }

  /// Both bounds are included. make_tool throws std::invalid_argument for bounds that the parameter's type cannot have.
  template <class Low, class High>
  constexpr auto between(Low low, High high) const {
    return at_least(low).at_most(high);
  }

  /// The bound is included, as that of `at_most`.
  template <class Low>
  constexpr auto at_least(Low low) const {
    static_assert(detail::is_number<Low>, "toolwire: a bound is a number");
    auto changed = bounding<detail::Bounded::number>();
    changed.minimum = static_cast<long double>(low);
    return checked(changed);
  }

  template <class High>
  constexpr auto at_most(High high) const {
    static_assert(detail::is_number<High>, "toolwire: a bound is a number");
    auto changed = bounding<detail::Bounded::number>();
    changed.maximum = static_cast<long double>(high);
    return checked(changed);
  }

  /// How many characters (code points) the string may have, both bounds included.
  constexpr auto length(std::size_t low, std::size_t high) const { return sized<detail::Bounded::text>(low, high); }

  /// A regular expression that the string has to match, and what the string is: see Field::pattern and Field::format.
  constexpr auto pattern(std::string_view regular_expression) const {
    auto changed = bounding<detail::Bounded::text>();
    changed.FieldInfo::pattern = regular_expression;
    return changed;
  }
  constexpr auto format(std::string_view name_of_format) const {
    auto changed = bounding<detail::Bounded::text>();
    changed.FieldInfo::format = name_of_format;
    return changed;
  }

  /// How many items the vector may have, both bounds included.
  constexpr auto items(std::size_t low, std::size_t high) const { return sized<detail::Bounded::list>(low, high); }

 private:
  template <detail::Bounded Other>
  constexpr NamedArgument<Other> bounding() const {
    static_assert(What == detail::Bounded::nothing || What == Other,
                  "toolwire: a parameter has the bounds of a number, of a string or of a vector, and not of two");
    return NamedArgument<Other>{static_cast<const FieldInfo&>(*this)};
  }

  template <class Changed>
  static constexpr Changed checked(const Changed& changed) {
    if (changed.minimum > changed.maximum) detail::the_lower_bound_is_above_the_upper_bound();
    return changed;
  }

  template <detail::Bounded Other>
  constexpr NamedArgument<Other> sized(std::size_t low, std::size_t high) const {
    if (low > high) detail::the_lower_bound_is_above_the_upper_bound();
    auto changed = bounding<Other>();
    changed.min_size = low;
    changed.max_size = high;
    return changed;
  }
};

/// Describes a parameter of a function. The texts are not copied: use string literals.
constexpr NamedArgument<detail::Bounded::nothing> arg(std::string_view name, std::string_view description = {}) {
  return {{.name = name, .description = description}};
}

/// What `args` returns.
template <detail::Bounded... What>
struct NamedArguments {
  std::array<FieldInfo, sizeof...(What)> list;
};

namespace detail {

constexpr NamedArgument<Bounded::nothing> as_argument(std::string_view name) { return arg(name); }
template <Bounded What>
constexpr NamedArgument<What> as_argument(NamedArgument<What> described) {
  return described;
}

template <Bounded... What>
constexpr NamedArguments<What...> joined(NamedArgument<What>... all) {
  const NamedArguments<What...> made{{static_cast<const FieldInfo&>(all)...}};
  for (std::size_t i = 0; i < made.list.size(); ++i)
    for (std::size_t j = i + 1; j < made.list.size(); ++j)
      if (made.list[i].name == made.list[j].name) two_fields_have_the_same_name();
  return made;
}

}  // namespace detail

/// Names the parameters of a function, all of them and in their order, but for Context& and Reply: by a text, or by
/// `arg` with a description and bounds. A std::optional parameter may be left out by callers; a std::string_view is one
/// of a string that lives as long as the call of the function. Two parameters under one name do not compile.
template <class... A>
consteval auto args(A... given) {
  return detail::joined(detail::as_argument(given)...);
}

namespace detail {

/// What a parameter is read into.
template <class Parameter>
struct Read {
  using Type = Parameter;
};
template <>
struct Read<std::string_view> {
  using Type = std::string;
};

template <class T>
constexpr bool takes_bounds(Bounded what) {
  using Value = typename Content<T>::Type;
  switch (what) {
    case Bounded::number:
      return is_number<Value>;
    case Bounded::text:
      return std::is_same_v<Value, std::string>;
    case Bounded::list:
      return is_vector<Value>;
    case Bounded::nothing:
      break;
  }
  return true;
}

/// Throws std::invalid_argument, naming the tool and the parameter, for the first that has no name, or bounds that no
/// number of its type has.
void check_arguments(const ObjectShape& arguments, std::string_view tool);

/// The table of a function's parameters, as that of a described struct: made when a tool is registered, where the names
/// meet the types.
template <class... Value>
class ArgumentTable {
  static_assert(!(holds_view(ShapeOf<Value>::value) || ...),
                "toolwire: a std::string_view inside of a parameter cannot be read from JSON, as nothing would own its "
                "text; use std::string");

 public:
  using Values = std::tuple<Value...>;
  static constexpr std::size_t size = sizeof...(Value);

  /// Throws as check_arguments.
  template <Bounded... What>
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-member-init): the one that it delegates to initializes
  ArgumentTable(const NamedArguments<What...>& names, std::string_view tool)
      : ArgumentTable(names, std::index_sequence_for<Value...>()) {
    check_arguments(shape_, tool);
  }
  ArgumentTable(const ArgumentTable&) = delete;
  ArgumentTable& operator=(const ArgumentTable&) = delete;

  const ObjectShape& shape() const { return shape_; }

  /// Throws InvalidArguments with every violation and its path.
  Values read(const Json& json) const {
    Values values{};
    decode_or_throw(shape_, json, &values);
    return values;
  }

 private:
  template <class Names, std::size_t... I>
  ArgumentTable(const Names& names, std::index_sequence<I...>)
      : fields_{described<Value, I>(names.list[I])...},
        shape_{{Kind::object}, fields_.data(), fields_.size(), &with_default} {}

  template <class T, std::size_t I>
  static FieldShape described(FieldInfo info) {
    info.required = !Content<T>::is_optional;
    return FieldShape{info, part<T>, &member<I>};
  }
  template <std::size_t I>
  static void* member(void* owner) {
    return &std::get<I>(*static_cast<Values*>(owner));
  }
  static void with_default(void* context, void (*use)(void*, void*)) {
    Values values{};
    use(context, &values);
  }

  const std::array<FieldShape, sizeof...(Value)> fields_;
  const ObjectShape shape_;
};

/// The parameters before the context and the reply, each as what it is read into.
template <class Seen, class... A>
struct ArgumentsOf {
  using Table = Seen;
};
template <class... Seen, class A, class... Rest>
requires is_argument<A>
struct ArgumentsOf<ArgumentTable<Seen...>, A, Rest...>
    : ArgumentsOf<ArgumentTable<Seen..., typename Read<std::remove_cvref_t<A>>::Type>, Rest...> {
};

/// Whether there is a name for each value, and whether the bounds that come with the names are bounds of the values.
template <class Table, class Names>
inline constexpr bool are_counted = false;
template <class... Value, Bounded... What>
inline constexpr bool are_counted<ArgumentTable<Value...>, NamedArguments<What...>> = sizeof...(Value) ==
                                                                                      sizeof...(What);
template <class Table, class Names>
inline constexpr bool are_bounded = true;
template <class... Value, Bounded... What>
requires(sizeof...(Value) ==
         sizeof...(What)) inline constexpr bool are_bounded<ArgumentTable<Value...>, NamedArguments<What...>> =
    (takes_bounds<Value>(What) && ...);

template <class... A>
ArgumentsOf<ArgumentTable<>, A...> arguments_of(std::tuple<A...> (*)());

/// What is asked of a function whose parameters are named; does not compile, with a sentence, where it is no such one.
template <class F, class Names>
struct NamedHandler {
  using Table = typename decltype(arguments_of(static_cast<typename Signature<F>::Stated (*)()>(nullptr)))::Table;
  static_assert(
      are_counted<Table, Names>,
      "toolwire: args(...) names each parameter of the function once, in their order, but not Context& and not "
      "the reply");
  static_assert(
      are_bounded<Table, Names>,
      "toolwire: between, at_least and at_most limit numbers, length, pattern and format limit strings, items "
      "limits vectors");
  static constexpr bool passed = are_counted<Table, Names> && are_bounded<Table, Names>;
};

template <class F, class Reply, class Names>
consteval bool is_named_handler() {
  if constexpr (HandlerCheck<F, Reply, true>::passed) {
    return NamedHandler<F, Names>::passed;
  } else {
    return false;
  }
}

/// Calls `handler` with the values, then the context if it takes one, then `more`.
template <class F, class... Value, class... More>
decltype(auto) invoke_named(F& handler, std::tuple<Value...>&& values, Context& context, More&&... more) {
  return std::apply(
      [&](Value&... value) -> decltype(auto) {
        if constexpr (std::is_invocable_v<F&, Value&&..., Context&, More&&...>) {
          return handler(std::move(value)..., context, std::forward<More>(more)...);
        } else {
          return handler(std::move(value)..., std::forward<More>(more)...);
        }
      },
      values);
}

}  // namespace detail
}  // namespace toolwire
