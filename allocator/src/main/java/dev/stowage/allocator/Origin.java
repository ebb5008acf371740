package dev.stowage.allocator;

import dev.stowage.allocator.internal.CallerStack;
import java.util.List;
import java.util.Optional;

/** The origin of an allocation: its tag, the budget that is charged for it, and its stack. */
final class Origin {

  static final Origin NONE = of("");

  /** The origin of chunks that a pool divides into slots. */
  static final Origin SLAB = of("slabs");

  private final String tag;
  private final Optional<MemoryAccount> account;
  private final Optional<CallerStack> stack;

  /** True if there is an account or a stack; each free reads it. */
  private final boolean hasResources;

  private Origin(String tag, Optional<MemoryAccount> account, Optional<CallerStack> stack) {
    this.tag = tag;
    this.account = account;
    this.stack = stack;
    hasResources = account.isPresent() || stack.isPresent();
  }

  static Origin of(String tag) {
    return new Origin(tag, Optional.empty(), Optional.empty());
  }

  Origin chargedTo(MemoryAccount charged) {
    return new Origin(tag, Optional.of(charged), stack);
  }

  /** {@return this origin with the stack of the caller} */
  Origin withStack() {
    return new Origin(tag, account, Optional.of(new CallerStack()));
  }

  /** {@return the path of tags, empty for none} */
  String tag() {
    return tag;
  }

  /** {@return the account of the budget that is charged} */
  Optional<MemoryAccount> account() {
    return account;
  }

  /**
   * Replaces the charge of an allocation by the charge of another origin, in one step if both are
   * of one tree; or changes nothing and {@return the account that would exceed its limit}
   */
  Optional<Exhausted> replaceBy(Origin other, long bytes, long otherBytes) {
    if (account.isPresent()
        && other.account.isPresent()
        && account.get().isBeside(other.account.get())) {
      return account.get().replace(bytes, tag, other.account.get(), otherBytes, other.tag);
    }
    Optional<Exhausted> exhausted =
        other.account.flatMap(charged -> charged.take(otherBytes, other.tag));
    if (exhausted.isEmpty()) {
      other.account.ifPresent(charged -> charged.settle(otherBytes, other.tag, true));
      account.ifPresent(charged -> charged.release(bytes, tag));
    }
    return exhausted;
  }

  /** {@return the stack of the caller, if the allocator keeps stacks} */
  Optional<CallerStack> stack() {
    return stack;
  }

  /** {@return the stack from the caller's own frames, innermost first} */
  List<StackTraceElement> frames() {
    return stack.map(CallerStack::frames).orElse(List.of());
  }

  /** {@return true if the chunk is a slab: its user reports the slots} */
  @SuppressWarnings("ReferenceEquality") // a caller may have a tag of the same name
  boolean isSlab() {
    return this == SLAB;
  }

  /** {@return true if a free must release a charge or drop a stack} */
  boolean hasResources() {
    return hasResources;
  }
}
