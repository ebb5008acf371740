package dev.stowage.memory.lifetime;

import dev.stowage.core.bfc.CallerStack;
import java.lang.ref.Cleaner;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** The report of an object that became unreachable and was not closed. */
public final class Forgotten implements Runnable {

  /*
   * A cleaner runs this when its object is gone, so that it must not know the object. Memory is not
   * given back: a segment of it may be in use, and is a better reason to live than the object was.
   * The one cleaner has a thread, which starts with the first object.
   */

  private static final System.Logger LOGGER = System.getLogger("dev.stowage.memory");
  private static final Cleaner CLEANER = Cleaner.create();
  private static final ScopedValue<Boolean> COVERED = ScopedValue.newInstance();

  private static final int MOST_FRAMES = 20;

  private final BooleanSupplier open;
  private final Supplier<String> description;
  private final Optional<CallerStack> stack;
  private final Consumer<String> report;

  /**
   * A report that is not due yet.
   *
   * @param open whether the object's memory is still to be given back
   * @param description what was forgotten, and the remedy
   * @param stack where the object was made, if that is kept
   * @param report hears of it
   */
  public Forgotten(
      BooleanSupplier open,
      Supplier<String> description,
      Optional<CallerStack> stack,
      Consumer<String> report) {
    this.open = open;
    this.description = description;
    this.stack = stack;
    this.report = report;
  }

  /** Logs a report as a warning. */
  public static void warn(String text) {
    LOGGER.log(System.Logger.Level.WARNING, text);
  }

  /** {@return the end of the watch for an object, which its close has to run} */
  public Cleaner.Cleanable watch(Object watched) {
    return CLEANER.register(watched, this);
  }

  /** Reports the object, unless it was closed. */
  @Override
  public void run() {
    if (open.getAsBoolean()) {
      StringBuilder text = new StringBuilder(description.get());
      stack.stream()
          .flatMap(caller -> caller.frames().stream())
          .limit(MOST_FRAMES)
          .forEach(frame -> text.append("\n    at ").append(frame));
      report.accept(text.toString());
    }
  }

  /** {@return an object of a factory whose owner is watched, so that only the owner is reported} */
  public static <T> T covered(Supplier<T> making) {
    return ScopedValue.where(COVERED, true).call(making::get);
  }

  /** {@return true if the objects that this thread makes now belong to a watched object} */
  public static boolean isCovered() {
    return COVERED.isBound();
  }
}
