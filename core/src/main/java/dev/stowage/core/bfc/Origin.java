package dev.stowage.core.bfc;

import java.util.List;
import java.util.Optional;

/**
 * The origin of an allocation.
 *
 * @param tag the path of tags, empty for none
 * @param account the account of the budget that is charged for it
 * @param stack the stack of the caller, if the allocator keeps stacks
 */
record Origin(String tag, Optional<BudgetAccount> account, Optional<CallerStack> stack) {

  static final Origin NONE = of("");

  static Origin of(String tag) {
    return new Origin(tag, Optional.empty(), Optional.empty());
  }

  Origin chargedTo(BudgetAccount charged) {
    return new Origin(tag, Optional.of(charged), stack);
  }

  boolean isChargedTo(BudgetAccount charged) {
    return account.isPresent() && account.get() == charged;
  }

  /** {@return this origin with the stack of the caller} */
  Origin withStack() {
    return new Origin(tag, account, Optional.of(new CallerStack()));
  }

  /** {@return the stack from the caller's own frames, innermost first} */
  List<StackTraceElement> frames() {
    return stack.map(CallerStack::frames).orElse(List.of());
  }
}
