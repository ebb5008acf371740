package dev.stowage.trace.format;

import dev.stowage.plan.MalformedFileException;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The log of RAPIDS Memory Manager's logging adaptor: {@code
 * Thread,Time,Action,Pointer,Size,Stream}.
 *
 * <p>Pointers are reused, so the id of an allocation is its number, from 0. Frees of a null pointer
 * are not events.
 */
final class RmmLog implements FieldsReader {

  static final TraceFormat FORMAT =
      new HeaderFormat("rmm", "RAPIDS", "Thread,Time,Action,Pointer,Size,Stream", RmmLog::new);

  private static final Pattern TIME = Pattern.compile("(\\d{1,2}):(\\d\\d):(\\d\\d)[.:](\\d{6})");

  private final CheckedEvents events;
  private final KeyedEvents<Address> allocations;

  private RmmLog(CheckedEvents events) {
    this.events = events;
    allocations = new KeyedEvents<>(events);
  }

  @Override
  public void read(String[] fields, String place) throws MalformedFileException {
    String action = fields[2];
    OptionalLong time = micros(fields[1]);
    Optional<Address> pointer = Address.of(fields[3]);
    OptionalLong bytes = NumberFields.whole(fields[4]);
    Optional<Address> stream = Address.of(fields[5]);
    Optional<String> problem = Optional.empty();
    boolean isFailure = action.equals("allocate failure");
    if (!action.equals("allocate") && !action.equals("free") && !isFailure) {
      problem =
          Optional.of(
              String.format(
                  Locale.ROOT,
                  "has Action '%s', expected allocate, allocate failure or free",
                  MalformedFileException.excerpt(action)));
    } else if (time.isEmpty()) {
      problem =
          Optional.of(
              String.format(
                  Locale.ROOT,
                  "has Time '%s', expected one such as 10:15:30.123456",
                  MalformedFileException.excerpt(fields[1])));
    } else if (pointer.isEmpty() && !isFailure) {
      problem = Optional.of(NumberFields.notHexadecimal("Pointer", fields[3]));
    } else if (bytes.isEmpty() || bytes.getAsLong() < 0) {
      problem = Optional.of(NumberFields.notBytes("Size", fields[4]));
    } else if (stream.isEmpty()) {
      problem = Optional.of(NumberFields.notHexadecimal("Stream", fields[5]));
    }
    if (problem.isPresent()) {
      events.refuse(place, problem.get());
    } else if (isFailure) {
      fail(bytes.getAsLong(), stream.get().value(), time.getAsLong(), place);
    } else if (action.equals("free")) {
      free(pointer.get(), stream.get().value(), time.getAsLong(), place);
    } else {
      allocate(pointer.get(), bytes.getAsLong(), stream.get().value(), time.getAsLong(), place);
    }
  }

  private void allocate(Address pointer, long bytes, long stream, long time, String place)
      throws MalformedFileException {
    if (pointer.isNull()) {
      // Several requests for 0 bytes may have the null pointer.
      allocations.allocateUnnamed(
          place, id -> new AllocationEvent.Allocate(id, bytes, stream, time));
    } else {
      allocations.allocate(
          pointer, place, id -> new AllocationEvent.Allocate(id, bytes, stream, time));
    }
  }

  private void fail(long bytes, long stream, long time, String place)
      throws MalformedFileException {
    allocations.fail(place, id -> new AllocationEvent.Allocate(id, bytes, stream, time));
  }

  private void free(Address pointer, long stream, long time, String place)
      throws MalformedFileException {
    if (!pointer.isNull()) {
      allocations.free(pointer, stream, time, place);
    }
  }

  /** {@return microseconds since midnight} */
  private static OptionalLong micros(String text) {
    Matcher matcher = TIME.matcher(text);
    if (!matcher.matches()) {
      return OptionalLong.empty();
    }
    long minutes = Long.parseLong(matcher.group(1)) * 60 + Long.parseLong(matcher.group(2));
    long seconds = minutes * 60 + Long.parseLong(matcher.group(3));
    return OptionalLong.of(seconds * 1_000_000 + Long.parseLong(matcher.group(4)));
  }
}
