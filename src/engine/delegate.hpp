// Delegate<R(Args...)>: an object and one of its member functions, in two words and without allocation.
#pragma once

#include <type_traits>
#include <utility>

namespace vecusim {

template <class Signature>
class Delegate;

/// Calls a member function of an object that must outlive it. An empty delegate may be tested but not called.
template <class R, class... Args>
class Delegate<R(Args...)> {
 public:
  constexpr Delegate() = default;

  template <auto kMember, class T>
  static constexpr Delegate to(T& object) {
    return Delegate(&object, [](void* self, Args... args) -> R {
      return (static_cast<T*>(self)->*kMember)(std::forward<Args>(args)...);
    });
  }

  R operator()(Args... args) const { return call_(object_, std::forward<Args>(args)...); }
  explicit constexpr operator bool() const { return call_ != nullptr; }

 private:
  using Call = R (*)(void*, Args...);
  constexpr Delegate(void* object, Call call) : object_(object), call_(call) {}

  void* object_ = nullptr;
  Call call_ = nullptr;
};

}  // namespace vecusim
