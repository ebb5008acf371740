package dev.stowage.core.trace;

import dev.stowage.core.MalformedFileException;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The log of RAPIDS Memory Manager's logging adaptor: {@code
 * Thread,Time,Action,Pointer,Size,Stream}.
 *
 * <p>Pointers are reused, so the id of an allocation is its number, from 0. Requests that failed in
 * the recorded run, and frees of a null pointer, are not events.
 */
final class RmmLog implements LineFormat {

  private static final Pattern TIME = Pattern.compile("(\\d{1,2}):(\\d\\d):(\\d\\d)[.:](\\d{6})");
  private static final Pattern POINTER = Pattern.compile("(?:0[xX])?([0-9a-fA-F]{1,16})");
  private static final String NULL = "(nil)";

  /** The ids of live allocations, by pointer. */
  private final Map<Long, String> ids = new HashMap<>();

  private long allocationCount;

  @Override
  public String header() {
    return "Thread,Time,Action,Pointer,Size,Stream";
  }

  @Override
  public String name() {
    return "rmm";
  }

  @Override
  public void read(String[] fields, String place, CheckedEvents events)
      throws MalformedFileException {
    String action = fields[2];
    if (action.equals("allocate failure")) {
      return;
    }
    OptionalLong time = micros(fields[1]);
    OptionalLong pointer = pointer(fields[3]);
    OptionalLong bytes = Numbers.whole(fields[4]);
    OptionalLong stream = pointer(fields[5]);
    Optional<String> problem = Optional.empty();
    if (!action.equals("allocate") && !action.equals("free")) {
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
    } else if (pointer.isEmpty()) {
      problem = Optional.of(notHexadecimal("Pointer", fields[3]));
    } else if (bytes.isEmpty() || bytes.getAsLong() < 0) {
      problem = Optional.of(Numbers.notBytes("Size", fields[4]));
    } else if (stream.isEmpty()) {
      problem = Optional.of(notHexadecimal("Stream", fields[5]));
    }
    if (problem.isPresent()) {
      events.refuse(place, problem.get());
    } else if (action.equals("allocate")) {
      allocate(
          fields[3],
          pointer.getAsLong(),
          new AllocationEvent.Allocate(
              Long.toString(allocationCount++),
              bytes.getAsLong(),
              stream.getAsLong(),
              time.getAsLong()),
          place,
          events);
    } else {
      free(fields[3], pointer.getAsLong(), stream.getAsLong(), time.getAsLong(), place, events);
    }
  }

  private void allocate(
      String text, long pointer, AllocationEvent.Allocate event, String place, CheckedEvents events)
      throws MalformedFileException {
    // Several requests for no bytes may have the null pointer.
    if (pointer != 0 && ids.containsKey(pointer)) {
      events.refuse(
          place,
          String.format(
              Locale.ROOT, "allocates '%s', which is live", MalformedFileException.excerpt(text)));
      return;
    }
    if (pointer != 0) {
      ids.put(pointer, event.id());
    }
    events.pass(event, place);
  }

  private void free(
      String text, long pointer, long stream, long time, String place, CheckedEvents events)
      throws MalformedFileException {
    if (pointer == 0) {
      return;
    }
    String id = ids.remove(pointer);
    if (id == null) {
      events.refuse(
          place,
          String.format(
              Locale.ROOT,
              "frees '%s', which is not live: never allocated, or freed before",
              MalformedFileException.excerpt(text)));
    } else {
      events.pass(new AllocationEvent.Free(id, stream, time), place);
    }
  }

  private static String notHexadecimal(String name, String text) {
    return String.format(
        Locale.ROOT,
        "has %s '%s', expected a hexadecimal number of 64 bits",
        name,
        MalformedFileException.excerpt(text));
  }

  private static OptionalLong pointer(String text) {
    if (text.equals(NULL)) {
      return OptionalLong.of(0);
    }
    Matcher matcher = POINTER.matcher(text);
    return matcher.matches()
        ? OptionalLong.of(Long.parseUnsignedLong(matcher.group(1), 16))
        : OptionalLong.empty();
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
