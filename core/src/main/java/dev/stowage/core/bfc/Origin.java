package dev.stowage.core.bfc;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Where an allocation comes from.
 *
 * @param tag the path of tags, empty for none
 * @param budget what it is charged to
 * @param stack where it was asked for, if that is kept
 */
record Origin(String tag, Optional<AllocationBudget> budget, Optional<Throwable> stack) {

  static Origin of(String tag) {
    return new Origin(tag, Optional.empty(), Optional.empty());
  }

  Origin withBudget(AllocationBudget charged) {
    return new Origin(tag, Optional.of(charged), stack);
  }

  /** {@return this origin with the stack of the caller} */
  Origin withStack() {
    return new Origin(tag, budget, Optional.of(new Throwable()));
  }

  /** {@return the stack but for the allocator's own frames, innermost first} */
  List<StackTraceElement> frames() {
    return stack.stream()
        .flatMap(throwable -> Stream.of(throwable.getStackTrace()))
        .dropWhile(frame -> frame.getClassName().startsWith(Origin.class.getPackageName() + "."))
        .toList();
  }
}
