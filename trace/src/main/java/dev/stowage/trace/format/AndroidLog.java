package dev.stowage.trace.format;

import dev.stowage.plan.MalformedFileException;
import java.io.IOException;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/**
 * A trace of Android's {@code malloc} functions, as {@code memory_replay} reads it: lines {@code
 * thread: action pointer arguments}.
 *
 * <p>{@code realloc} is a free and an allocation. {@code calloc} allocates the product of its
 * arguments. Functions that return a null pointer, frees of a null pointer and {@code thread_done}
 * are not events. Arguments after those of an action, such as times, are ignored.
 */
final class AndroidLog implements TraceFormat {

  private static final Pattern EVENT =
      Pattern.compile(
          "\\d+: *(malloc|calloc|memalign|realloc|free|thread_done) +0x\\p{XDigit}+( .*)?");

  private static final Pattern SPACES = Pattern.compile("[: ]+");

  @Override
  public String name() {
    return "android";
  }

  @Override
  public String description() {
    return "Android (malloc)";
  }

  @Override
  public boolean matches(String head) {
    return EVENT.matcher(head.lines().findFirst().orElse("")).matches();
  }

  @Override
  public TraceSummary read(TraceContent content, CheckedEvents events) throws IOException {
    Lines lines = new Lines(events);
    content.forEachLine(events, lines::read);
    events.note("the log has no times, streams and call stacks");
    return events.summary(name());
  }

  /** The lines of a file. */
  private static final class Lines {

    private final CheckedEvents events;
    private final KeyedEvents<Address> allocations;

    Lines(CheckedEvents events) {
      this.events = events;
      allocations = new KeyedEvents<>(events);
    }

    void read(String line, String place) throws MalformedFileException {
      String[] fields = SPACES.split(line.strip(), 7);
      if (fields.length < 3) {
        events.refuse(
            place,
            "is '"
                + MalformedFileException.excerpt(line)
                + "', expected a thread, an action and a pointer");
        return;
      }
      Optional<Address> pointer = Address.of(fields[2]);
      if (pointer.isEmpty()) {
        events.refuse(place, NumberFields.notHexadecimal("pointer", fields[2]));
        return;
      }
      String action = fields[1];
      switch (action) {
        case "malloc" -> allocate(pointer.get(), bytes(fields, 3), place);
        case "memalign" -> allocate(pointer.get(), bytes(fields, 4), place);
        case "calloc" -> {
          OptionalLong bytes = product(bytes(fields, 3), bytes(fields, 4));
          allocate(pointer.get(), bytes, place);
        }
        case "realloc" -> reallocate(pointer.get(), fields, place);
        case "free" -> free(pointer.get(), place);
        case "thread_done" -> {}
        default ->
            events.refuse(
                place,
                String.format(
                    Locale.ROOT,
                    "has action '%s', expected malloc, calloc, memalign, realloc, free or"
                        + " thread_done",
                    MalformedFileException.excerpt(action)));
      }
    }

    /** {@return a number of bytes, or empty if the field is missing or is not one} */
    private static OptionalLong bytes(String[] fields, int index) {
      OptionalLong number =
          index < fields.length ? NumberFields.whole(fields[index]) : OptionalLong.empty();
      return number.isPresent() && number.getAsLong() < 0 ? OptionalLong.empty() : number;
    }

    private static OptionalLong product(OptionalLong count, OptionalLong bytes) {
      if (count.isEmpty() || bytes.isEmpty()) {
        return OptionalLong.empty();
      }
      long low = count.getAsLong() * bytes.getAsLong();
      boolean overflows = low < 0 || Math.multiplyHigh(count.getAsLong(), bytes.getAsLong()) != 0;
      return overflows ? OptionalLong.empty() : OptionalLong.of(low);
    }

    private void allocate(Address pointer, OptionalLong bytes, String place)
        throws MalformedFileException {
      if (bytes.isEmpty()) {
        events.refuse(place, "has no number of bytes from 0 to 2^63 - 1");
      } else if (!pointer.isNull()) {
        allocations.allocate(
            pointer, place, id -> new AllocationEvent.Allocate(id, bytes.getAsLong(), 0, 0));
      }
    }

    private void reallocate(Address pointer, String[] fields, String place)
        throws MalformedFileException {
      Optional<Address> old = fields.length > 3 ? Address.of(fields[3]) : Optional.empty();
      OptionalLong bytes = bytes(fields, 4);
      if (old.isEmpty()) {
        events.refuse(place, "has no hexadecimal number of 64 bits for the old pointer");
      } else if (bytes.isEmpty()) {
        events.refuse(place, "has no number of bytes from 0 to 2^63 - 1");
      } else if (!pointer.isNull() || bytes.getAsLong() == 0) {
        free(old.get(), place);
        allocate(pointer, bytes, place);
      }
    }

    private void free(Address pointer, String place) throws MalformedFileException {
      if (!pointer.isNull()) {
        allocations.free(pointer, 0, 0, place);
      }
    }
  }
}
