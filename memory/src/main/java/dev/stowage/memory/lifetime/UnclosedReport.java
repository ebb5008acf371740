package dev.stowage.memory.lifetime;

import dev.stowage.allocator.internal.CallerStack;
import java.lang.ref.Cleaner;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** The report of an object that becomes unreachable without being closed. */
public final class UnclosedReport implements Runnable {

  /*
   * The cleaner runs a report after its object is gone, so a report must not refer to its object. The
   * report does not return the memory, because segments of it may still be in use. The thread of the
   * cleaner starts with the first object.
   */

  private static final System.Logger LOGGER = System.getLogger("dev.stowage.memory");
  private static final Cleaner CLEANER = Cleaner.create();
  private static final ScopedValue<Boolean> SUPPRESSED = ScopedValue.newInstance();

  private static final int MAX_FRAMES = 20;

  private final BooleanSupplier open;
  private final Supplier<String> description;
  private final Optional<CallerStack> stack;
  private final Consumer<String> output;

  /**
   * Creates the report on an open object.
   *
   * @param open returns true if the object is not closed
   * @param description the object and the remedy
   * @param stack the frames that made the object, if they are kept
   * @param output receives the text of the report
   */
  public UnclosedReport(
      BooleanSupplier open,
      Supplier<String> description,
      Optional<CallerStack> stack,
      Consumer<String> output) {
    this.open = open;
    this.description = description;
    this.stack = stack;
    this.output = output;
  }

  /** Logs a report as a warning. */
  public static void warn(String text) {
    LOGGER.log(System.Logger.Level.WARNING, text);
  }

  /** Watches an object and {@return the end of the watch; closing the object must run it} */
  public Cleaner.Cleanable watch(Object watched) {
    return CLEANER.register(watched, this);
  }

  /** Reports the object, unless it is closed. */
  @Override
  public void run() {
    if (open.getAsBoolean()) {
      StringBuilder text = new StringBuilder(description.get());
      stack.stream()
          .flatMap(caller -> caller.frames().stream())
          .limit(MAX_FRAMES)
          .forEach(frame -> text.append("\n    at ").append(frame));
      output.accept(text.toString());
    }
  }

  /**
   * {@return the object of a factory, without a report of its own}
   *
   * <p>The object belongs to another object with a report.
   */
  public static <T> T suppressedFor(Supplier<T> factory) {
    return ScopedValue.where(SUPPRESSED, true).call(factory::get);
  }

  /** {@return true if objects that this thread makes now have no report of their own} */
  public static boolean isSuppressed() {
    return SUPPRESSED.isBound();
  }
}
