package dev.stowage.memory.synced;

import dev.stowage.allocator.internal.CallerStack;
import dev.stowage.memory.lifetime.UnclosedReport;
import dev.stowage.memory.pool.DevicePool;
import java.lang.ref.Cleaner;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/** The state of a buffer, open or closed, and its report if it becomes unreachable while open. */
final class BufferWatch {

  /* The report refers to `open` only: a reference to the buffer would keep it reachable. */

  private final String name;
  private final AtomicBoolean open = new AtomicBoolean(true);
  private final Cleaner.Cleanable watch;

  BufferWatch(Object buffer, String name, long bytes, HostSource source, List<DevicePool> devices) {
    this.name = name;
    if (UnclosedReport.isSuppressed()) {
      watch = () -> {};
    } else {
      boolean keepsStack =
          source.keepsStacks() || devices.stream().anyMatch(memory -> memory.options().hasStacks());
      Optional<CallerStack> stack = keepsStack ? Optional.of(new CallerStack()) : Optional.empty();
      watch = report(name, bytes, open, stack, UnclosedReport::warn).watch(buffer);
    }
  }

  static UnclosedReport report(
      String name,
      long bytes,
      AtomicBoolean open,
      Optional<CallerStack> stack,
      Consumer<String> output) {
    return new UnclosedReport(
        open::get,
        () ->
            String.format(
                Locale.ROOT,
                "buffer '%s' of %d bytes became unreachable without being closed, and its memory stays in use: call close()",
                name,
                bytes),
        stack,
        output);
  }

  boolean isOpen() {
    return open.get();
  }

  void checkOpen() {
    if (!isOpen()) {
      throw new IllegalStateException(String.format(Locale.ROOT, "buffer '%s' is closed", name));
    }
  }

  void close() {
    open.set(false);
    watch.clean();
  }
}
