package dev.stowage.memory.pool;

import dev.stowage.allocator.BfcAllocator;
import dev.stowage.allocator.internal.CallerStack;
import dev.stowage.memory.lifetime.UnclosedReport;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The watch of the handles of a pool that callers must close: one of 128, or each one in debug
 * mode. Safe for use by many threads.
 */
final class HandleWatch {

  private final BfcAllocator allocator;
  private final boolean isDebugging;
  private final Consumer<String> reports;
  private final WatchedSample sample = new WatchedSample();

  HandleWatch(BfcAllocator allocator, boolean isDebugging, Consumer<String> reports) {
    this.allocator = allocator;
    this.isDebugging = isDebugging;
    this.reports = reports;
  }

  /** {@return true if the next handle is watched} */
  boolean isNext() {
    return (sample.isNext() || isDebugging) && !UnclosedReport.isSuppressed();
  }

  /** {@return the report of a handle, with the stack of the caller if the pool keeps stacks} */
  UnclosedReport report(BooleanSupplier open, Supplier<String> description) {
    Optional<CallerStack> stack =
        allocator.options().hasStacks() ? Optional.of(new CallerStack()) : Optional.empty();
    return new UnclosedReport(open, description, stack, reports);
  }
}
