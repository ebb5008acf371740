package dev.stowage.core.bfc;

import java.util.List;
import java.util.Optional;

/**
 * Where an allocation comes from.
 *
 * @param tag the path of tags, empty for none
 * @param budget what it is charged to
 * @param stack where it was asked for, if that is kept
 */
record Origin(String tag, Optional<AllocationBudget> budget, Optional<CallerStack> stack) {

  static final Origin NONE = of("");

  static Origin of(String tag) {
    return new Origin(tag, Optional.empty(), Optional.empty());
  }

  Origin withBudget(AllocationBudget charged) {
    return new Origin(tag, Optional.of(charged), stack);
  }

  /** {@return this origin with the stack of the caller} */
  Origin withStack() {
    return new Origin(tag, budget, Optional.of(new CallerStack()));
  }

  /** {@return the stack from the caller's own frames on, innermost first} */
  List<StackTraceElement> frames() {
    return stack.map(CallerStack::frames).orElse(List.of());
  }
}
